import { setImmediate as turn } from 'node:timers/promises'
import type { ListDeclaration } from '#lists/declaration'
import { pageOf, type Keyed, type Listed } from '#lists/list_result'
import type { Page } from '#lists/page'
import { TTL_PER_COST, Positions, remember } from '#lists/cache/page_positions'
import type { ListQuery } from '#lists/query'
import type { RowKey } from '#lists/row_key'
import { FilteredQuery } from '#lists/sql/id_filter'
import type { ListSource } from '#lists/source'
import { KeysetQuery, type PagedQuery } from '#lists/sql/keyset_query'

/** Number of rows that a database skips as fast as it finds the start of a page. */
const SKIPPED_AT_EASE = 500
/** If the start of a page takes longer to find, it is cached. An object, so that tests can lower it. */
export const LONG_WAY = { ms: 20 }
/** Rows of one statement of a whole list. */
const BATCH = 2_000

const positions = new Positions()

/** Answers a list query by the database: filtered, counted, sorted and cut to the page there. */
export async function listInDatabase<
  Row,
  Field extends string,
  Column extends string,
  Filter extends string,
>(
  list: ListDeclaration<Field, Column, Filter>,
  query: ListQuery<Field, Filter>,
  source: ListSource<Field | Column | Filter>
): Promise<Listed<Row>> {
  const view = await KeysetQuery.open<Row>(list, query, source)
  const { page } = query
  if (page && source.idFilter) {
    return pageOfView(new FilteredQuery(view, source.idFilter), page, source)
  }
  if (!page) {
    const rows = await view.all()
    return { rows, total: rows.length, next: null }
  }
  return pageOfView(view, page, source)
}

async function pageOfView<Row>(
  view: PagedQuery<Row>,
  page: Page,
  source: ListSource
): Promise<Listed<Row>> {
  if (page.after !== undefined) {
    const found = await view.after(page.after, page.size + 1)
    const isLast = found.length <= page.size
    return { ...pageOf(found, page.size, isLast), total: null }
  }
  return numberedPage(view, page, source)
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
  const view = await KeysetQuery.open<Row>(list, query, source)
  let key: RowKey | null = null
  for (;;) {
    const { rows, last }: { rows: Row[]; last: RowKey | null } = await view.batch(key, BATCH)
    yield rows
    if (rows.length < BATCH) {
      return
    }
    key = last
    // SQLite's driver is synchronous: others get their turn between the batches.
    await turn()
  }
}

async function numberedPage<Row>(
  view: PagedQuery<Row>,
  { offset, size, countTo }: Page,
  source: ListSource
): Promise<Listed<Row>> {
  const marks = (await source.marks?.()) ?? null
  const place = `${marks?.scope} ${view.identity}`
  const known = marks && positions.of(place, marks.version)
  // How many rows there are does not depend on their order.
  const count = `${marks?.scope} ${view.narrowing}`
  const counts = marks && positions.of(count, marks.version)
  const extendTtl = (what: string, from: number) => {
    positions.extendTtl(what, TTL_PER_COST * (performance.now() - from))
  }
  const kept = view.isFiltered ? null : marks?.total
  const most = countTo && Math.max(countTo, offset + size)
  const since = performance.now()
  const exact = kept ?? counts?.total ?? null
  const { total, isMore } =
    exact !== null
      ? { total: exact, isMore: false }
      : most && counts && counts.beyond >= most
        ? { total: most, isMore: true }
        : await counted(view, most)
  extendTtl(count, since)
  if (counts && isMore) {
    counts.beyond = Math.max(counts.beyond, total)
  } else if (counts) {
    counts.total = total
  }
  if (offset >= total) {
    return { rows: [], total, next: null }
  }
  const keys = known?.keys ?? new Map<number, RowKey>()
  const sought = performance.now()
  const before =
    offset <= SKIPPED_AT_EASE
      ? null
      : await keyBefore(view, offset, isMore ? Infinity : total, keys)
  // No further than to the last row: behind it, nothing is to be found.
  const rest = isMore ? size : Math.min(size, total - offset)
  const shown =
    offset <= SKIPPED_AT_EASE
      ? await fromFirst(view, marks?.isMoving ? null : known, rest, offset)
      : await behind(view, before, rest)
  extendTtl(place, sought)
  const end = offset + shown.length
  const last = shown.at(-1)
  if (last && end > SKIPPED_AT_EASE) {
    remember(keys, end, last.key)
  }
  return { ...pageOf(shown, size, end >= total && !isMore), total, ...(isMore ? { isMore } : {}) }
}

/** How many rows there are, up to `most`, and whether there are more. */
async function counted(
  view: PagedQuery<unknown>,
  most?: number
): Promise<{ total: number; isMore: boolean }> {
  if (most === undefined) {
    return { total: await view.count(), isMore: false }
  }
  const found = await view.count(most + 1)
  return { total: Math.min(found, most), isMore: found > most }
}

/** Rows near the start. Filters can exclude many rows before the first match: its position is cached. */
async function fromFirst<Row>(
  view: PagedQuery<Row>,
  known: { first: RowKey | null } | null,
  size: number,
  offset: number
): Promise<Keyed<Row>[]> {
  if (!known?.first) {
    const since = performance.now()
    const found = await view.after(null, size, offset)
    if (known && offset === 0 && performance.now() - since > LONG_WAY.ms) {
      known.first = found.at(0)?.key ?? null
    }
    return found
  }
  // The row may be changed or deleted.
  const first = await view.at(known.first)
  const shown = first.slice(offset)
  const skipped = Math.max(0, offset - first.length)
  return [...shown, ...(await view.after(known.first, size - shown.length, skipped))]
}

async function behind<Row>(
  view: PagedQuery<Row>,
  key: RowKey | null,
  size: number
): Promise<Keyed<Row>[]> {
  return key ? view.after(key, size) : []
}

/** The key of the row before a position; from whichever end is nearer, unless it is remembered. */
async function keyBefore(
  view: PagedQuery<unknown>,
  offset: number,
  total: number,
  keys: Map<number, RowKey>
): Promise<RowKey | null> {
  const known = keys.get(offset)
  if (known) {
    return known
  }
  const isNearEnd = offset > total / 2
  const key = isNearEnd ? await view.keyAt(total - offset, true) : await view.keyAt(offset - 1)
  if (key) {
    remember(keys, offset, key)
  }
  return key
}
