/** IANA registries of the numbers in contents. They grow: an unlisted number is stored, with a warning. */

/** A registry on a date. */
export interface NumberRegistry {
  /** Name of the field, for messages. */
  field: string
  /** Name of the registry. */
  source: string
  /** Date of the copy. */
  date: string
  numbers: ReadonlySet<number>
}

const REGISTRY_DATE = '2026-11-26'

function registry(field: string, source: string, numbers: number[]): NumberRegistry {
  return { field, source, date: REGISTRY_DATE, numbers: new Set(numbers) }
}

const ALGORITHMS = registry(
  'algorithm',
  'DNS Security Algorithm Numbers',
  [1, 2, 3, 5, 6, 7, 8, 10, 12, 13, 14, 15, 16, 17, 23, 252, 253, 254]
)
const DIGESTS = registry(
  'digest type',
  'DNSSEC Delegation Signer (DS) Digest Algorithms',
  [1, 2, 3, 4, 5, 6]
)
const SSH_ALGORITHMS = registry(
  'algorithm',
  'SSHFP RR Types for public key algorithms',
  [1, 2, 3, 4, 6]
)
const SSH_FINGERPRINTS = registry(
  'fingerprint type',
  'SSHFP RR types for fingerprint types',
  [1, 2]
)
/** 240 to 254 are for private use (RFC 8976, 5.2 and 5.3). */
const PRIVATE_ALGORITHMS = Array.from({ length: 15 }, (_, index) => 240 + index)
const ZONEMD_SCHEMES = registry('scheme', 'ZONEMD Schemes', [1, ...PRIVATE_ALGORITHMS])
const ZONEMD_HASHES = registry('hash algorithm', 'ZONEMD Hash Algorithms', [
  1,
  2,
  ...PRIVATE_ALGORITHMS,
])
/** 255 is for private use (RFC 6698, 7). */
const USAGES = registry('certificate usage', 'TLSA Certificate Usages', [0, 1, 2, 3, 255])
const SELECTORS = registry('selector', 'TLSA Selectors', [0, 1, 255])
const MATCHING_TYPES = registry('matching type', 'TLSA Matching Types', [0, 1, 2, 255])
const TLSA_FIELDS = [
  [0, USAGES],
  [1, SELECTORS],
  [2, MATCHING_TYPES],
] as const

/** By type: the word of a canonical content that is a number of a registry. */
export const NUMBER_FIELDS: Readonly<
  Record<string, readonly (readonly [word: number, NumberRegistry])[]>
> = {
  CDNSKEY: [[2, ALGORITHMS]],
  CDS: [
    [1, ALGORITHMS],
    [2, DIGESTS],
  ],
  DLV: [
    [1, ALGORITHMS],
    [2, DIGESTS],
  ],
  DNSKEY: [[2, ALGORITHMS]],
  DS: [
    [1, ALGORITHMS],
    [2, DIGESTS],
  ],
  SMIMEA: TLSA_FIELDS,
  SSHFP: [
    [0, SSH_ALGORITHMS],
    [1, SSH_FINGERPRINTS],
  ],
  TLSA: TLSA_FIELDS,
  ZONEMD: [
    [1, ZONEMD_SCHEMES],
    [2, ZONEMD_HASHES],
  ],
}
