/** An algorithm that can sign zones. */
export interface SigningAlgorithm {
  /** Name in PowerDNS. */
  name: string
  /** Name in the IANA registry, which registrars use. */
  mnemonic: string
  /** Advice for new keys (RFC 8624, 3.1): `best` is recommended, `old` is discouraged. */
  advice: 'best' | 'fine' | 'old'
  /** IANA registry "DNS Security Algorithm Numbers". */
  number: number
  /** Sizes of new keys, in bits. */
  bits: readonly number[]
}

/** Algorithms of PowerDNS 4.7 to 5.1, by number. */
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

/** Returns the PowerDNS name of an algorithm; its number as text if it is unknown. */
export function algorithmName(number: number): string {
  return SIGNING_ALGORITHMS.find((one) => one.number === number)?.name ?? String(number)
}

/** Returns the registry name of an algorithm; its number as text if it is unknown. */
export function algorithmMnemonic(number: number): string {
  return SIGNING_ALGORITHMS.find((one) => one.number === number)?.mnemonic ?? String(number)
}
