import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import type { BackendZone } from '#backends/contract/backend'
import {
  applyFilters,
  filteredRecords,
  recordsWithIds,
  type RecordFilters,
} from '#backends/sql/lists/filters'
import type { ZoneTables } from '#backends/sql/tables'
import type { IdSet } from '#database/rows/id_set'

/** Splits the filters into parts that one record of the RRset must match. `content` and `q` may match different records. */
export function splitFilters({ filters, q }: RecordFilters): RecordFilters[] {
  const { content, ...otherFilters } = filters
  return content === undefined || q === null
    ? [{ filters, q }]
    : [
        { filters, q: null },
        { filters: otherFilters, q },
      ]
}

/**
 * As `filteredRecords`: records of the RRsets that the filters leave, at least one of each.
 *
 * @param known all records that the part at this place leaves, where they are known, and few
 */
export function filteredSets(
  client: QueryClientContract,
  tables: ZoneTables,
  zone: BackendZone,
  query: RecordFilters,
  known: { partIndex: number; ids: IdSet } | null
): DatabaseQueryBuilderContract {
  const { records } = tables
  const parts = splitFilters(query)
  const [first] = parts.splice(known?.partIndex ?? 0, 1)
  const rows = known
    ? recordsWithIds(client, tables, zone, known.ids)
    : filteredRecords(client, tables, zone, first)
  for (const part of parts) {
    const otherRecords = client
      .from(`${records} as o`)
      .where('o.domain_id', zone.id)
      .whereColumn('o.name', `${records}.name`)
      .whereColumn('o.type', `${records}.type`)
    // Column names refer to the innermost table.
    rows.whereExists(applyFilters(otherRecords, client, part).select(client.raw('1')))
  }
  return rows
}
