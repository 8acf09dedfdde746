/* Generates a zone file of any length with all kinds of content while it is read, and the expected records for comparison. */

export const ORIGIN = 'bench.example'

const LINES_A_GROUP = 10
const RECORDS_A_GROUP = 8

const HEAD = [
  `$ORIGIN ${ORIGIN}.`,
  '$TTL 1h',
  '@ IN SOA ns1 hostmaster (',
  '  2026010100 ; serial',
  '  3h 1h 1w 1h )',
  '  IN NS ns1',
  '  IN NS ns2.provider.example.',
]
const HEAD_RECORDS = [
  `${ORIGIN} SOA 3600 0 ns1.${ORIGIN} hostmaster.${ORIGIN} 2026010100 10800 3600 604800 3600`,
  `${ORIGIN} NS 3600 0 ns1.${ORIGIN}`,
  `${ORIGIN} NS 3600 0 ns2.provider.example`,
]

/** Lines of one host. */
function linesOf(group: number): string[] {
  const number = group * LINES_A_GROUP
  const host = `host-${number}`
  return [
    `${host} 300 IN A 192.0.2.${number % 250}`,
    `\tIN AAAA 2001:db8::${hextet(number)}`,
    `\tTXT "v=spf1 ip4:192.0.2.${number % 250} -all; (note)" "second \\"string\\" ${number}"`,
    `\tMX 10 mail.${host}`,
    `; a line about ${host}`,
    `www.${host} 5m CNAME ${host} ; an alias`,
    `_sip._tcp.${host} IN SRV 10 5 5060 sip.provider.example.`,
    `mail.${host}.${ORIGIN}. 3600 IN A 198.51.100.${number % 250}`,
    `sec.${host} CAA 0 issue ( "ca.example.net"`,
    `  ) ; the end of a parenthesis`,
  ]
}

/** Records of these lines, in the form of describe(). */
function recordsOf(group: number): string[] {
  const number = group * LINES_A_GROUP
  const host = `host-${number}.${ORIGIN}`
  return [
    `${host} A 300 0 192.0.2.${number % 250}`,
    `${host} AAAA 3600 0 2001:db8::${hextet(number)}`,
    `${host} TXT 3600 0 "v=spf1 ip4:192.0.2.${number % 250} -all; (note)" "second \\"string\\" ${number}"`,
    `${host} MX 3600 10 mail.${host}`,
    `www.${host} CNAME 300 0 ${host}`,
    `_sip._tcp.${host} SRV 3600 10 5 5060 sip.provider.example`,
    `mail.${host} A 3600 0 198.51.100.${number % 250}`,
    `sec.${host} CAA 3600 0 0 issue "ca.example.net"`,
  ]
}

/** Never 0, which IPv6 addresses abbreviate. */
function hextet(number: number): string {
  return ((number % 65_535) + 1).toString(16)
}

/** Yields the file in chunks of about 64 KiB. */
export function* zoneFile(lines: number): Generator<string> {
  let chunk = `${HEAD.join('\n')}\n`
  let left = lines - HEAD.length
  for (let group = 0; left > 0; group++, left -= LINES_A_GROUP) {
    chunk += `${linesOf(group).slice(0, left).join('\n')}\n`
    if (chunk.length < 65_536) continue
    yield chunk
    chunk = ''
  }
  yield chunk
}

/** Number of lines of a file with at least `records` records; complete groups only. */
export function linesFor(records: number): number {
  const groups = Math.ceil((records - HEAD_RECORDS.length) / RECORDS_A_GROUP)
  return HEAD.length + groups * LINES_A_GROUP
}

/** Yields the records of a file with complete groups, in file order. */
export function* expectedRecords(lines: number): Generator<string> {
  yield* HEAD_RECORDS
  const groups = (lines - HEAD.length) / LINES_A_GROUP
  for (let group = 0; group < groups; group++) yield* recordsOf(group)
}
