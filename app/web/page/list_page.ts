import type { HttpContext } from '@adonisjs/core/http'
import type { ListDeclaration } from '#lists/declaration'
import type { ListResult } from '#lists/list_result'
import { ROWS_PER_PAGE } from '#config/interface'
import { listQuery, type ListQuery } from '#lists/query'
import { parsePage, paginationOf, type Page } from '#lists/page'

/** A list query with a page. */
export type PagedQuery<Field extends string, Filter extends string> = ListQuery<Field, Filter> & {
  page: Page
}

/** Maximum rows of a page with large rows or forms; pages pass it as `@!pager({ pager, most })`. */
export const LARGE_PAGE_ROWS = 50

/** Data of the component `@!pager`. */
export interface Pager {
  from: number
  to: number
  total: number
  /** Whether there are more than `total` rows, which were not counted. */
  isMore: boolean
  page: number
  lastPage: number
  previous: string | null
  next: string | null
}

/**
 * Thrown by `pagerOf` for a page after the last one. The exception handler redirects to the last
 * page.
 */
export class PageAfterEnd extends Error {
  /** @param address of the last page */
  constructor(readonly address: string) {
    super('This page is after the end of its list')
  }
}

/** Data of the component `@!sortable` for one column. */
export interface SortedColumn {
  href: string
  direction: 'ascending' | 'descending' | null
}

/**
 * Parses the address of a list page, in the grammar of the API. Default number of rows: the preference of the user, at most
 * `most`. Throws a 400 `Refusal` that lists the allowed values.
 */
export function pageQuery<Field extends string, Column extends string, Filter extends string>(
  { request, preferences }: HttpContext,
  list: ListDeclaration<Field, Column, Filter>,
  maxRows = ROWS_PER_PAGE.max,
  parameters: Record<string, unknown> = request.qs()
): PagedQuery<Field, Filter> {
  const asked = listQuery(list, parameters)
  const size = Math.min(preferences.rowsPerPage, maxRows)
  const byDefault = listQuery(list, { ...parameters, per_page: String(size) })
  const page = asked.page && asked.page.size <= maxRows ? asked.page : byDefault.page
  return { ...asked, page: page ?? { number: 1, size, offset: 0 } }
}

/** Maximum number of rows after a page that are counted in very long lists. An object, so that tests can lower it. */
export const MAX_COUNTED = { behind: 10_000 }

/** `pageQuery` for a very long list: shows that there are many more rows instead of their number. */
export function longPageQuery<Field extends string, Column extends string, Filter extends string>(
  ctx: HttpContext,
  list: ListDeclaration<Field, Column, Filter>
): PagedQuery<Field, Filter> {
  const query = pageQuery(ctx, list)
  return { ...query, page: longPage(query.page) }
}

/** A page of a list that can be very long, with how far that is counted. */
export function longPage(page: Page): Page & { maxCount: number } {
  const { behind } = MAX_COUNTED
  // Neighbouring pages count to the same number, which is cached.
  return { ...page, maxCount: (Math.floor((page.offset + page.size) / behind) + 1) * behind }
}

/** The page of a list that is no list of the API: the preferred number of rows, at most `most`. */
export function pageOf({ request, preferences }: HttpContext, maxRows = ROWS_PER_PAGE.max): Page {
  const size = String(Math.min(preferences.rowsPerPage, maxRows))
  return parsePage({ page: request.qs().page as unknown, per_page: size })!
}

/**
 * Returns the URL with some parameters changed. Omits null values, and the page number unless it is given.
 *
 * @param path URL of the list, for a page that answers a form: the URL of the form may have no page
 */
export function addressWith(
  { request }: HttpContext,
  changes: Record<string, string | null>,
  path = request.url()
): string {
  const parameters = { ...request.qs(), page: null, ...changes } as Record<string, string | null>
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== null && value !== '') query.set(name, value)
  }
  const text = query.toString()
  return text === '' ? path : `${path}?${text}`
}

/**
 * Links between the pages of a list at `path` (see `addressWith`). Throws `PageAfterEnd` for a page after the last one.
 *
 * @param counted number of rows, or the count of the list
 */
export function pagerOf(
  ctx: HttpContext,
  page: Page,
  counted: number | Pick<ListResult<unknown>, 'total' | 'isMore'>,
  rowCount: number,
  path?: string
): Pager {
  const { isMore = false, ...listed } = typeof counted === 'number' ? { total: counted } : counted
  const total = listed.total ?? rowCount
  const { last_page: lastPage } = paginationOf(page, total)
  const to = (number: number) => addressWith(ctx, { page: String(number) }, path)
  if (rowCount === 0 && total > 0 && page.number > lastPage && isRead(ctx)) {
    throw new PageAfterEnd(to(lastPage))
  }
  return {
    from: rowCount === 0 ? 0 : page.offset + 1,
    to: page.offset + rowCount,
    total,
    isMore,
    page: page.number,
    lastPage,
    previous: page.number > 1 ? to(Math.min(page.number - 1, lastPage)) : null,
    next: page.number < lastPage ? to(page.number + 1) : null,
  }
}

const isRead = ({ request }: HttpContext) => ['GET', 'HEAD'].includes(request.method())

/**
 * Columns that sort the list: a link each, which turns the order around where it is sorted by it already. The list is at
 * `path` as for `addressWith`.
 */
export function columnsOf<Field extends string>(
  ctx: HttpContext,
  fields: readonly Field[],
  { sort }: Pick<ListQuery<Field>, 'sort'>,
  path?: string
): Record<Field, SortedColumn> {
  const first = sort.at(0)
  const entries = fields.map((field) => {
    const isSorted = first?.field === field
    const isDescending = isSorted && first.descending === true
    const ascendingSort = isSorted && !isDescending ? `${field}:desc` : field
    const direction = isSorted ? (isDescending ? 'descending' : 'ascending') : null
    return [field, { href: addressWith(ctx, { sort: ascendingSort }, path), direction }]
  })
  return Object.fromEntries(entries) as Record<Field, SortedColumn>
}
