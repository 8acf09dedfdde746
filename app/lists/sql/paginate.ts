import { setImmediate as turn } from 'node:timers/promises'
import type { ListDeclaration } from '#lists/declaration'
import { buildPage, type RowWithKey, type ListResult } from '#lists/list_result'
import type { Page } from '#lists/page'
import { TTL_PER_COMPUTE_TIME, PagePositions, storeKey } from '#lists/cache/page_positions'
import type { ListQuery } from '#lists/query'
import type { RowKey } from '#lists/row_key'
import { FilteredQuery } from '#lists/sql/id_filter'
import type { ListSource } from '#lists/source'
import { KeysetQuery, type PagedQuery } from '#lists/sql/keyset_query'

/** Up to this offset, skipping rows is as fast as a search for the start of the page. */
const MAX_DIRECT_OFFSET = 500
/** A search for the start of a page that takes longer is cached. An object, so that tests can lower it. */
export const MIN_CACHED_SEARCH = { ms: 20 }
/** Rows of one statement of a whole list. */
const READ_BATCH_SIZE = 2_000

const pagePositions = new PagePositions()

/** Answers a list query in the database: filters, counts, sorts and returns one page. */
export async function listInDatabase<
  Row,
  Field extends string,
  Column extends string,
  Filter extends string,
>(
  list: ListDeclaration<Field, Column, Filter>,
  query: ListQuery<Field, Filter>,
  source: ListSource<Field | Column | Filter>
): Promise<ListResult<Row>> {
  const keysetQuery = await KeysetQuery.open<Row>(list, query, source)
  const { page } = query
  if (page && source.idFilter) {
    return readPage(new FilteredQuery(keysetQuery, source.idFilter), page, source)
  }
  if (!page) {
    const rows = await keysetQuery.all()
    return { rows, total: rows.length, next: null }
  }
  return readPage(keysetQuery, page, source)
}

async function readPage<Row>(
  keysetQuery: PagedQuery<Row>,
  page: Page,
  source: ListSource
): Promise<ListResult<Row>> {
  if (page.after !== undefined) {
    const found = await keysetQuery.after(page.after, page.size + 1)
    const isLast = found.length <= page.size
    return { ...buildPage(found, page.size, isLast), total: null }
  }
  return numberedPage(keysetQuery, page, source)
}

/**
 * The whole list in batches of a fixed size, each read on request. Concurrently inserted or deleted rows may be missing; each
 * other row is in it exactly once.
 */
export async function* batchesInDatabase<
  Row,
  Field extends string,
  Column extends string,
  Filter extends string,
>(
  list: ListDeclaration<Field, Column, Filter>,
  query: ListQuery<Field, Filter>,
  source: ListSource<Field | Column | Filter>
): AsyncGenerator<Row[], void> {
  const keysetQuery = await KeysetQuery.open<Row>(list, query, source)
  let key: RowKey | null = null
  for (;;) {
    const { rows, last }: { rows: Row[]; last: RowKey | null } = await keysetQuery.batch(
      key,
      READ_BATCH_SIZE
    )
    yield rows
    if (rows.length < READ_BATCH_SIZE) {
      return
    }
    key = last
    // The SQLite driver is synchronous: other requests run between the batches.
    await turn()
  }
}

