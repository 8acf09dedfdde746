import { HOST_TEXT_TABLES } from '#tests/unit/dns/tables/host_text_tables'
import type { RecordTables } from '#tests/unit/dns/tables/record_tables_type'

const LONG_LABEL = 'a'.repeat(64)

const TARGETS: RecordTables = {
  canonical: [
    'host1.example.org',
    'host.example.net',
    'xn--bcher-kva.example',
    '_under.example.org',
    'a.b.c.d.e.f.example.org',
    '1.0/25.2.0.192.in-addr.arpa',
    '*._tcp.example.org',
    'sub.*.example.org',
    '-host-.example.org',
    'my\\032printer._ipp._tcp.example.org',
    'a\\.b\\\\c.example.org',
  ],
  accepted: [
    ['host1.example.org.', 'host1.example.org'],
    ['My\\032P\\-x.example.org', 'my\\032p-x.example.org'],
    ['HOST1.Example.ORG', 'host1.example.org'],
    ['bücher.example', 'xn--bcher-kva.example'],
    [' host1.example.org\t', 'host1.example.org'],
    ['host1。example。org', 'host1.example.org'],
  ],
  refused: [
    ['192.0.2.1', 'ends in a number'],
    ['2001:db8::1', 'is an IPv6 address'],
    ['@', 'write the name of the zone'],
    ['a;b.example.org', 'has the character ";"'],
    ['a\\255.example.org', 'has the character "\\\\255"'],
    ['a\\999.example.org', 'invalid escape'],
    ['host1..example.org', 'empty label'],
    ['"host1.example.org"', 'without quotes'],
    [`${LONG_LABEL}.example.org`, 'longer than 63'],
  ],
}

const QUALIFIED: RecordTables = {
  ...TARGETS,
  refused: [...TARGETS.refused, ['host1.example.org host2.example.org', 'more than 1 field']],
}

const REDIRECTED: RecordTables = {
  ...QUALIFIED,
  name: 'www.example.org',
  refused: [
    ...QUALIFIED.refused,
    ['www.example.org', 'its own name'],
    ['WWW.example.org.', 'its own name'],
  ],
}

const MAILBOXES: [given: string, reason: string][] = [
  ['@example.org', 'not a mailbox'],
  ['a..b@example.org', 'not a mailbox'],
  ['a\\.b', 'not a mailbox'],
  ['a\\032b.example.org', 'not a mailbox'],
  ['hostmaster.192.0.2.1', 'ends in a number'],
  ['hostmaster@', 'empty label'],
  ['"hostmaster.example.org"', 'without quotes'],
  [`${LONG_LABEL}@example.org`, 'not a mailbox'],
]

const GROUPS: RecordTables = {
  canonical: [
    '0014:4fff:ff20:ee64',
    '2001:0db8:1140:1000',
    '0000:0000:0000:0000',
    'ffff:ffff:ffff:ffff',
    '0000:0000:0000:0001',
  ],
  accepted: [
    ['14:4fff:ff20:ee64', '0014:4fff:ff20:ee64'],
    ['2001:DB8:1140:1000', '2001:0db8:1140:1000'],
    ['0:0:0:0', '0000:0000:0000:0000'],
    ['FFFF:ffff:FFFF:ffff', 'ffff:ffff:ffff:ffff'],
    [' 0:0:0:1 ', '0000:0000:0000:0001'],
  ],
  refused: [
    ['10 0014:4fff:ff20:ee64', 'priority'],
    ['::1', 'four groups'],
    ['14::ee64', 'four groups'],
    ['2001:db8:1140', 'four groups'],
    ['1:2:3:4:5', 'four groups'],
    ['1:2:3:4:5:6:7:8', 'four groups'],
    ['0014-4fff-ff20-ee64', 'four groups'],
    ['00014:4fff:ff20:ee64', 'four groups'],
    ['0014:4fff:ff20:ee6g', 'four groups'],
    ['0014:4fff:ff20:ee64/64', 'four groups'],
    ['"0014:4fff:ff20:ee64"', 'without quotes'],
    ['0014:4fff:ff20:ee64 x', 'more than 1 field'],
  ],
}

