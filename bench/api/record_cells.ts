import { numberedTexts, pagesBefore, partsOf } from './fresh.ts'
import { spread, type Cell, type Setting } from './cell.ts'
import type { Row, Statement } from './statements.ts'

const PAGE = 100
/** Number of zones for reads and writes. */
const ZONES = 200
const COLUMNS = 'id, name, type, content, ttl, prio, disabled, auth'

/** Ids of zones for reads and writes, without secondaries. */
export async function zoneIds({ scene, bare }: Setting): Promise<number[]> {
  const rows = await bare.rows([
    `select id from domains where id between ? and ? and type <> 'SLAVE' order by id`,
    scene.first,
    scene.last,
  ])
  return spread(rows, ZONES).map((row) => Number(row.id))
}

/** Reads of single zones, records and RRsets. */
export async function readCells(setting: Setting): Promise<Cell[]> {
  const { bare, scene } = setting
  const ids = await zoneIds(setting)
  const records: Row[] = []
  for (const id of ids) {
    const sql = `select id, name, type from records where domain_id = ? and type = 'A' order by id limit 1`
    records.push(...(await bare.rows([sql, id])))
  }
  const zone = async () => ({ zone: ids })
  const values = async () => ({
    zone: ids,
    record: records.map((row) => Number(row.id)),
    name: records.map((row) => String(row.name)),
  })
  const one = <T>(list: T[], n: number) => list[n % list.length]
  const some = (n: number): Statement[] => [
    [`select ${COLUMNS} from records where domain_id = ? order by type, name`, one(ids, n)],
  ]
  const rrset = (n: number): Statement[] => [
    [
      `select ${COLUMNS} from records where domain_id = ? and name = ? and type = 'A'`,
      one(ids, n),
      one(records, n).name,
    ],
  ]
  const inLarge = await bare.rows([
    `select name from records where domain_id = ? and type = 'A' order by id limit 200`,
    scene.large.id,
  ])
  return [
    { name: 'ping', path: '/ping', as: 'nobody', rows: 0 },
    { name: 'health', path: '/api/health', as: 'nobody', rows: 0 },
    {
      name: 'zone-get',
      path: '/api/v2/zones/{zone}',
      values: zone,
      rows: 1,
      bare: (n) => [['select * from domains where id = ?', one(ids, n)]],
      bareHttp: true,
    },
    {
      name: 'records-10',
      path: '/api/v2/zones/{zone}/records',
      values: zone,
      bare: some,
    },
    {
      name: 'record-get',
      path: '/api/v2/zones/{zone}/records/{record}',
      values,
      rows: 1,
      bare: (n) => [[`select ${COLUMNS} from records where id = ?`, one(records, n).id]],
      bareHttp: true,
    },
    {
      name: 'rrset-get',
      path: '/api/v2/zones/{zone}/rrsets/{name}/A',
      values,
      rows: 1,
      bare: rrset,
    },
    { name: 'rrsets-list-10', path: '/api/v2/zones/{zone}/rrsets', values: zone, bare: some },
    {
      name: `rrset-get-${words(scene.large.records)}`,
      family: 'rrset-get-large',
      path: `/api/v2/zones/${scene.large.id}/rrsets/{name}/A`,
      values: async () => ({ name: inLarge.map((row) => String(row.name)) }),
      rows: 1,
    },
    { name: 'owners', path: '/api/v2/zones/{zone}/owners', values: zone },
    {
      name: 'basic-auth-zone-get',
      as: 'basic',
      path: '/api/v2/zones/{zone}',
      values: zone,
      rows: 1,
    },
    {
      name: 'unauthorized',
      as: 'wrong key',
      path: '/api/v2/zones/{zone}',
      values: zone,
      status: 401,
      rows: 0,
    },
  ]
}

/** Formats a number of records for cell names: 50k, 1m. */
export function words(records: number): string {
  return records % 1_000_000 === 0 ? `${records / 1_000_000}m` : `${records / 1000}k`
}

