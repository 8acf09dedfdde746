import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import type { BackendZone } from '#backends/contract'
import {
  mayMatch,
  narrowed,
  narrowedRecords,
  type RecordFilters,
} from '#backends/sql/lists/narrowed'
import type { ZoneTables } from '#backends/sql/tables'
import type { IdRange } from '#database/text_index/source'

/** How the RRsets that filters leave are found by their records. */
export interface SetLookup {
  /** What some record of an RRset has to match. It is found by this one. */
  first: RecordFilters
  /** What some record has to match as well, be it another one. */
  others: RecordFilters[]
  /** Where the records are that may match `first`, if that is known. */
  ids: readonly IdRange[] | null
}

/** What some record of an RRset has to match, one by one: `content` and `q` may be met by different records. */
export function partsOf({ filters, q }: RecordFilters): RecordFilters[] {
  const { content, ...rest } = filters
  return content === undefined || q === null
    ? [{ filters, q }]
    : [
        { filters, q: null },
        { filters: rest, q },
      ]
}

/** How to find RRsets: by whichever part the index of texts knows. */
export async function lookupOfSets(
  client: QueryClientContract,
  tables: ZoneTables,
  zone: BackendZone,
  query: RecordFilters
): Promise<SetLookup> {
  const parts = partsOf(query)
  for (const first of parts) {
    const ids = await mayMatch(client, tables, zone, first)
    if (ids) return { first, others: parts.filter((part) => part !== first), ids }
  }
  return unaided(query)
}

/** How to find RRsets without the index of texts. */
export function unaided(query: RecordFilters): SetLookup {
  const [first, ...others] = partsOf(query)
  return { first, others, ids: null }
}

/** As `narrowedRecords`: records of the RRsets that the filters leave, at least one of each. */
export function narrowedSets(
  client: QueryClientContract,
  tables: ZoneTables,
  zone: BackendZone,
  { first, others, ids }: SetLookup
): DatabaseQueryBuilderContract {
  const { records } = tables
  const rows = narrowedRecords(client, tables, zone, first, ids)
  for (const part of others) {
    const other = client
      .from(`${records} as o`)
      .where('o.domain_id', zone.id)
      .whereColumn('o.name', `${records}.name`)
      .whereColumn('o.type', `${records}.type`)
    // Names of columns are those of the nearest table.
    rows.whereExists(narrowed(other, client, part).select(client.raw('1')))
  }
  return rows
}