const QUERIES: RecordTables = {
  // A query type without records. No content is accepted.
  canonical: [],
  accepted: [],
  refused: [
    ['mail.example.org', 'query type'],
    ['mail.example.org.', 'query type'],
    ['10 mail.example.org', 'query type'],
    ['hostmaster@example.org', 'query type'],
    ['.', 'query type'],
    ['""', 'query type'],
    ['\\# 1 00', 'query type'],
    ['192.0.2.1', 'query type'],
  ],
}

/** Host names after a rank or kind, with a name of one label and the root among them. */
const RANKED = { ...QUALIFIED, canonical: [...TARGETS.canonical, 'single', '.'] }
const AFSDB = { ...RANKED, priority: 1 }
AFSDB.refused = [['1 host1.example.org', 'priority'], ...QUALIFIED.refused.slice(0, -1)]

export const HOST_TABLES: Record<string, RecordTables> = {
  ...HOST_TEXT_TABLES,
  AFSDB,
  ALIAS: REDIRECTED,
  APL: {
    canonical: [
      '1:192.168.32.0/21 !1:192.168.38.0/28',
      '1:224.0.0.0/4 2:ff00::/8',
      '1:0.0.0.0/0',
      '2:::/0',
      '!1:0.0.0.0/0 !2:::/0',
      '1:255.255.255.255/32',
      '1:0.0.0.1/32',
      '1:10.248.0.0/13',
      '2:2001:db8::/32 1:192.0.2.0/24',
      '!2:2001:db8::1/128',
      '2:2001:db8:8000::/33',
      '2:::ffff:192.0.2.1/128',
      '2:::192.0.2.0/120 2:::1/128',
      '1:192.0.2.0/24 1:192.0.2.0/24',
    ],
    accepted: [
      ['1:192.168.38.77/28', '1:192.168.38.64/28'],
      ['1:10.255.255.255/13', '1:10.248.0.0/13'],
      ['1:192.0.2.1/0', '1:0.0.0.0/0'],
      ['1:192.0.2.0/024', '1:192.0.2.0/24'],
      ['2:2001:DB8::/32', '2:2001:db8::/32'],
      ['2:FF00:0:0:0:0:0:0:0/8', '2:ff00::/8'],
      ['2:2001:db8:ffff::ffff/33', '2:2001:db8:8000::/33'],
      ['2:2001:db8::1/127', '2:2001:db8::/127'],
      ['2:::ffff:c000:201/128', '2:::ffff:192.0.2.1/128'],
      ['2:::c000:201/128', '2:::192.0.2.1/128'],
      [' 1:192.0.2.0/24\t!2:::/0 ', '1:192.0.2.0/24 !2:::/0'],
      ['\\049:192.0.2.0/24', '1:192.0.2.0/24'],
    ],
    refused: [
      ['192.0.2.0/24', 'prefix "192.0.2.0/24"'],
      ['1:192.0.2.0', 'prefix'],
      ['1:192.0.2.0/', 'prefix'],
      ['1:192.0.2.0/33', 'prefix 0-32'],
      ['2:2001:db8::/129', 'prefix 0-128'],
      ['1:2001:db8::/32', 'prefix'],
      ['2:192.0.2.0/24', 'prefix'],
      ['3:192.0.2.0/24', 'afi 1 (IPv4'],
      ['01:192.0.2.0/24', 'prefix'],
      ['1:192.0.2/24', 'prefix'],
      ['1:192.0.2.0/-1', 'prefix'],
      ['1:192.0.2.0/24/8', 'prefix'],
      ['!!1:192.0.2.0/24', 'prefix'],
      ['! 1:192.0.2.0/24', 'prefix "!"'],
      ['constructor:192.0.2.0/24', 'prefix'],
      ['"1:192.0.2.0/24"', 'without quotes'],
      ['1:192.0.2.0/24, 2:::/0', 'prefix "1:192.0.2.0/24,"'],
      ['2:::/0 '.repeat(16384), '65535 bytes'],
    ],
  },
  DNAME: REDIRECTED,
  EUI48: {
    canonical: [
      '00-00-5e-00-53-2a',
      '00-00-00-00-00-00',
      'ff-ff-ff-ff-ff-ff',
      '01-23-45-67-89-ab',
      'cd-ef-00-10-20-30',
    ],
    accepted: [
      ['00-00-5E-00-53-2A', '00-00-5e-00-53-2a'],
      ['FF-FF-FF-FF-FF-FF', 'ff-ff-ff-ff-ff-ff'],
      ['01-23-45-67-89-aB', '01-23-45-67-89-ab'],
      [' 00-00-5e-00-53-2a', '00-00-5e-00-53-2a'],
      ['00-00-5e-00-53-2a\t', '00-00-5e-00-53-2a'],
    ],
    refused: [
      ['00:00:5e:00:53:2a', 'hyphens'],
      ['00005e00532a', 'hyphens'],
      ['0000.5e00.532a', 'hyphens'],
      ['00-00-5e-00-53', '6 octets'],
      ['00-00-5e-00-53-2a-2b', '6 octets'],
      ['00-00-5e-ef-10-00-00-2a', '6 octets'],
      ['0-0-5e-0-53-2a', '6 octets'],
      ['00-00-5e-00-53-2g', '6 octets'],
      ['00-00-5e-00-53-', '6 octets'],
      ['"00-00-5e-00-53-2a"', 'without quotes'],
      ['00-00-5e 00-53-2a', '6 octets'],
      ['00-00-5e-00-53-2a 00-00-5e-00-53-2b', 'more than 1 field'],
    ],
  },
  EUI64: {
    canonical: [
      '00-00-5e-ef-10-00-00-2a',
      '00-00-00-00-00-00-00-00',
      'ff-ff-ff-ff-ff-ff-ff-ff',
      '01-23-45-67-89-ab-cd-ef',
      '02-00-5e-ff-fe-00-53-2a',
    ],
    accepted: [
      ['00-00-5E-EF-10-00-00-2A', '00-00-5e-ef-10-00-00-2a'],
      ['FF-FF-FF-FF-FF-FF-FF-FF', 'ff-ff-ff-ff-ff-ff-ff-ff'],
      ['01-23-45-67-89-AB-CD-EF', '01-23-45-67-89-ab-cd-ef'],
      [' 00-00-5e-ef-10-00-00-2a', '00-00-5e-ef-10-00-00-2a'],
      ['00-00-5e-ef-10-00-00-2a\t', '00-00-5e-ef-10-00-00-2a'],
    ],
    refused: [
      ['00:00:5e:ef:10:00:00:2a', 'hyphens'],
      ['00005eef1000002a', 'hyphens'],
      ['0000:5eef:1000:002a', 'hyphens'],
      ['00-00-5e-00-53-2a', '8 octets'],
      ['00-00-5e-ef-10-00-00-2a-2b', '8 octets'],
      ['0-0-5e-ef-10-0-0-2a', '8 octets'],
      ['00-00-5e-ef-10-00-00-2g', '8 octets'],
      ['"00-00-5e-ef-10-00-00-2a"', 'without quotes'],
      ['00-00-5e-ef-10-00-00-2a x', 'more than 1 field'],
    ],
  },
  KX: {
    ...TARGETS,
    canonical: RANKED.canonical,
    refused: [
      ...TARGETS.refused,
      ['10 kx.example.org', 'priority'],
      ['10', 'ends in a number'],
      ['kx.example.org 10', 'more than 1 field'],
    ],
  },
  L32: {
    canonical: ['10.1.2.0', '0.0.0.0', '255.255.255.255', '192.0.2.0', '10.1.4.255'],
    accepted: [
      [' 10.1.2.0', '10.1.2.0'],
      ['10.1.2.0 ', '10.1.2.0'],
      ['\t10.1.2.0', '10.1.2.0'],
      ['\\049\\048.1.2.0', '10.1.2.0'],
      ['10\\.1.2.0', '10.1.2.0'],
    ],
    refused: [
      ['10 10.1.2.0', 'priority'],
      ['10.1.2', 'not an IPv4 address'],
      ['10.1.2.256', 'not an IPv4 address'],
      ['10.1.2.00', 'not an IPv4 address'],
      ['10.1.2.0/24', 'not an IPv4 address'],
      ['2001:db8:1140:1000', 'not an IPv4 address'],
      ['l32.example.org', 'not an IPv4 address'],
      ['"10.1.2.0"', 'without quotes'],
      ['10.1.2.0 x', 'more than 1 field'],
    ],
  },
  L64: GROUPS,
  LP: {
    ...RANKED,
    refused: [...QUALIFIED.refused.slice(0, -1), ['10 l64.example.org', 'priority']],
  },
  MAILA: QUERIES,
  MAILB: QUERIES,
  MINFO: {
    canonical: [
      'owner.example.org errors.example.org',
      '. errors.example.org',
      'first\\.last.example.org .',
      '. .',
      "a+b.example.org a!#%&'*/=?^_{|}~-.xn--bcher-kva.example",
    ],
    accepted: [
      ['owner.example.org. errors.example.org.', 'owner.example.org errors.example.org'],
      ['owner@example.org errors@example.org', 'owner.example.org errors.example.org'],
      ['first.last@example.org .', 'first\\.last.example.org .'],
      ['First\\.Last.Example.org  .', 'first\\.last.example.org .'],
      ['owner@bücher.example\t.', 'owner.xn--bcher-kva.example .'],
    ],
    refused: [
      ...MAILBOXES.map(([given, reason]): [string, string] => [`. ${given}`, reason]),
      ['owner.example.org', 'no errors'],
      ['owner.example.org errors.example.org .', 'more than 2 fields'],
    ],
  },
  MR: {
    canonical: [
      'first\\.last.example.org',
      'hostmaster.example.org',
      'a+b.example.org',
      'a\\.b\\.c.xn--bcher-kva.example',
      "a!#%&'*/=?^_{|}~-.example.org",
    ],
    accepted: [
      ['first.last@example.org', 'first\\.last.example.org'],
      ['hostmaster.example.org.', 'hostmaster.example.org'],
      ['Hostmaster.Example.ORG', 'hostmaster.example.org'],
      ['first\\.last.example.org.', 'first\\.last.example.org'],
      ['user@bücher.example', 'user.xn--bcher-kva.example'],
      ['a\\+b\\046c.example.org', 'a+b\\.c.example.org'],
    ],
    refused: [
      ...MAILBOXES,
      ['a\\12.example.org', 'invalid escape'],
      ['a\\\\.b.example.org', 'not a mailbox'],
      ['.', 'not a mailbox'],
      ['hostmaster.example.org .', 'more than 1 field'],
    ],
  },
  NID: GROUPS,
  RP: {
    canonical: [
      'hostmaster.example.org people.example.org',
      'hostmaster.example.org .',
      '. people.example.org',
      '. .',
      'first\\.last.example.org first.people.xn--bcher-kva.example',
    ],
    accepted: [
      ['hostmaster.example.org. people.example.org.', 'hostmaster.example.org people.example.org'],
      ['hostmaster@example.org .', 'hostmaster.example.org .'],
      ['first.last@example.org people', 'first\\.last.example.org people'],
      [
        'First\\.Last.example.org\tPeople.Example.ORG',
        'first\\.last.example.org people.example.org',
      ],
      ['a@bücher.example bücher.example', 'a.xn--bcher-kva.example xn--bcher-kva.example'],
    ],
    refused: [
      ...MAILBOXES.map(([given, reason]): [string, string] => [`${given} .`, reason]),
      ['hostmaster.example.org', 'no text'],
      ['hostmaster.example.org 192.0.2.1', 'ends in a number'],
      ['hostmaster.example.org . .', 'more than 2 fields'],
    ],
  },
}
