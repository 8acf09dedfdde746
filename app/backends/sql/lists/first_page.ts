import type { MatchingIds } from '#backends/sql/lists/matching_ids'
import type { RecordFilters } from '#backends/sql/lists/filters'
import { chunks } from '#database/statements/chunks'
import { buildPage, type ListResult } from '#lists/list_result'
import type { Page } from '#lists/page'
import type { IdLookup } from '#lists/source'
import type { KeysetQuery } from '#lists/sql/keyset_query'

/** Number of records at the start of a list that are compared before a full scan. An object, so that tests can lower it. */
export const MAX_FIRST_RECORDS = { count: 5_000 }

/** Whether the page is near the start of a filtered list whose matching ids are not cached. Sends no statement. */
export function isFirstPage(matches: MatchingIds, query: RecordFilters, page: Page): boolean {
  const { after, offset, size } = page
  const isNear = after === undefined && offset + size < MAX_FIRST_RECORDS.count
  return isNear && !matches.isCachedOrRunning(query)
}

/**
 * A page near the start of a filtered list of a large zone: compares the first records of the list, and counts the
 * others. A text that many records contain is so answered before all ids are found. Null if too few of the first
 * records match. Throws the driver's error.
 *
 * @param keysetQuery the list in an order that an index serves, filtered by type only
 * @param idLookup   the ids of the records in it
 */
export async function findFirstMatches<Row>(
  matches: MatchingIds,
  query: RecordFilters,
  page: Page,
  keysetQuery: KeysetQuery<Row>,
  idLookup: IdLookup
): Promise<ListResult<Row> | null> {
  const end = page.offset + page.size
  const { ids } = await keysetQuery.ids(idLookup, null, MAX_FIRST_RECORDS.count, false)
  const matchingIds: number[] = []
  for (const part of chunks(ids)) {
    matchingIds.push(...(await matches.filterIds(query, part)))
    if (matchingIds.length > end) break
  }
  const found = await keysetQuery.withIds(idLookup, matchingIds.slice(page.offset, end + 1))
  // Too few records match, or some were deleted in between.
  if (found.length <= page.size) {
    return null
  }
  const counted = await matches.count(query, page.maxCount)
  // The zone may have changed in between.
  const total = Math.max(counted.total, page.offset + found.length)
  return { ...buildPage(found, page.size, false), ...counted, total }
}
