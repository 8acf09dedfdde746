/** An algorithm that zones are signed with. */
export interface SigningAlgorithm {
  /** PowerDNS' word for it. */
  name: string
  /** IANA registry "DNS Security Algorithm Numbers". */
  number: number
  /** Sizes that a new key may have. */
  bits: readonly number[]
}

/** All that PowerDNS 4.7 to 5.1 sign with, by number. */
export const SIGNING_ALGORITHMS: readonly SigningAlgorithm[] = [
  { name: 'rsasha1', number: 5, bits: [1024, 2048] },
  { name: 'rsasha1-nsec3-sha1', number: 7, bits: [1024, 2048] },
  { name: 'rsasha256', number: 8, bits: [1024, 2048] },
  { name: 'rsasha512', number: 10, bits: [1024, 2048] },
  { name: 'ecdsa256', number: 13, bits: [256] },
  { name: 'ecdsa384', number: 14, bits: [384] },
  { name: 'ed25519', number: 15, bits: [256] },
  { name: 'ed448', number: 16, bits: [456] },
]

/** The word for an algorithm; its number as text where it is none of ours. */
export function algorithmName(number: number): string {
  return SIGNING_ALGORITHMS.find((one) => one.number === number)?.name ?? String(number)
}
