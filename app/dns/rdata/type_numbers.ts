/** Types whose mnemonic every supported PowerDNS (4.7 and later) reads inside of a content. */
const TYPE_NUMBERS: Readonly<Record<string, number>> = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  MB: 7,
  MG: 8,
  MR: 9,
  PTR: 12,
  HINFO: 13,
  MINFO: 14,
  MX: 15,
  TXT: 16,
  RP: 17,
  AFSDB: 18,
  KEY: 25,
  AAAA: 28,
  LOC: 29,
  SRV: 33,
  NAPTR: 35,
  KX: 36,
  CERT: 37,
  DNAME: 39,
  APL: 42,
  DS: 43,
  SSHFP: 44,
  IPSECKEY: 45,
  RRSIG: 46,
  NSEC: 47,
  DNSKEY: 48,
  DHCID: 49,
  NSEC3: 50,
  NSEC3PARAM: 51,
  TLSA: 52,
  SMIMEA: 53,
  RKEY: 57,
  CDS: 59,
  CDNSKEY: 60,
  OPENPGPKEY: 61,
  CSYNC: 62,
  ZONEMD: 63,
  SVCB: 64,
  HTTPS: 65,
  SPF: 99,
  NID: 104,
  L32: 105,
  L64: 106,
  LP: 107,
  EUI48: 108,
  EUI64: 109,
  URI: 256,
  CAA: 257,
  DLV: 32769,
}

/** Types that some versions of PowerDNS do not know by name: accepted as mnemonics, printed as `TYPEn`. */
const UNSUPPORTED_TYPE_NUMBERS: Readonly<Record<string, number>> = {
  'MD': 3,
  'MF': 4,
  'NULL': 10,
  'WKS': 11,
  'X25': 19,
  'ISDN': 20,
  'RT': 21,
  'NSAP': 22,
  'NSAP-PTR': 23,
  'SIG': 24,
  'PX': 26,
  'GPOS': 27,
  'NXT': 30,
  'EID': 31,
  'NIMLOC': 32,
  'ATMA': 34,
  'A6': 38,
  'SINK': 40,
  'HIP': 55,
  'NINFO': 56,
  'TALINK': 58,
  'DSYNC': 66,
  'HHIT': 67,
  'BRID': 68,
  'UINFO': 100,
  'UID': 101,
  'GID': 102,
  'UNSPEC': 103,
  'AVC': 258,
  'DOA': 259,
  'AMTRELAY': 260,
  'RESINFO': 261,
  'WALLET': 262,
  'CLA': 263,
  'IPN': 264,
  'TA': 32768,
}

/** Types of PowerDNS itself, with numbers for private use (RFC 6895, 3.1). */
const POWERDNS_TYPE_NUMBERS: Readonly<Record<string, number>> = { ALIAS: 65401, LUA: 65402 }

const NUMBERS = new Map(Object.entries({ ...TYPE_NUMBERS, ...UNSUPPORTED_TYPE_NUMBERS }))
const MNEMONICS = new Map(Object.entries(TYPE_NUMBERS).map(([word, number]) => [number, word]))
const OPT = 41

/** Returns the number of a data type, by mnemonic in any case or `TYPEn` (RFC 3597, 5); undefined for other words. */
export function typeNumber(word: string): number | undefined {
  const upper = word.toUpperCase()
  const known = NUMBERS.get(upper)
  if (known !== undefined) return known
  const digits = upper.startsWith('TYPE') ? upper.slice(4) : ''
  return /^\d{1,5}$/.test(digits) && Number(digits) <= 65535 ? Number(digits) : undefined
}

/** Returns the number of a type by its upper-case mnemonic, also for types of PowerDNS itself. */
export function mnemonicNumber(mnemonic: string): number | undefined {
  return POWERDNS_TYPE_NUMBERS[mnemonic] ?? NUMBERS.get(mnemonic)
}

/** Returns the form of a type in PowerDNS contents: the mnemonic if all versions know it, otherwise `TYPEn`. */
export function typeWord(number: number): string {
  return MNEMONICS.get(number) ?? `TYPE${number}`
}

/** Returns whether a type number identifies data, not a query type or a part of a message (RFC 6895, 3.1). */
export function isDataType(number: number): boolean {
  return number > 0 && number !== OPT && (number < 128 || number > 255)
}
