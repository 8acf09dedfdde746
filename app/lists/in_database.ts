import { setImmediate as turn } from 'node:timers/promises'
import type { ListDeclaration } from '#lists/declaration'
import { pageOf, type Keyed, type Listed } from '#lists/listed'
import type { Page } from '#lists/page'
import { Positions, remember } from '#lists/positions'
import type { ListQuery } from '#lists/query'
import type { RowKey } from '#lists/row_key'
import { ListView, type ListSource } from '#lists/view'

/** Rows that a database skips as quickly as it finds where a page begins. */
const SKIPPED_AT_EASE = 500
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
  const view = await ListView.open<Row>(list, query, source)
  const { page } = query
  if (!page) {
    const rows = await view.all()
    return { rows, total: rows.length, next: null }
  }
  if (page.after !== undefined) {
    const found = await view.after(page.after, page.size + 1)
    const isLast = found.length <= page.size
    return { ...pageOf(found, page.size, isLast), total: null }
  }
  return numberedPage(view, page, source)
}

/**
 * The whole list in batches of a fixed size, each read when it is asked for. Rows that come or go meanwhile
 * are in it or not; all others are, once.
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
  const view = await ListView.open<Row>(list, query, source)
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
  view: ListView<Row>,
  { offset, size }: Page,
  source: ListSource
): Promise<Listed<Row>> {
  const marks = (await source.marks?.()) ?? null
  const known = marks && positions.of(`${marks.scope} ${view.identity}`, marks.version)
  const kept = view.isFiltered ? null : marks?.total
  const total = kept ?? known?.total ?? (await view.count())
  if (known) {
    known.total = total
  }
  if (offset >= total) {
    return { rows: [], total, next: null }
  }
  const keys = known?.keys ?? new Map<number, RowKey>()
  const found =
    offset <= SKIPPED_AT_EASE
      ? await view.after(null, size, offset)
      : await behind(view, await keyBefore(view, offset, total, keys), size)
  const end = offset + found.length
  const last = found.at(-1)
  if (last && end > SKIPPED_AT_EASE) {
    remember(keys, end, last.key)
  }
  return { ...pageOf(found, size, end >= total), total }
}

async function behind<Row>(
  view: ListView<Row>,
  key: RowKey | null,
  size: number
): Promise<Keyed<Row>[]> {
  return key ? view.after(key, size) : []
}

/** The key of the row before a position; from whichever end is nearer, unless it is remembered. */
async function keyBefore(
  view: ListView<unknown>,
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
