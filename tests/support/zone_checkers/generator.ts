import { Random } from '#tests/support/random'
import { CONTENTS } from '#tests/support/zone_checkers/contents'

/** A generated zone file for a comparison of verdicts. */
export interface GeneratedFile {
  apex: string
  text: string
}

const APEXES = [
  'example.org',
  'a.very.deep.example.co.uk',
  '2.0.192.in-addr.arpa',
  '0/26.2.0.192.in-addr.arpa',
  '8.b.d.0.1.0.0.2.ip6.arpa',
  'xn--bcher-kva.example',
  '_tcp.example.org',
  'org',
]

const TIMES = ['0', '60', '3600', '1h', '1H30M', '2w', '1d12h', '2147483647']
const WRONG_TIMES = ['1x', '-1', 'h', '1.5', '2147483648', '4294967296', '""']

const OWNERS = [
  'www',
  'WWW',
  'a.b.c.d',
  '@',
  '*',
  '*.sub',
  '_dmarc',
  '_sip._tcp',
  '_443._tcp.www',
  'under_score',
  '-dash',
  'dash-',
  '1',
  '0-63',
  '64/26',
  'xn--bcher-kva',
  `${'x'.repeat(63)}`,
  'ns',
  'sub',
  'host.sub',
]
const ODD_OWNERS = [
  'a.*',
  'a.*.b',
  '**',
  '*a',
  'a\\.b',
  'a\\032b',
  '\\100ot',
  '\\@',
  'a\\;b',
  'b\u00fccher',
  'a"b',
  '"quoted"',
  'a$b',
  'a+b',
  'a:b',
  "o'neil",
  'a(b',
  'a..b',
  '.a',
  '..',
  '.',
  'x'.repeat(64),
  `${'abcdefghi.'.repeat(25)}x`,
  'elsewhere.test.',
  'example.org.example.org',
  '\\256',
  'a\\',
  '\\000x',
  '\\255',
]

const DIGEST = '0123456789abcdef'.repeat(4)

const TYPES = Object.keys(CONTENTS)

/** Snippets with more than one record. */
const PIECES: readonly (readonly string[])[] = [
  ['alias CNAME www', 'alias A 192.0.2.1'],
  ['alias A 192.0.2.1', 'alias CNAME www'],
  ['alias CNAME www', 'alias CNAME ns'],
  ['alias CNAME www', 'alias CNAME www'],
  ['alias CNAME www', 'alias TXT "x"'],
  ['alias CNAME alias'],
  ['alias CNAME ns', '@ MX 10 alias'],
  ['alias CNAME ns', '@ NS alias'],
  ['tree DNAME other.example.net.', 'below.tree A 192.0.2.1'],
  ['tree DNAME other.example.net.', 'tree A 192.0.2.1'],
  ['tree DNAME other.example.net.', 'tree CNAME www'],
  ['tree DNAME a.example.net.', 'tree DNAME b.example.net.'],
  ['cut NS ns', 'cut A 192.0.2.1'],
  ['cut NS ns.cut', 'ns.cut A 192.0.2.1'],
  ['cut NS ns.cut'],
  ['cut NS ns', `cut DS 12345 13 2 ${DIGEST}`],
  ['cut NS ns', 'www.cut TXT "x"'],
  [`uncut DS 12345 13 2 ${DIGEST}`],
  ['multi 60 A 192.0.2.1', 'multi 120 A 192.0.2.2'],
  ['same A 192.0.2.1', 'same A 192.0.2.1'],
  ['same A 192.0.2.1', 'SAME A 192.0.2.1'],
  ['@ MX 0 .', '@ MX 10 mail'],
  ['@ CNAME www'],
  ['* CNAME www', '*.sub A 192.0.2.1'],
  ['* NS ns'],
  ['* DNAME other.example.net.'],
  ['@ SOA ns hostmaster 1 7200 3600 1209600 3600'],
  ['sub SOA ns hostmaster 1 7200 3600 1209600 3600'],
  ['$ORIGIN sub', 'www A 192.0.2.1', '@ TXT "x"'],
  ['$ORIGIN elsewhere.test.', 'www A 192.0.2.1'],
  ['$ORIGIN .', 'www A 192.0.2.1'],
  ['$ORIGIN'],
  ['$ORIGIN a..b'],
  ['$TTL 1h', 'www A 192.0.2.1'],
  ['$TTL', 'www A 192.0.2.1'],
  ['$TTL x'],
  ['$ttl 60'],
  ['$GENERATE 1-4 host$ A 192.0.2.$'],
  ['$GENERATE 1-9/3 host${10,3} A 192.0.2.$'],
  ['$GENERATE 1-4 $ CNAME $.0-63'],
  ['$GENERATE 4-1 host$ A 192.0.2.$'],
  ['$GENERATE 1-4 host$ MX "10 mail"'],
  ['$GENERATE 1-4 host${0,2,x} AAAA 2001:db8::${0,1,x}'],
  ['$GENERATE 250-260 host$ A 192.0.2.$'],
  ['$GENERATE 1-x host$ A 192.0.2.$'],
  ['$GENERATE 1-2 host$ NOPE x'],
  ['$INCLUDE other.db'],
  ['$UNKNOWN x'],
  ['$'],
  ['; only a comment'],
  ['www A 192.0.2.1 ; a comment ( with "signs'],
  ['www A ( 192.0.2.1', ')'],
  ['www ( A', '192.0.2.1 )'],
  ['www A ( 192.0.2.1'],
  ['www A 192.0.2.1 )'],
  ['www A ( ( 192.0.2.1 ) )'],
  ['www 60 IN A 192.0.2.1'],
  ['www IN 60 A 192.0.2.1'],
  ['www in a 192.0.2.1'],
  ['www CH A 192.0.2.1'],
  ['www HS TXT "x"'],
  ['www CLASS1 A 192.0.2.1'],
  ['www ANY A 192.0.2.1'],
  ['www A'],
  ['www'],
  ['www 60'],
  ['www IN IN A 192.0.2.1'],
  ['www 60 60 A 192.0.2.1'],
  ['www A 192.0.2.1', ' TXT "the same owner"'],
  ['www A 192.0.2.1', '\tAAAA 2001:db8::1', '', '  TXT x'],
  [' '],
  ['\u0000'],
  ['A A 192.0.2.1'],
  ['IN A 192.0.2.1'],
  ['IN IN A 192.0.2.1'],
  ['60 A 192.0.2.1'],
  ['60 60 A 192.0.2.1'],
  ['MX MX 10 mail'],
  ['_sip._tcp SRV 0 5 5060 sip', 'sip CNAME www'],
  ['nothing ANY x'],
  ['nothing AXFR x'],
  ['nothing OPT \\# 0'],
  ['nothing TSIG \\# 0'],
]

