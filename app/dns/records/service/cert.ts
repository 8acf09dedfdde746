import { KEY_ALGORITHMS } from '#dns/dnssec/algorithms'
import { defineRecordType } from '#dns/records/define'
import { base64Of, codeOf, numberOf, refusal, wordField, type Field } from '#dns/records/fields'
import { base64FromWire } from '#dns/records/from_wire'
import { withForms } from '#dns/records/forms'
import type { RecordType } from '#dns/records/record_type'

const TYPES: Readonly<Record<string, number>> = {
  PKIX: 1,
  SPKI: 2,
  PGP: 3,
  IPKIX: 4,
  ISPKI: 5,
  IPGP: 6,
  ACPKIX: 7,
  IACPKIX: 8,
  URI: 253,
  OID: 254,
}
/** Reserved numbers (RFC 4398, 5). */
const RESERVED_TYPES = ['0', '255', '65535']
const SCHEMES = ['http:', 'https:', 'ftp:', 'ldap:', 'ldaps:']

/** Data in front of the URL, for types that contain a URL (RFC 4398, 2.1 and 3). */
const URL_PREFIX = new Map([
  [4, ''],
  [5, ''],
  // IPGP: length of the fingerprint, here 0.
  [6, '\0'],
  [8, ''],
])

const fieldsWith = (certificate: Field) => [
  codeOf('type', TYPES, { max: 65535 }),
  numberOf('key tag', 65535),
  codeOf('algorithm', KEY_ALGORITHMS, { max: 255 }),
  certificate,
]

const withData = defineRecordType({
  type: 'CERT',
  rfc: 'RFC 4398',
  summary: 'A certificate or OpenPGP key, or a URL of one',
  example: '1 0 0 MIICXgIBAAKBgQDJMxHOAq5j',
  trap: 'Answers with whole certificates are too long for UDP; the URL types keep them short',
  fields: fieldsWith(base64Of('certificate', { max: 65_530 })),
  check({ type }, _context, content) {
    if (RESERVED_TYPES.includes(type)) throw refusal(content, 'type', 'one that is not reserved')
  },
})

const withUrl = new Map(
  [...URL_PREFIX].map(([type, prefix]) => [
    type,
    defineRecordType({ ...withData, fields: fieldsWith(urlOf('certificate', prefix)) }),
  ])
)

/** A certificate in base64. Types that contain a URL also accept the URL itself. */
export const cert: RecordType = withForms(withData, ([type = '', , , data = '']) => {
  if (!data.includes(':')) return undefined
  return withUrl.get(TYPES[type.toUpperCase()] ?? Number(type))
})

function urlOf(name: string, prefix: string): Field {
  const read = (word: string, content: string) => {
    const url = /^[!-~]+$/.test(word) ? URL.parse(word) : null
    if (url === null || !SCHEMES.includes(url.protocol)) {
      throw refusal(content, name, `base64 data, or a URL of ${SCHEMES.join(', ')}`)
    }
    return Buffer.from(prefix + word).toString('base64')
  }
  return wordField(name, read, base64FromWire)
}
