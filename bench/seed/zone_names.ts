/*
 * Names of generated zones and records. They vary as real names do: words to search for, numbers to sort by size, and
 * different depths. All are below a reserved name (RFC 6761, 6.4).
 */

/** The parent of all generated zones. */
export const PARENT = 'bench.invalid'

const TRADES =
  'shop mail blog cloud garden bakery school clinic hotel studio bank forum news port'.split(' ')
const PLACES =
  'berlin paris oslo rome lima cairo delhi tokyo quito turin malmo porto graz ghent'.split(' ')
const TOPS = ['com', 'net', 'org', 'de', 'fr']
const HOSTS = ['web', 'db', 'mail', 'node', 'cache', 'vpn', 'printer']

/** Kinds of ten zones in a row: mostly primaries, some native zones, one secondary at the end. */
export const KINDS = 'MASTER MASTER NATIVE MASTER MASTER NATIVE MASTER MASTER MASTER SLAVE'
  .split(' ')
  .map((type) => ({ type, master: type === 'SLAVE' ? '192.0.2.53' : null }))

/** A row of PowerDNS' table `domains`. */
export interface ZoneRow {
  name: string
  type: string
  master: string | null
}

/**
 * A new zone.
 *
 * @param number determines the name
 * @param index  position among the zones of one call; every tenth is a secondary, which the API does not change
 */
export function zoneRow(number: number, index: number): ZoneRow {
  const zone = KINDS[index % KINDS.length]
  return { name: `${labels(number)}.${PARENT}`, ...zone }
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
 * Ten records in a row, by the last digit of their number: the type, the distance to the record whose owner name it
 * shares, and the content in SQL from number `i`, owner label `label` and zone `apex`.
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

/** Number of NS records at the apex; they come first. */
const NAME_SERVERS = 2

function address(): string {
  return `concat('10.', (i >> 16) & 255, '.', (i >> 8) & 255, '.', i & 255)`
}

function byDigit(column: string, values: string[]): string {
  return `CASE ${column} ${values.map((value, digit) => `WHEN ${digit} THEN ${value}`).join(' ')} END`
}

/**
 * A query for the records with some numbers in some zones: id and apex of the zone, then `label` ('' at the apex), `type`,
 * `content` and `prio`. The NS records come first, then the records of hosts.
 *
 * @param numbers a query for rows of one column `i`, from 0
 * @param zones   a condition on `d.id`
 */
export function recordsSql(numbers: string, zones: string): string {
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
      CASE WHEN ${atApex} THEN concat('ns', i + 1, '.${PARENT}') ELSE ${content} END AS content,
      CASE WHEN i % 10 = 5 THEN 10 ELSE 0 END AS prio
    FROM (
      SELECT d.id AS id, d.name AS apex, i,
        CASE WHEN ${atApex} THEN '' ELSE concat(${host}, i - back) END AS label
      FROM domains d CROSS JOIN (SELECT i, ${back} AS back FROM (${numbers}) counted) numbered
      WHERE ${zones}
    ) placed`
}
