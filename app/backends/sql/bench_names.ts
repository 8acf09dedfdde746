/*
 * Names of made-up zones and records, as varied as those that people have: words to search for, numbers to order by
 * size, depths. All below a name that nobody can have (RFC 6761, 6.4).
 */

/** What all made-up zones lie below. */
export const BENCH_PARENT = 'bench.invalid'

const TRADES =
  'shop mail blog cloud garden bakery school clinic hotel studio bank forum news port'.split(' ')
const PLACES =
  'berlin paris oslo rome lima cairo delhi tokyo quito turin malmo porto graz ghent'.split(' ')
const TOPS = ['com', 'net', 'org', 'de', 'fr']
const HOSTS = ['web', 'db', 'mail', 'node', 'cache', 'vpn', 'printer']

/** Kinds in ten zones: mostly primaries, some native ones, one secondary at the end. */
export const BENCH_ZONES = 'MASTER MASTER NATIVE MASTER MASTER NATIVE MASTER MASTER MASTER SLAVE'
  .split(' ')
  .map((type) => ({ type, master: type === 'SLAVE' ? '192.0.2.53' : null }))

/** A row of PowerDNS' table `domains`. */
export interface BenchZoneRow {
  name: string
  type: string
  master: string | null
}

/**
 * A zone that is to be filled in.
 *
 * @param number the same number has the same name, another one another
 * @param place  place among the zones filled in at once; every tenth is a secondary, which the API does not change
 */
export function benchZoneRow(number: number, place: number): BenchZoneRow {
  const zone = BENCH_ZONES[place % BENCH_ZONES.length]
  return { name: `${labels(number)}.${BENCH_PARENT}`, ...zone }
}

function labels(number: number): string {
  const trade = TRADES[number % TRADES.length]
  const place = PLACES[Math.floor(number / 3) % PLACES.length]
  const top = TOPS[Math.floor(number / 7) % TOPS.length]
  switch (number % 4) {
    case 0:
      return `${trade}-${place}${number}.${top}`
    case 1:
      return `${trade}${number}.${top}`
    case 2:
      return `${place}-${trade}-${number}.${top}`
    default:
      return `site${number}.${place}.${top}`
  }
}

/**
 * What stands in ten records in a row, by the last digit of their number: the type, how far back the record is
 * whose owner name it has, and its content in SQL, from number `i`, owner label `label` and zone `apex`.
 */
const TEN: { type: string; back: number; content: string }[] = [
  { type: 'A', back: 0, content: address() },
  { type: 'TXT', back: 1, content: `concat('"token=', i, '"')` },
  { type: 'A', back: 0, content: address() },
  { type: 'AAAA', back: 1, content: `concat('2001:db8::', i % 9000 + 1)` },
  { type: 'A', back: 0, content: address() },
  { type: 'MX', back: 1, content: `concat('mail.', apex)` },
  { type: 'TXT', back: 2, content: `'"v=spf1 mx -all"'` },
  { type: 'CNAME', back: 0, content: `concat('web.', apex)` },
  { type: 'A', back: 0, content: address() },
  { type: 'A', back: 1, content: address() },
]

/** Records that come first in every zone, at its apex. */
const NAME_SERVERS = 2

function address(): string {
  return `concat('10.', (i >> 16) & 255, '.', (i >> 8) & 255, '.', i & 255)`
}

function byDigit(column: string, values: string[]): string {
  return `CASE ${column} ${values.map((value, digit) => `WHEN ${digit} THEN ${value}`).join(' ')} END`
}

/**
 * A query for the records that belong to numbers in some zones: id and apex of the zone, then `label` ('' at the
 * apex), `type`, `content` and `prio`. Two name servers come first, then hosts with what hosts have.
 *
 * @param numbers a query for rows of one column `i`, from 0
 * @param zones   a condition on `d.id`
 */
export function benchRecordsSql(numbers: string, zones: string): string {
  const atApex = `i < ${NAME_SERVERS}`
  const back = byDigit(
    'i % 10',
    TEN.map((one) => String(one.back))
  )
  const host = byDigit(
    `(i - back) % ${HOSTS.length}`,
    HOSTS.map((word) => `'${word}'`)
  )
  const type = byDigit(
    'i % 10',
    TEN.map((one) => `'${one.type}'`)
  )
  const content = byDigit(
    'i % 10',
    TEN.map((one) => one.content)
  )
  return `
    SELECT id, apex, label, i,
      CASE WHEN ${atApex} THEN 'NS' ELSE ${type} END AS type,
      CASE WHEN ${atApex} THEN concat('ns', i + 1, '.${BENCH_PARENT}') ELSE ${content} END AS content,
      CASE WHEN i % 10 = 5 THEN 10 ELSE 0 END AS prio
    FROM (
      SELECT d.id AS id, d.name AS apex, i,
        CASE WHEN ${atApex} THEN '' ELSE concat(${host}, i - back) END AS label
      FROM domains d CROSS JOIN (SELECT i, ${back} AS back FROM (${numbers}) counted) numbered
      WHERE ${zones}
    ) placed`
}
