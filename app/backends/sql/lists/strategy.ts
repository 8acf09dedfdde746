import type { IdSet } from '#database/rows/id_set'
import type { RecordFilters } from '#backends/sql/lists/filters'
import { MAX_MATCHES_READ_WHOLE } from '#backends/sql/lists/matching_ids'
import type { ZoneSize } from '#backends/sql/lists/zone_size'
import { isByTypeOnly } from '#backends/sql/sort_keys/sorted_source'

/** Strategy for a page of records or RRsets of a zone. See README.md in this folder. */
export type ListStrategy = 'index_order' | 'sort_keys' | 'matching_ids' | 'scan'

/** Number of ids that an index scan passes in the time in which one record is read and sorted. */
const IDS_PER_RECORD = 8

/** The only place that selects a strategy. */
export function strategyFor(
  query: RecordFilters & { sort: readonly unknown[] },
  { isSmall }: ZoneSize
): ListStrategy {
  const hasIndex = isByTypeOnly(query)
  if (hasIndex && query.sort.length === 0) return 'index_order'
  if (isSmall) return 'scan'
  return hasIndex ? 'sort_keys' : 'matching_ids'
}

/** Whether `matching_ids` reads and sorts all matches; otherwise it walks through an index until the page is full. */
export function mustReadAllMatches(matches: IdSet, { records, isKeyed }: ZoneSize): boolean {
  const isWalkSlower = !isKeyed || matches.size * IDS_PER_RECORD <= records
  return matches.size <= MAX_MATCHES_READ_WHOLE.count && isWalkSlower
}
