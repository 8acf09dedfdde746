import type { RecordTables } from '#tests/unit/dns/tables/record_tables_type'
import { halves } from '#tests/unit/dns/tables/security_texts'

const ED25519 = 'l02Woi0iS8Aa25FQkUd9RMzZHJpBoRQwAQEX1SxZJA4='
const P256 =
  'mdsswUyr3DPW132mOi8V9xESWE8jTo0dxCjjnopKl+GqJxpVXckHAeF+KkxLbxILfDLUT0rAK9iUzy1L53eKGQ=='
const RSA = 'AQNRU3mG7TVTO2BkR47usntb102uFJtugbo6BSGvgqt4AQ=='
const DHCP_DUID = 'AAABxLmlskllE0MVjd57zHcWmEH3pCQ6VytcKD//7es/deY='
const DHCP_UUID = 'AAIBY2/AuCccgoJbsaxcQc9TUapptP69lOjxfNuVAA2kjEA='
const DHCP_MAC = 'AAEBOSD+XR3Os/0LozeXVqcNc7FwCfQdWL3b/NaiUDlW2No='

const DNSKEYS: RecordTables = {
  canonical: [
    `257 3 13 ${P256}`,
    `256 3 15 ${ED25519}`,
    `0 3 8 ${RSA}`,
    `385 3 13 ${P256}`,
    `384 3 5 ${RSA}`,
    '257 3 16 AQID',
    '256 3 1 AQID',
  ],
  accepted: [
    [`257 3 ECDSAP256SHA256 ${P256}`, `257 3 13 ${P256}`],
    [`256 3 ed25519 ${ED25519}`, `256 3 15 ${ED25519}`],
    [`0257 03 013 ${P256}`, `257 3 13 ${P256}`],
    [`257 3 13 ${halves(P256)}`, `257 3 13 ${P256}`],
    [`  257\t3  8 ${RSA} `, `257 3 8 ${RSA}`],
    [`257 3 8 ${RSA.replaceAll('=', '')}`, `257 3 8 ${RSA}`],
    [`257 3 NSEC3RSASHA1 ${RSA}`, `257 3 7 ${RSA}`],
  ],
  refused: [
    [`1 3 13 ${P256}`, 'flags'],
    [`512 3 13 ${P256}`, 'flags'],
    [`65536 3 13 ${P256}`, 'flags'],
    [`ksk 3 13 ${P256}`, 'flags'],
    [`257 2 13 ${P256}`, 'protocol'],
    [`257 3 RSA ${P256}`, 'algorithm'],
    ['257 3 13', 'has no public key'],
    ['257 3', 'has no algorithm'],
    ['257 3 13 AQI!', 'base64'],
    ['257 3 13 AQIDB', 'base64'],
    ['257 3 13 "AQID"', 'without quotes'],
    ['"257" 3 13 AQID', 'without quotes'],
    ['257 3 13 AQID\u0000', 'control character'],
  ],
}

const KEYS: RecordTables = {
  canonical: [
    `512 3 15 ${ED25519}`,
    `0 3 8 ${RSA}`,
    `256 3 5 ${RSA}`,
    `513 255 10 ${RSA}`,
    `0 0 252 ${RSA}`,
    `0 4 1 ${RSA}`,
  ],
  accepted: [
    [`512 3 ED25519 ${ED25519}`, `512 3 15 ${ED25519}`],
    [`512 DNSSEC 15 ${ED25519}`, `512 3 15 ${ED25519}`],
    [`0 all INDIRECT ${RSA}`, `0 255 252 ${RSA}`],
    [`0512 03 015 ${ED25519}`, `512 3 15 ${ED25519}`],
    [`512 3 15 ${halves(ED25519)}`, `512 3 15 ${ED25519}`],
    [` 512\t3 15  ${ED25519} `, `512 3 15 ${ED25519}`],
  ],
  refused: [
    [`65536 3 15 ${ED25519}`, 'flags'],
    [`-1 3 15 ${ED25519}`, 'flags'],
    [`0 256 15 ${ED25519}`, 'protocol'],
    [`0 DNS 15 ${ED25519}`, 'protocol'],
    [`0 3 256 ${ED25519}`, 'algorithm'],
    [`0 3 RSA ${ED25519}`, 'algorithm'],
    ['0 3 15', 'has no public key'],
    ['0 3 15 -', 'base64'],
    ['0 3 15 A', 'base64'],
    ['0 "3" 15 AQID', 'without quotes'],
  ],
}

