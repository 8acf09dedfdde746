import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { BackendZone } from '#backends/contract/backend'
import type { RecordFilters } from '#backends/sql/lists/filters'
import type { ZoneSize } from '#backends/sql/lists/zone_size'
import { RECORD_SNAPSHOTS } from '#backends/sql/snapshots/snapshot_queries'
import type { IdRange } from '#database/trigram_index/source'

type Id = number | string

/** So many times as many rows are read one after the other as are looked up one by one, in less time. */
export const SPREAD = 10

/**
 * Between which ids all records of a large zone lie, where contents are looked at and it is quicker to read all rows
 * there than to look up each by an index of the zone: rows that were made together lie together. null elsewhere; where
 * others wrote; and on PostgreSQL, which looks rows up in the order in which they lie.
 */
export async function idsOfZone(
  client: QueryClientContract,
  zone: BackendZone,
  { filters: { content }, q }: RecordFilters,
  size: ZoneSize
): Promise<IdRange | null> {
  const filtersByContent = content !== undefined || q !== null
  if (!filtersByContent || !size.isSnapshotComplete || client.dialect.name === 'postgres') {
    return null
  }
  const notes = () => client.from(RECORD_SNAPSHOTS).where('zone_id', zone.id)
  const [{ first }] = (await notes().min('record_id as first')) as { first: Id | null }[]
  const [{ last }] = (await notes().max('record_id as last')) as { last: Id | null }[]
  if (first === null || last === null) {
    return null
  }
  const range: IdRange = [Number(first), Number(last)]
  return range[1] - range[0] < SPREAD * size.records ? range : null
}