/** Lists in one large zone. */
export function largeZoneCells({ scene }: Setting): Cell[] {
  const { id, records, name } = scene.large
  const last = Math.ceil((records + 1) / PAGE)
  const middle = Math.floor(last / 2)
  const half = Math.floor(records / 20) * 10
  const hosts = numberedTexts((n) => String(half + 4 + n * 10))
  const numbers = numberedTexts((n) => String(half + n * 10))
  const addresses = numberedTexts((n) => {
    const i = half + n * 10
    return `10.${(i >> 16) & 255}.${(i >> 8) & 255}.${i & 255}`
  })
  // All names contain these texts, and two of ten contents.
  const parts = partsOf(name)
  const rest = (condition: string, values: unknown[], order: string, number: number) => {
    const rows = `from records where domain_id = ?${condition}`
    const window = `order by ${order} limit ${PAGE} offset ${(number - 1) * PAGE}`
    const work: Statement[] = [
      [`select ${COLUMNS} ${rows} ${window}`, id, ...values],
      [`select count(*) as total ${rows}`, id, ...values],
    ]
    return () => work
  }
  const cell = (word: string, query: string, more: Partial<Cell> = {}, list = 'records'): Cell => ({
    name: `${list}-${words(records)}-${word}`,
    family: `${list}-large-${word}`,
    path: `/api/v2/zones/${id}/${list}?per_page=${PAGE}${query}`,
    ...more,
  })
  const sets = (word: string, query: string, fresh?: Cell['fresh']) =>
    cell(word, query, { fresh }, 'rrsets')
  /** Filters by texts that a column contains. The main measurement uses the first text. */
  const holding = (word: string, column: string, fresh: string[]) =>
    cell(`filter-${word}`, `&${column}={fresh}`, {
      fresh,
      bare: rest(` and ${column} like ?`, [`%${fresh[0]}%`], 'type, name', 1),
    })
  const far = { fresh: pagesBefore(middle) }
  const farSets = pagesBefore(Math.floor(middle / 2))
  const all = '&page={fresh}'
  return [
    cell('page100', '&page=1', { bare: rest('', [], 'type, name', 1) }),
    cell('page100-middle', all, { ...far, bare: rest('', [], 'type, name', middle) }),
    cell('page100-last', `&page=${last}`, { bare: rest('', [], 'type, name', last) }),
    cell('page100-type', '&type={fresh}', {
      fresh: ['MX', 'TXT', 'AAAA', 'CNAME', 'A'],
      bare: rest(` and type = 'MX'`, [], 'name', 1),
    }),
    cell('page100-sort-name', `${all}&sort=name`, { ...far, bare: rest('', [], 'name', middle) }),
    cell('page100-sort-content', `${all}&sort=content:desc`, far),
    cell('page100-sort-ttl', `${all}&sort=ttl,name`, far),
    holding('name', 'name', hosts.next()),
    holding('content', 'content', addresses.next()),
    holding('content-many', 'content', parts.next()),
    cell('filter-name-sort-content', '&name={fresh}&sort=content:desc', { fresh: hosts.next() }),
    cell('filter-type-sort-ttl', '&type=MX&sort=ttl:desc,name'),
    cell('filter-q', '&q={fresh}', { fresh: numbers.next() }),
    cell('filter-q-all', '&q={fresh}', { fresh: parts.next('bench') }),
    cell('filter-q-all-sort-name', '&q={fresh}&sort=name', { fresh: parts.next('bench') }),
    sets('page100', '&page=1'),
    sets('page100-last', `&page=${Math.floor(last / 2)}`),
    sets('page100-sort-name', `${all}&sort=name:desc`, farSets),
    sets('page100-sort-ttl', '&page=1&sort=ttl,name'),
    sets('filter-name-sort-ttl', '&name={fresh}&sort=ttl:desc', hosts.next()),
    sets('filter-content', '&content={fresh}', addresses.next()),
    sets('filter-content-many', '&content={fresh}', parts.next()),
    sets('filter-q', '&q={fresh}', numbers.next()),
    sets('filter-q-all', '&q={fresh}', parts.next()),
    // Compares the whole zone with its snapshot, to find external changes.
    { ...cell('', '', {}, 'history'), name: `history-${words(records)}`, family: 'history-large' },
    { ...cell('walk', ''), walk: true, rows: PAGE },
    {
      ...cell('whole', ''),
      path: `/api/v2/zones/${id}/records`,
      whole: true,
      bare: () => [[`select ${COLUMNS} from records where domain_id = ? order by type, name`, id]],
    },
  ]
}
