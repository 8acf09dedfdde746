import type { RecordTables } from '#tests/unit/dns/tables/record_tables_type'
import { halves, hex, upper } from '#tests/unit/dns/tables/security_texts'

const HEX40 = hex(40)
const HEX64 = hex(64)
const HEX96 = hex(96)
const HEX128 = hex(128)

const digestsOfKeys = (leastTag: number): RecordTables => ({
  canonical: [
    `60485 5 1 ${HEX40}`,
    `60485 8 2 ${HEX64}`,
    `60485 13 2 ${HEX64}`,
    `60485 14 4 ${HEX96}`,
    `65535 16 4 ${HEX96}`,
    `${leastTag} 1 1 ${HEX40}`,
    `1 15 2 ${'0'.repeat(64)}`,
    `12345 10 2 ${'f'.repeat(64)}`,
    `12345 7 1 ${HEX40}`,
    `12345 12 4 ${HEX96}`,
    // RFC 9558, RFC 9563, RFC 4034, appendixes A.1.1 and B
    `60485 23 5 ${HEX64}`,
    `60485 17 6 ${HEX64}`,
    `60485 253 2 ${HEX64}`,
    `0 8 2 ${HEX64}`,
    `1 99 99 ab`,
  ],
  accepted: [
    [`60485 13 2 ${upper(HEX64)}`, `60485 13 2 ${HEX64}`],
    [`60485 13 2 ( ${halves(HEX64)} )`, `60485 13 2 ${HEX64}`],
    [`60485 13 2 ${halves(HEX64)}`, `60485 13 2 ${HEX64}`],
    [`60485 ECDSAP256SHA256 2 ${HEX64}`, `60485 13 2 ${HEX64}`],
    [`60485 rsasha1-nsec3-sha1 1 ${HEX40}`, `60485 7 1 ${HEX40}`],
    [`60485 13 SHA-256 ${HEX64}`, `60485 13 2 ${HEX64}`],
    [`60485 13 sha256 ${HEX64}`, `60485 13 2 ${HEX64}`],
    [`60485 13 SHA-1 ${HEX40}`, `60485 13 1 ${HEX40}`],
    [`60485 ED448 SHA-384 ${HEX96}`, `60485 16 4 ${HEX96}`],
    [`060485 013 02 ${HEX64}`, `60485 13 2 ${HEX64}`],
    [`  60485\t13 2   ${HEX64} `, `60485 13 2 ${HEX64}`],
  ],
  refused: [
    [`65536 13 2 ${HEX64}`, 'key tag'],
    [`-1 13 2 ${HEX64}`, 'key tag'],
    [`x 13 2 ${HEX64}`, 'key tag'],
    [`60485 RSA 2 ${HEX64}`, 'algorithm'],
    [`60485 13 1 ${HEX64}`, '40 hexadecimal digits for digest type 1, not 64'],
    [`60485 13 2 ${HEX40}`, '64 hexadecimal digits for digest type 2, not 40'],
    [`60485 13 4 ${HEX64}`, '96 hexadecimal digits for digest type 4, not 64'],
    [`60485 13 2 ${hex(63)}`, 'even number'],
    [`60485 13 2 ${hex(63)}g`, 'even number'],
    [`60485 13 2 "${HEX64}"`, 'without quotes'],
    ['60485 13 2', 'has no digest'],
    ['60485 13', 'has no digest type'],
    [`60485 13 2 ${HEX64} 00`, '64 hexadecimal digits'],
  ],
})

const DIGESTS = digestsOfKeys(0)

const DELEGATIONS = digestsOfKeys(1)