async function numberedPage<Row>(
  keysetQuery: PagedQuery<Row>,
  { offset, size, maxCount: countTo }: Page,
  source: ListSource
): Promise<ListResult<Row>> {
  const state = (await source.readState?.()) ?? null
  const orderCacheKey = `${state?.scope} ${keysetQuery.identity}`
  const cachedPositions = state && pagePositions.get(orderCacheKey, state.version)
  // The number of rows does not depend on their order.
  const countCacheKey = `${state?.scope} ${keysetQuery.filterIdentity}`
  const cachedCounts = state && pagePositions.get(countCacheKey, state.version)
  const extendTtl = (cacheKey: string, startedAt: number) => {
    pagePositions.extendTtl(cacheKey, TTL_PER_COMPUTE_TIME * (performance.now() - startedAt))
  }
  const storedTotal = keysetQuery.isFiltered ? null : state?.total
  const maxCount = countTo && Math.max(countTo, offset + size)
  const countStartedAt = performance.now()
  const knownTotal = storedTotal ?? cachedCounts?.total ?? null
  const { total, isMore } =
    knownTotal !== null
      ? { total: knownTotal, isMore: false }
      : maxCount && cachedCounts && cachedCounts.countedUpTo >= maxCount
        ? { total: maxCount, isMore: true }
        : await countUpTo(keysetQuery, maxCount)
  extendTtl(countCacheKey, countStartedAt)
  if (cachedCounts && isMore) {
    cachedCounts.countedUpTo = Math.max(cachedCounts.countedUpTo, total)
  } else if (cachedCounts) {
    cachedCounts.total = total
  }
  if (offset >= total) {
    return { rows: [], total, next: null }
  }
  const keys = cachedPositions?.keys ?? new Map<number, RowKey>()
  const searchStartedAt = performance.now()
  const previousKey =
    offset <= MAX_DIRECT_OFFSET
      ? null
      : await findKeyBefore(keysetQuery, offset, isMore ? Infinity : total, keys)
  // Reads at most up to the last row.
  const rowLimit = isMore ? size : Math.min(size, total - offset)
  const pageRows =
    offset <= MAX_DIRECT_OFFSET
      ? await readFirstRows(
          keysetQuery,
          state?.canReorder ? null : cachedPositions,
          rowLimit,
          offset
        )
      : await readAfterKey(keysetQuery, previousKey, rowLimit)
  extendTtl(orderCacheKey, searchStartedAt)
  const end = offset + pageRows.length
  const last = pageRows.at(-1)
  if (last && end > MAX_DIRECT_OFFSET) {
    storeKey(keys, end, last.key)
  }
  return {
    ...buildPage(pageRows, size, end >= total && !isMore),
    total,
    ...(isMore ? { isMore } : {}),
  }
}

/** Counts up to `maxCount` rows, and returns whether there are more. */
async function countUpTo(
  keysetQuery: PagedQuery<unknown>,
  maxCount?: number
): Promise<{ total: number; isMore: boolean }> {
  if (maxCount === undefined) {
    return { total: await keysetQuery.count(), isMore: false }
  }
  const found = await keysetQuery.count(maxCount + 1)
  return { total: Math.min(found, maxCount), isMore: found > maxCount }
}

/** Rows near the start. Filters can exclude many rows before the first match: its position is cached. */
async function readFirstRows<Row>(
  keysetQuery: PagedQuery<Row>,
  cachedPositions: { firstKey: RowKey | null } | null,
  size: number,
  offset: number
): Promise<RowWithKey<Row>[]> {
  if (!cachedPositions?.firstKey) {
    const startedAt = performance.now()
    const found = await keysetQuery.after(null, size, offset)
    if (cachedPositions && offset === 0 && performance.now() - startedAt > MIN_CACHED_SEARCH.ms) {
      cachedPositions.firstKey = found.at(0)?.key ?? null
    }
    return found
  }
  // The row may be changed or deleted.
  const firstRows = await keysetQuery.at(cachedPositions.firstKey)
  const pageRows = firstRows.slice(offset)
  const skippedCount = Math.max(0, offset - firstRows.length)
  return [
    ...pageRows,
    ...(await keysetQuery.after(cachedPositions.firstKey, size - pageRows.length, skippedCount)),
  ]
}

async function readAfterKey<Row>(
  keysetQuery: PagedQuery<Row>,
  key: RowKey | null,
  size: number
): Promise<RowWithKey<Row>[]> {
  return key ? keysetQuery.after(key, size) : []
}

/** The cached key of the row before a position; otherwise searched from the nearer end. */
async function findKeyBefore(
  keysetQuery: PagedQuery<unknown>,
  offset: number,
  total: number,
  keys: Map<number, RowKey>
): Promise<RowKey | null> {
  const cachedKey = keys.get(offset)
  if (cachedKey) {
    return cachedKey
  }
  const isNearEnd = offset > total / 2
  const key = isNearEnd
    ? await keysetQuery.keyAt(total - offset, true)
    : await keysetQuery.keyAt(offset - 1)
  if (key) {
    storeKey(keys, offset, key)
  }
  return key
}
