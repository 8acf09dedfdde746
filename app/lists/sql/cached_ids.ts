import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import type { ListDeclaration } from '#lists/declaration'
import { buildPage, type ListResult } from '#lists/list_result'
import type { ListQuery } from '#lists/query'
import { VersionedCache } from '#lists/cache/versioned_cache'
import type { ListState, ListSource } from '#lists/source'
import { KeysetQuery } from '#lists/sql/keyset_query'

const MAX_LISTS = 200
const CACHE_TTL_MS = 60_000

type RowQuery = DatabaseQueryBuilderContract

/** A small selection of a long list, such as the zones of one owner, in an order without an index. */
export interface SmallSelection<Name extends string = string> {
  /** The long list. */
  source: ListSource<Name>
  /** The unique numeric column, with its table. */
  id: string
  state: ListState
  /** Restricts a query to the selection by a condition that each row is checked with. For the rows of one page. */
  restrictPage(rows: RowQuery): void
  /** Returns a function that restricts a query to the selection; null if it is too large for the cache. */
  restrictToAll(): Promise<((rows: RowQuery) => void) | null>
}

/** The ids of a selection in its order; 'many' if there are too many. */
interface CachedIds {
  ids: number[] | 'many' | null
}

const idCache = new VersionedCache<CachedIds>(() => ({ ids: null }), MAX_LISTS, CACHE_TTL_MS)

/**
 * A page of a small selection. The order is computed once per version of the list and cached as ids. The rows of a
 * page, and the right to view them, are read each time. Null if the selection is too large.
 */
export async function listSmallSelection<
  Row,
  Field extends string,
  Column extends string,
  Filter extends string,
>(
  list: ListDeclaration<Field, Column, Filter>,
  query: ListQuery<Field, Filter>,
  selection: SmallSelection<Field | Column | Filter>
): Promise<ListResult<Row> | null> {
  const { source, id, state, restrictPage } = selection
  const { page } = query
  if (!page || page.after !== undefined) {
    throw new Error('Only pages by number can be cached')
  }
  const { identity } = new KeysetQuery(list, query, source)
  const cached = idCache.get(`${state.scope} ${identity}`, state.version)
  cached.ids ??= await readIds(list, query, selection)
  if (cached.ids === 'many') {
    return null
  }
  const ids = cached.ids
  const total = ids.length
  const { offset, size } = page
  const pageIds = ids.slice(offset, offset + size)
  if (pageIds.length === 0) {
    return { rows: [], total, next: null }
  }
  const keysetQuery = new KeysetQuery<Row>(
    list,
    { sort: query.sort, filters: {}, q: null, page: null },
    {
      ...source,
      createQuery: () => restrictQuery(source, (rows) => restrictPage(rows.whereIn(id, pageIds))),
    }
  )
  const found = await keysetQuery.after(null, size)
  return { ...buildPage(found, size, offset + size >= total), total }
}

async function readIds(
  list: ListDeclaration,
  query: ListQuery,
  { source, id, restrictToAll }: SmallSelection
): Promise<number[] | 'many'> {
  const restrict = await restrictToAll()
  if (!restrict) {
    return 'many'
  }
  const keysetQuery = await KeysetQuery.open<{ id: number | string }>(list, query, {
    ...source,
    createQuery: () => restrictQuery(source, restrict),
    select: (rows) => rows.select(`${id} as id`),
  })
  const rows = await keysetQuery.all()
  return rows.map((row) => Number(row.id))
}

function restrictQuery(source: ListSource, restrict: (rows: RowQuery) => void): RowQuery {
  const rows = source.createQuery()
  restrict(rows)
  return rows
}
