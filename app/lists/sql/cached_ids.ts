import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import type { ListDeclaration } from '#lists/declaration'
import { pageOf, type Listed } from '#lists/list_result'
import type { ListQuery } from '#lists/query'
import { VersionedCache } from '#lists/cache/versioned_cache'
import type { ListState, ListSource } from '#lists/source'
import { KeysetQuery } from '#lists/sql/keyset_query'

const MAX_LISTS = 200
const CACHE_TTL_MS = 60_000

type Rows = DatabaseQueryBuilderContract

/** A list of few rows among many, such as those of one owner, whose order no index has. */
export interface ChosenRows<Name extends string = string> {
  /** The many rows. */
  source: ListSource<Name>
  /** The column, with its table, that has another number for each row. */
  id: string
  marks: ListState
  /** Restricts a query to the few rows by a check of each row, for those of one page. */
  each(rows: Rows): void
  /** Returns a function that restricts a query to all of the few rows; null if they are too many for the cache. */
  all(): Promise<((rows: Rows) => void) | null>
}

/** The ids of a list in its order, or that they are many. */
interface Ids {
  known: number[] | 'many' | null
}

const memory = new VersionedCache<Ids>(() => ({ known: null }), MAX_LISTS, CACHE_TTL_MS)

/**
 * A page of a list of few rows. Their order is computed for a version of the list and cached as ids. The rows of a page, and
 * the right to see them, are read each time. Returns null if the rows are many.
 */
export async function listChosen<
  Row,
  Field extends string,
  Column extends string,
  Filter extends string,
>(
  list: ListDeclaration<Field, Column, Filter>,
  query: ListQuery<Field, Filter>,
  chosen: ChosenRows<Field | Column | Filter>
): Promise<Listed<Row> | null> {
  const { source, id, marks, each } = chosen
  const { page } = query
  if (!page || page.after !== undefined) {
    throw new Error('Only pages by number can be cached')
  }
  const { identity } = new KeysetQuery(list, query, source)
  const remembered = memory.of(`${marks.scope} ${identity}`, marks.version)
  remembered.known ??= await idsOf(list, query, chosen)
  if (remembered.known === 'many') {
    return null
  }
  const ids = remembered.known
  const total = ids.length
  const { offset, size } = page
  const wanted = ids.slice(offset, offset + size)
  if (wanted.length === 0) {
    return { rows: [], total, next: null }
  }
  const view = new KeysetQuery<Row>(
    list,
    { sort: query.sort, filters: {}, q: null, page: null },
    { ...source, matching: () => narrowed(source, (rows) => each(rows.whereIn(id, wanted))) }
  )
  const found = await view.after(null, size)
  return { ...pageOf(found, size, offset + size >= total), total }
}

async function idsOf(
  list: ListDeclaration,
  query: ListQuery,
  { source, id, all }: ChosenRows
): Promise<number[] | 'many'> {
  const narrow = await all()
  if (!narrow) {
    return 'many'
  }
  const view = await KeysetQuery.open<{ id: number | string }>(list, query, {
    ...source,
    matching: () => narrowed(source, narrow),
    select: (rows) => rows.select(`${id} as id`),
  })
  const rows = await view.all()
  return rows.map((row) => Number(row.id))
}

function narrowed(source: ListSource, narrow: (rows: Rows) => void): Rows {
  const rows = source.matching()
  narrow(rows)
  return rows
}
