/** An algorithm that zones are signed with. */
export interface SigningAlgorithm {
  /** PowerDNS' word for it. */
  name: string
  /** The word of the registry, as people and registrars know it. */
  mnemonic: string
  /** Whether new keys should have it (RFC 8624, 3.1): `best` for those to choose, `old` for those not to sign with any more. */
  advice: 'best' | 'fine' | 'old'
  /** IANA registry "DNS Security Algorithm Numbers". */
  number: number
  /** Sizes that a new key may have. */
  bits: readonly number[]
}

/** All that PowerDNS 4.7 to 5.1 sign with, by number. */
export const SIGNING_ALGORITHMS: readonly SigningAlgorithm[] = [
  { name: 'rsasha1', mnemonic: 'RSASHA1', advice: 'old', number: 5, bits: [1024, 2048] },
  {
    name: 'rsasha1-nsec3-sha1',
    mnemonic: 'RSASHA1-NSEC3-SHA1',
    advice: 'old',
    number: 7,
    bits: [1024, 2048],
  },
  { name: 'rsasha256', mnemonic: 'RSASHA256', advice: 'fine', number: 8, bits: [1024, 2048] },
  { name: 'rsasha512', mnemonic: 'RSASHA512', advice: 'old', number: 10, bits: [1024, 2048] },
  { name: 'ecdsa256', mnemonic: 'ECDSAP256SHA256', advice: 'best', number: 13, bits: [256] },
  { name: 'ecdsa384', mnemonic: 'ECDSAP384SHA384', advice: 'fine', number: 14, bits: [384] },
  { name: 'ed25519', mnemonic: 'ED25519', advice: 'best', number: 15, bits: [256] },
  { name: 'ed448', mnemonic: 'ED448', advice: 'fine', number: 16, bits: [456] },
]

/** The word for an algorithm; its number as text where it is none of ours. */
export function algorithmName(number: number): string {
  return SIGNING_ALGORITHMS.find((one) => one.number === number)?.name ?? String(number)
}

/** The registry's word for an algorithm; its number as text where it is none of ours. */
export function algorithmMnemonic(number: number): string {
  return SIGNING_ALGORITHMS.find((one) => one.number === number)?.mnemonic ?? String(number)
}
