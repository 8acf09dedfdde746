/** Hexadecimal data that are invalid for the type, and a part of the error. */
export const WRONG_WIRE_ROWS: Readonly<Record<string, [data: string, reason: string][]>> = {
  RP: [
    // hostmaster, then a label with "@": the stored text would be read as user@domain.
    [
      '0a686f73746d6173746572072a40616d706c65036f72670006' +
        '70656f706c65076578616d706c65036f726700',
      'is not a mailbox',
    ],
  ],
  A: [
    ['c00002', 'ends within the address'],
    ['c000020100', 'has 1 byte too many after the address'],
  ],
  AAAA: [['20010db8', 'ends within the address']],
  ALIAS: [
    ['', 'ends within the target'],
    ['00', 'empty label'],
  ],
  APL: [
    ['', 'ends within the prefixes'],
    ['0001', 'ends within'],
    ['00031503c0a820', 'of family 3 with 3 bytes'],
    ['00011505c0a8200000', 'with 5 bytes'],
    ['00011503c0a800', 'with 3 bytes'],
    ['00012103c0a820', 'prefix'],
  ],
  CAA: [
    ['', 'ends within the flags'],
    ['00066973', 'ends within the tag'],
    ['0000', 'CAA content'],
  ],
  CERT: [
    ['0001000000', 'ends within the certificate'],
    ['00000000000102', 'not reserved'],
  ],
  CSYNC: [['000000000004000140', 'flags from 0 to 3']],
  DS: [
    ['ec450502', 'ends within the digest'],
    ['ec45050201', '64 hexadecimal digits'],
  ],
  EUI48: [['00005e0053', 'ends within the address']],
  HINFO: [
    ['0161', 'ends within the os'],
    ['01610261', 'ends within the os'],
    ['0161016100', 'too many after the os'],
  ],
  IPSECKEY: [
    ['0a040201010101', 'gateway type 4'],
    ['0a0102c00002', 'ends within the gateway'],
    ['0a0002', 'public key'],
    ['0a000001', 'has more than 3 fields'],
  ],
  LOC: [
    ['000000000000000000000000000000', 'ends within the location'],
    ['0000000000000000000000000000000000', 'too many'],
    ['01000000000000000000000000000000', 'version 0'],
  ],
  LUA: [
    ['0001', 'ends within the code'],
    ['00ff026631', 'has the record type'],
    ['0001056f732e', 'ends within'],
  ],
  MX: [
    ['00', 'ends within the priority'],
    ['000a', 'ends within the exchange'],
    ['000ac00c', 'compressed'],
    ['000a0161', 'ends within the exchange'],
    ['000a016100ff', 'too many after the exchange'],
    [
      '000a3f6161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161613f6161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161613f6161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161613f61616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616161616100',
      'more than 255 bytes',
    ],
    ['000502c3a400', 'character'],
  ],
  NAPTR: [['0064000a0155', 'ends within the services']],
  NSEC: [
    ['0161000000', 'wrong length'],
    [
      '0161000021010101010101010101010101010101010101010101010101010101010101010101',
      'wrong length',
    ],
    ['016100010140000140', 'blocks that are out of order'],
  ],
  NSEC3: [['010000000214', 'ends within']],
  RRSIG: [['0001', 'ends within the algorithm']],
  SOA: [['0161000162000000000100000002000000030000000400', 'ends within the minimum']],
  SRV: [['000a00050000', 'ends within the target']],
  SVCB: [
    ['0001', 'ends within the target'],
    ['0001000001', 'ends within the params'],
    ['000100000100030268', 'ends within the params'],
    ['00010000030002000100010003026832', 'keys that are out of order'],
    ['000100000300020001000300020001', 'keys that are out of order'],
    ['0001000003000101', 'a number of 1 to 65535'],
    ['000100ffff0000', 'has the key'],
  ],
  TSIG: [['0161000000000000000000000401', 'ends within the MAC']],
  TXT: [
    ['', 'ends within the strings'],
    ['0561', 'ends within the strings'],
  ],
  URI: [
    ['00010001', 'ends within the target'],
    ['000100016162', 'URI with its scheme'],
  ],
}
