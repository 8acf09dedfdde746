import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import type { BackendZone } from '#backends/contract'
import { narrowed, type RecordFilters } from '#backends/sql/lists/narrowed'
import { partsOf } from '#backends/sql/lists/narrowed_sets'
import { RECORD_KEYS, typeKey } from '#backends/sql/record_keys/key_rows'
import type { ZoneTables } from '#backends/sql/tables'

type Rows = DatabaseQueryBuilderContract

/** Whether a query names no more than a type, which an index finds. */
export function isByTypeOnly({ filters, q }: RecordFilters): boolean {
  return q === null && filters.name === undefined && filters.content === undefined
}

/** The sort keys of the records that the filters leave. Whether a record does is looked up for each on the way. */
export function keysOfRecords(
  client: QueryClientContract,
  tables: ZoneTables,
  zone: BackendZone,
  query: RecordFilters
): Rows {
  const { records } = tables
  const rows = keysOfZone(client, zone, query)
  if (!isByTypeOnly(query)) {
    const record = client.from(records).whereRaw(`${records}.id = ${RECORD_KEYS}.record_id`)
    holding(rows, client, zone, record, query)
  }
  return rows
}

/**
 * As `keysOfRecords`, of the first records of the RRsets that the filters leave.
 *
 * @param byTtl whether they are read in the order of their TTLs
 */
export function keysOfSets(
  client: QueryClientContract,
  tables: ZoneTables,
  zone: BackendZone,
  query: RecordFilters,
  byTtl: boolean
): Rows {
  const { records } = tables
  // Only by its order a database is to look up by this: else it would sort what it found.
  const isFirst = byTtl ? 'set_ttl >= 0' : 'coalesce(set_ttl, -1) >= 0'
  const rows = keysOfZone(client, zone, query).whereRaw(isFirst)
  if (!isByTypeOnly(query)) {
    const first = (column: string) =>
      `(select f.${column} from ${records} f where f.id = ${RECORD_KEYS}.record_id)`
    for (const part of partsOf(query)) {
      const set = client
        .from(records)
        .whereRaw(`${records}.name = ${first('name')}`)
        .whereRaw(`${records}.type = ${first('type')}`)
      holding(rows, client, zone, set, part)
    }
  }
  return rows
}

function keysOfZone(
  client: QueryClientContract,
  zone: BackendZone,
  { filters: { type } }: RecordFilters
): Rows {
  const rows = client.from(RECORD_KEYS).where('zone_id', zone.id)
  return type === undefined ? rows : rows.where('type_key', typeKey(type))
}

/**
 * Leaves the keys for which one of the records is left. As a value and not as a join, which a database would turn
 * round: it would filter the whole zone and sort it.
 */
function holding(
  rows: Rows,
  client: QueryClientContract,
  zone: BackendZone,
  records: Rows,
  { filters: { name, content }, q }: RecordFilters
): void {
  const filters = {
    ...(name === undefined ? {} : { name }),
    ...(content === undefined ? {} : { content }),
  }
  const one = narrowed(records.whereRaw('domain_id + 0 = ?', [zone.id]), client, { filters, q })
  const { sql, bindings } = one.select(client.raw('1')).limit(1).toSQL()
  rows.whereRaw(`(${sql}) is not null`, bindings as number[])
}