const ASSOCIATIONS: RecordTables = {
  canonical: [
    `3 1 1 ${HEX64}`,
    `2 0 1 ${HEX64}`,
    `0 0 1 ${HEX64}`,
    `1 1 2 ${HEX128}`,
    `3 0 2 ${HEX128}`,
    '3 0 0 30820122300d06092a864886f70d01010105000382010f00',
    '2 1 0 00',
    `0 1 1 ${'f'.repeat(64)}`,
    `1 0 1 ${'0'.repeat(64)}`,
    `2 1 2 ${HEX128}`,
    `3 1 0 ${hex(38)}`,
  ],
  accepted: [
    [`3 1 1 ${upper(HEX64)}`, `3 1 1 ${HEX64}`],
    [`3 1 1 ${halves(HEX64)}`, `3 1 1 ${HEX64}`],
    [`DANE-EE SPKI SHA2-256 ${HEX64}`, `3 1 1 ${HEX64}`],
    [`dane-ta cert full ${HEX40}`, `2 0 0 ${HEX40}`],
    [`PKIX-TA Cert SHA2-512 ${HEX128}`, `0 0 2 ${HEX128}`],
    [`PKIX-EE 1 1 ${HEX64}`, `1 1 1 ${HEX64}`],
    [`03 01 01 ${HEX64}`, `3 1 1 ${HEX64}`],
    [`3 1 SHA2-256 ${HEX64}`, `3 1 1 ${HEX64}`],
    [`  3\t1  1 ${HEX64} `, `3 1 1 ${HEX64}`],
    ['3 0 0 aa bb cc dd', '3 0 0 aabbccdd'],
  ],
  refused: [
    [`DANE 1 1 ${HEX64}`, 'certificate usage'],
    [`3 1 SHA-256 ${HEX64}`, 'matching type'],
    [`256 1 1 ${HEX64}`, 'certificate usage'],
    [`3 256 1 ${HEX64}`, 'selector'],
    [`3 1 256 ${HEX64}`, 'matching type'],
    [`-3 1 1 ${HEX64}`, 'certificate usage'],
    [`3 1 1 ${HEX128}`, '64 hexadecimal digits for matching type 1, not 128'],
    [`3 1 2 ${HEX64}`, '128 hexadecimal digits for matching type 2, not 64'],
    [`3 1 1 ${hex(62)}`, '64 hexadecimal digits'],
    [`3 1 1 ${hex(63)}`, 'even number'],
    ['3 1 0 zz', 'hexadecimal data'],
    ['3 1 0 -', 'hexadecimal data'],
    [`3 1 1 "${HEX64}"`, 'without quotes'],
    [`"3" 1 1 ${HEX64}`, 'without quotes'],
    ['3 1 1', 'has no certificate data'],
    [HEX64, 'certificate usage'],
  ],
}

