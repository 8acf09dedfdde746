import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import type { BackendZone } from '#backends/contract/backend'
import type { RecordFilters } from '#backends/sql/lists/filters'
import { RECORD_KEYS, typeKey } from '#backends/sql/sort_keys/keys'

type RowQuery = DatabaseQueryBuilderContract

/** Whether a query filters only by type, for which an index exists. */
export function isByTypeOnly({ filters, q }: RecordFilters): boolean {
  return q === null && filters.name === undefined && filters.content === undefined
}

/** The sort keys of records of the requested type; ignores other filters. */
export function keysOfRecords(
  client: QueryClientContract,
  zone: BackendZone,
  { filters: { type } }: RecordFilters
): RowQuery {
  const rows = client.from(RECORD_KEYS).where('zone_id', zone.id)
  return type === undefined ? rows : rows.where('type_key', typeKey(type))
}

/**
 * As `keysOfRecords`, of the first records of RRsets.
 *
 * @param byTtl whether they are read in the order of their TTLs
 */
export function keysOfSets(
  client: QueryClientContract,
  zone: BackendZone,
  query: RecordFilters,
  byTtl: boolean
): RowQuery {
  // The condition must not be used for a lookup: the database would sort the result.
  const isFirst = byTtl ? 'set_ttl >= 0' : 'coalesce(set_ttl, -1) >= 0'
  return keysOfRecords(client, zone, query).whereRaw(isFirst)
}
