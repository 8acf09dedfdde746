/** Algorithms of DNSSEC keys (IANA registry "DNS Security Algorithm Numbers") by mnemonic. */
export const DNSSEC_ALGORITHMS: Readonly<Record<string, number>> = {
  'RSAMD5': 1,
  'DH': 2,
  'DSA': 3,
  'RSASHA1': 5,
  'DSA-NSEC3-SHA1': 6,
  'NSEC3DSA': 6,
  'RSASHA1-NSEC3-SHA1': 7,
  'NSEC3RSASHA1': 7,
  'RSASHA256': 8,
  'RSASHA512': 10,
  'ECC-GOST': 12,
  'ECDSAP256SHA256': 13,
  'ECDSAP384SHA384': 14,
  'ED25519': 15,
  'ED448': 16,
  // RFC 9563
  'SM2SM3': 17,
  // RFC 9558
  'ECC-GOST12': 23,
}

/** As `DNSSEC_ALGORITHMS`, with the numbers that do not identify an algorithm (RFC 4034, A.1). */
export const KEY_ALGORITHMS: Readonly<Record<string, number>> = {
  ...DNSSEC_ALGORITHMS,
  INDIRECT: 252,
  PRIVATEDNS: 253,
  PRIVATEOID: 254,
}
