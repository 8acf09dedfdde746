import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { BackendZone } from '#backends/contract/backend'
import type { RecordFilters } from '#backends/sql/lists/filters'
import type { ZoneSize } from '#backends/sql/lists/zone_size'
import { RECORD_SNAPSHOTS } from '#backends/sql/snapshots/snapshot_queries'
import type { IdRange } from '#database/trigram_index/source'
import { dialectOf } from '#database/dialects/dialect_of'

type Id = number | string

/** Rows that a scan reads in the time of one lookup by an index. */
export const SCANNED_ROWS_PER_LOOKUP = 10

/**
 * The range of the record ids of a zone, for filters of contents. A scan of the range is faster than a lookup of each row by
 * the index of the zone: rows that were inserted together have near ids. Returns null if it is not faster, or if
 * another tool wrote to the zone.
 */
export async function findIdRange(
  client: QueryClientContract,
  zone: BackendZone,
  { filters: { content }, q }: RecordFilters,
  size: ZoneSize
): Promise<IdRange | null> {
  const filtersByContent = content !== undefined || q !== null
  if (!filtersByContent || !size.isSnapshotComplete || dialectOf(client).readsInTableOrder) {
    return null
  }
  const selectSnapshots = () => client.from(RECORD_SNAPSHOTS).where('zone_id', zone.id)
  const [{ first }] = (await selectSnapshots().min('record_id as first')) as { first: Id | null }[]
  const [{ last }] = (await selectSnapshots().max('record_id as last')) as { last: Id | null }[]
  if (first === null || last === null) {
    return null
  }
  const range: IdRange = [Number(first), Number(last)]
  return range[1] - range[0] < SCANNED_ROWS_PER_LOOKUP * size.records ? range : null
}