/** Tables of types with digests of keys, certificates or zones. */
export const DIGEST_TABLES: Record<string, RecordTables> = {
  CDS: {
    canonical: [...DIGESTS.canonical, '0 0 0 00'],
    accepted: [
      ...DIGESTS.accepted,
      ['0 0 0 0', '0 0 0 00'],
      ['00 00 00 00', '0 0 0 00'],
      ['0 DELETE 0 00', '0 0 0 00'],
    ],
    refused: [
      ...DIGESTS.refused,
      ['1 0 0 00', 'key tag'],
      ['0 0 1 00', 'digest type'],
      ['0 0 0 01', 'RFC 8078'],
      [`0 0 0 ${HEX40}`, 'RFC 8078'],
      ['0 0 0', 'has no digest'],
      ['0 0 0 00 00', 'more than 4 fields'],
    ],
  },
  DLV: {
    ...DIGESTS,
    refused: DIGESTS.refused,
  },
  DS: {
    ...DELEGATIONS,
    refused: [...DELEGATIONS.refused],
  },
  SMIMEA: ASSOCIATIONS,
  SSHFP: {
    canonical: [
      `1 1 ${HEX40}`,
      `1 2 ${HEX64}`,
      `2 1 ${HEX40}`,
      `2 2 ${HEX64}`,
      `3 1 ${HEX40}`,
      `3 2 ${HEX64}`,
      `4 1 ${HEX40}`,
      `4 2 ${HEX64}`,
      `6 1 ${'0'.repeat(40)}`,
      `6 2 ${'f'.repeat(64)}`,
    ],
    accepted: [
      [`1 1 ${upper(HEX40)}`, `1 1 ${HEX40}`],
      [`4 2 ${upper(HEX64)}`, `4 2 ${HEX64}`],
      [`4 2 ${halves(HEX64)}`, `4 2 ${HEX64}`],
      [`1 1 ${halves(HEX40)}`, `1 1 ${HEX40}`],
      [`01 1 ${HEX40}`, `1 1 ${HEX40}`],
      [`4 02 ${HEX64}`, `4 2 ${HEX64}`],
      [`4\t2\t${HEX64}`, `4 2 ${HEX64}`],
      [`  4   2 ${HEX64}`, `4 2 ${HEX64}`],
      [`4 2 ${HEX64}  `, `4 2 ${HEX64}`],
      [`006 001 ${HEX40}`, `6 1 ${HEX40}`],
    ],
    refused: [
      [`RSA 1 ${HEX40}`, 'algorithm'],
      [`-1 1 ${HEX40}`, 'algorithm'],
      [`1 SHA-1 ${HEX40}`, 'fingerprint type'],
      [`1 1 ${HEX64}`, '40 hexadecimal digits for fingerprint type 1, not 64'],
      [`1 2 ${HEX40}`, '64 hexadecimal digits for fingerprint type 2, not 40'],
      [`4 2 ${hex(62)}`, '64 hexadecimal digits'],
      [`1 1 ${hex(39)}`, 'even number'],
      [`1 1 ${hex(39)}g`, 'even number'],
      ['4 2 SHA256:nThbg6kXUpJWGl7E1IGOCspRomTxdCARLviKw6E5SY8', 'hexadecimal data'],
      ['1 1 12:34:56', 'hexadecimal data'],
      [`1 1 "${HEX40}"`, 'without quotes'],
      ['1 1', 'has no fingerprint'],
      [`1 ${HEX40}`, 'fingerprint type'],
      [HEX40, 'algorithm'],
    ],
  },
  TLSA: { ...ASSOCIATIONS, name: '_443._tcp.example.org' },
  ZONEMD: {
    name: 'example.org',
    canonical: [
      `2026010100 1 1 ${HEX96}`,
      `2026010100 1 2 ${HEX128}`,
      `0 1 1 ${'0'.repeat(96)}`,
      `4294967295 1 2 ${'f'.repeat(128)}`,
      `1 1 1 ${'ab'.repeat(48)}`,
      // RFC 8976, sections 5.2, 5.3 and A.3
      `2018031900 1 240 ${hex(24)}`,
      `2018031900 254 1 ${HEX96}`,
    ],
    accepted: [
      [`2026010100 1 1 ${upper(HEX96)}`, `2026010100 1 1 ${HEX96}`],
      [`2026010100 1 1 ${halves(HEX96)}`, `2026010100 1 1 ${HEX96}`],
      [`2026010100 SIMPLE SHA384 ${HEX96}`, `2026010100 1 1 ${HEX96}`],
      [`2026010100 simple sha512 ${HEX128}`, `2026010100 1 2 ${HEX128}`],
      [` 7\t01  01 ${HEX96} `, `7 1 1 ${HEX96}`],
    ],
    refused: [
      [`4294967296 1 1 ${HEX96}`, 'serial'],
      [`-1 1 1 ${HEX96}`, 'serial'],
      [`1 1 1 ${HEX128}`, '96 hexadecimal digits for hash algorithm 1, not 128'],
      [`1 1 2 ${HEX96}`, '128 hexadecimal digits for hash algorithm 2, not 96'],
      [`1 1 1 ${hex(95)}`, 'even number'],
      [`1 1 1 "${HEX96}"`, 'without quotes'],
      ['1 1 1', 'has no digest'],
      [`1 1 240 ${hex(22)}`, '12 to'],
      [`1 1 256 ${HEX96}`, 'hash algorithm'],
    ],
  },
}