const BLOBS: RecordTables = {
  canonical: ['gxJpM2ZmOCAwMDBhWQEY', 'AQID', 'AA==', '/+8=', `${'A'.repeat(5460)}`],
  accepted: [
    ['gxJp M2Zm OCAw MDBh WQEY', 'gxJpM2ZmOCAwMDBhWQEY'],
    ['  AQID  ', 'AQID'],
    ['AA', 'AA=='],
    ['AQI', 'AQI='],
    ['AQ\tID', 'AQID'],
    ['A\\081ID', 'AQID'],
  ],
  refused: [
    ['A', 'base64'],
    ['AQIDA', 'base64'],
    ['AQ-_', 'base64'],
    ['AB==', 'base64'],
    ['-----BEGIN PGP PUBLIC KEY BLOCK-----', 'base64'],
    ['"AQID"', 'without quotes'],
    ['AQID "AQID"', 'without quotes'],
    ['\\# 2 010203', 'has the length 2'],
    ['AQID\n', 'control character'],
    ['', 'empty'],
  ],
}

/** Tables of types with keys. */
export const KEY_TABLES: Record<string, RecordTables> = {
  BRID: BLOBS,
  CDNSKEY: {
    canonical: [...DNSKEYS.canonical, '0 3 0 AA=='],
    accepted: [
      ...DNSKEYS.accepted,
      ['0 3 0 0', '0 3 0 AA=='],
      ['00 03 00 AA==', '0 3 0 AA=='],
      ['0 3 DELETE AA==', '0 3 0 AA=='],
    ],
    refused: [
      ...DNSKEYS.refused,
      ['257 3 0 AA==', 'flags'],
      ['0 0 0 AA==', 'protocol'],
      ['0 3 0 AQID', 'RFC 8078'],
      ['0 3 0', 'has no public key'],
      ['0 3 0 AA== AA==', 'more than 4 fields'],
    ],
  },
  CERT: {
    canonical: [
      '1 0 0 MIICXgIBAAKBgQDJMxHOAq5j',
      '3 65535 0 AQID',
      '7 12345 8 AQID',
      '4 0 0 aHR0cHM6Ly9leGFtcGxlLm9yZy9j',
      '6 0 0 AGh0dHBzOi8vZXhhbXBsZS5vcmcvaw==',
      '253 0 254 AQID',
      '254 0 255 AQID',
      '65280 1 13 AQID',
    ],
    accepted: [
      ['PKIX 0 0 AQID', '1 0 0 AQID'],
      ['pgp 0 0 AQ ID', '3 0 0 AQID'],
      ['01 00 000 AQID', '1 0 0 AQID'],
      ['PKIX 12345 RSASHA256 AQID', '1 12345 8 AQID'],
      ['OID 0 PRIVATEOID AQID', '254 0 254 AQID'],
      ['IPKIX 0 0 https://example.org/c', '4 0 0 aHR0cHM6Ly9leGFtcGxlLm9yZy9j'],
      ['8 0 0 ldap://example.org/c', '8 0 0 bGRhcDovL2V4YW1wbGUub3JnL2M='],
      ['IPGP 0 0 https://example.org/k', '6 0 0 AGh0dHBzOi8vZXhhbXBsZS5vcmcvaw=='],
      ['1\t0 0  AQI', '1 0 0 AQI='],
    ],
    refused: [
      ['0 0 0 AQID', 'reserved'],
      ['255 0 0 AQID', 'reserved'],
      ['65535 0 0 AQID', 'reserved'],
      ['65536 0 0 AQID', 'type'],
      ['X509 0 0 AQID', 'type'],
      ['1 65536 0 AQID', 'key tag'],
      ['1 0 256 AQID', 'algorithm'],
      ['1 0 MD5 AQID', 'algorithm'],
      ['1 0 0', 'has no certificate'],
      ['1 0 0 AQI?', 'base64'],
      ['1 0 0 https://example.org/c', 'base64'],
      ['4 0 0 gopher://example.org/c', 'URL'],
      ['4 0 0 https://', 'URL'],
      ['4 0 0 https://example.org/ c', 'more than 4 fields'],
      ['1 0 0 "AQID"', 'without quotes'],
    ],
  },
  DHCID: {
    canonical: [DHCP_UUID, DHCP_MAC, DHCP_DUID, 'AAAA', 'AAACAQID'],
    accepted: [
      [halves(DHCP_UUID), DHCP_UUID],
      [`  ${DHCP_MAC} `, DHCP_MAC],
      [DHCP_UUID.replace('=', ''), DHCP_UUID],
      ['AA AC AQ ID', 'AAACAQID'],
      ['AAACAQI', 'AAACAQI='],
    ],
    refused: [
      ['AA==', '3 to 65535 bytes'],
      ['AAE=', '3 to 65535 bytes'],
      ['AAAB', '35 bytes'],
      ['AAABAQID', '35 bytes'],
      [`${DHCP_UUID.replace('=', 'A')}AQID`, '35 bytes'],
      ['A', 'base64'],
      ['00:11:22:33:44:55', 'base64'],
      [`"${DHCP_UUID}"`, 'without quotes'],
      ['', 'empty'],
    ],
  },
  DNSKEY: {
    ...DNSKEYS,
    refused: DNSKEYS.refused,
  },
  HHIT: BLOBS,
  IPSECKEY: {
    canonical: [
      `10 1 2 192.0.2.38 ${RSA}`,
      `10 0 2 ${RSA}`,
      `10 3 2 mygateway.example.org ${RSA}`,
      `255 2 1 2001:db8:0:8002::2000:1 AQID`,
      '10 2 2 ::ffff:192.0.2.1 AQID',
      '10 2 2 ::192.0.2.1 AQID',
      // Without a key: valid on the wire, but dig 9.18 does not read these.
      '0 1 0 192.0.2.38',
      '10 0 0',
      '10 3 0 gateway',
    ],
    accepted: [
      [`10 0 2 . ${RSA}`, `10 0 2 ${RSA}`],
      ['10 0 0 .', '10 0 0'],
      [`010 01 02 192.0.2.38 ${RSA}`, `10 1 2 192.0.2.38 ${RSA}`],
      [`10 3 RSA MyGateway.Example.ORG. ${RSA}`, `10 3 2 mygateway.example.org ${RSA}`],
      ['10 2 2 ::ffff:c000:201 AQID', '10 2 2 ::ffff:192.0.2.1 AQID'],
      ['10 2 2 ::1:2 AQID', '10 2 2 ::0.1.0.2 AQID'],
      ['10 2 2 ::0.0.0.2 AQID', '10 2 2 ::2 AQID'],
      ['10 2 dsa 2001:DB8:0:0:0:0:0:1 AQ ID', '10 2 1 2001:db8::1 AQID'],
      [`\t10 00  2 . ${halves(RSA)} `, `10 0 2 ${RSA}`],
    ],
    refused: [
      [`256 1 2 192.0.2.38 ${RSA}`, 'precedence'],
      [`10 4 2 192.0.2.38 ${RSA}`, 'gateway type'],
      [`10 1 3 192.0.2.38 ${RSA}`, 'algorithm'],
      [`10 1 4 192.0.2.38 ${RSA}`, 'PowerDNS serves no other algorithms'],
      [`10 1 ECDSA 192.0.2.38 ${RSA}`, 'algorithm'],
      [`10 1 2 2001:db8::1 ${RSA}`, 'not an IPv4 address'],
      [`10 2 2 192.0.2.38 ${RSA}`, 'not an IPv6 address'],
      [`10 3 2 192.0.2.38 ${RSA}`, 'ends in a number'],
      [`10 3 2 . ${RSA}`, 'empty label'],
      [`10 1 2 . ${RSA}`, 'not an IPv4 address'],
      ['10 1 2 192.0.2.38', 'has no public key'],
      ['10 0 2', 'has no public key'],
      ['10 0 2 .', 'has no public key'],
      ['10 1 0 192.0.2.38 AQID', 'more than 4 fields'],
      ['10 0 0 AQID', 'more than 3 fields'],
      ['10 1', 'has no algorithm'],
      ['10 1 2 192.0.2.38 ?', 'base64'],
      ['10 __proto__ 2 . AQID', 'gateway type'],
    ],
  },
  KEY: {
    ...KEYS,
    refused: [
      ...KEYS.refused,
      [`49152 3 15 ${ED25519}`, 'no key'],
      [`65535 3 15 ${ED25519}`, 'no key'],
    ],
  },
  OPENPGPKEY: BLOBS,
  RKEY: {
    // Readers of the wire format (BIND) refuse the whole answer for other flags.
    canonical: [
      `0 3 15 ${ED25519}`,
      `0 0 8 ${RSA}`,
      `0 255 5 ${RSA}`,
      '0 3 252 AQID',
      '0 3 255 AA==',
    ],
    accepted: [
      [`0 3 ED25519 ${ED25519}`, `0 3 15 ${ED25519}`],
      [`0 DNSSEC 15 ${ED25519}`, `0 3 15 ${ED25519}`],
      [`000 03 015 ${ED25519}`, `0 3 15 ${ED25519}`],
      [`0 3 15 ${halves(ED25519)}`, `0 3 15 ${ED25519}`],
      [` 0\t3 15  ${ED25519} `, `0 3 15 ${ED25519}`],
    ],
    refused: KEYS.refused,
  },
}