/** Generates a zone file of some records and directives, right and wrong ones. One seed gives one file. */
export function generatedFile(seed: number): GeneratedFile {
  const random = new Random(seed)
  const apex = random.chance(0.6) ? APEXES[0] : random.pick(APEXES)
  const pieces = Array.from({ length: 1 + random.below(3) }, () => piece(random))
  const lines = [...beginning(random, apex), ...pieces.flat()]
  const end = random.chance(0.05) ? '\r\n' : '\n'
  return { apex, text: lines.join(end) + (random.chance(0.05) ? '' : end) }
}

/** Generates a default TTL, the SOA and NS records and the addresses of the name servers, with occasional faults. */
function beginning(random: Random, apex: string): string[] {
  const owner = random.chance(0.02) ? apex : random.pick(['@', `${apex}.`])
  const lines = random.chance(0.9) ? [`$TTL ${time(random)}`] : []
  if (random.chance(0.1)) lines.push(`$ORIGIN ${apex}.`)
  const ttl = random.chance(0.2) ? ` ${time(random)}` : ''
  const times = `${1 + random.below(9)} ${time(random)} 3600 1209600 3600`
  const soa = random.chance(0.5)
    ? `${owner}${ttl} IN SOA ns hostmaster ${times}`
    : `${owner}${ttl} SOA ns.${apex}. hostmaster ( ${times.replaceAll(' ', ' ; a time\n  ')} )`
  if (!random.chance(0.02)) lines.push(soa)
  if (!random.chance(0.03)) lines.push(random.chance(0.5) ? '@ NS ns' : '  NS ns')
  lines.push('ns A 192.0.2.53', 'mail A 192.0.2.25')
  return lines
}

function piece(random: Random): readonly string[] {
  if (random.chance(0.25)) return random.pick(PIECES)
  const type = random.pick(TYPES)
  const owner = random.chance(0.15) ? random.pick(ODD_OWNERS) : random.pick(OWNERS)
  const ttl = random.chance(0.2) ? `${time(random)} ` : ''
  const word = random.chance(0.1) ? type.toLowerCase() : type
  // The first content of each type is right.
  const content = random.chance(0.5) ? CONTENTS[type][0] : random.pick(CONTENTS[type])
  return [`${owner} ${ttl}${random.chance(0.5) ? 'IN ' : ''}${word} ${content}`]
}

function time(random: Random): string {
  return random.pick(random.chance(0.04) ? WRONG_TIMES : TIMES)
}

const BEGINNING = ['$TTL 1h', '@ SOA ns hostmaster 1 2h 1h 2w 1h', '@ NS ns', 'ns A 192.0.2.53']

/** Generates one file for each content, owner name, time and snippet. The rest of each file is right. */
export function singleFiles(): GeneratedFile[] {
  const contents = Object.entries(CONTENTS).flatMap(([type, list]) =>
    list.map((content) => [`host ${type} ${content}`])
  )
  const owners = [...OWNERS, ...ODD_OWNERS].map((owner) => [`${owner} TXT "x"`])
  const times = [...TIMES, ...WRONG_TIMES].map((ttl) => [`host ${ttl} TXT "x"`])
  return [...contents, ...owners, ...times, ...PIECES].map((lines) => {
    return { apex: APEXES[0], text: [...BEGINNING, ...lines, ''].join('\n') }
  })
}
