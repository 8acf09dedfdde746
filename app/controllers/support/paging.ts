import type { HttpContext } from '@adonisjs/core/http'
import { openedCursor, sealedCursor } from '#controllers/support/cursors'
import type { ListDeclaration } from '#lists/declaration'
import type { ListResult } from '#lists/list_result'
import { parsePage, paginationOf, parseCursorPage, type Page } from '#lists/page'
import { listQuery, orderText, type ListQuery } from '#lists/query'
import type { EnvelopeExtras } from '#transformers/envelope'

/** The requested page; null for the whole list. */
export function pageOf({ request }: HttpContext): Page | null {
  return parsePage(request.qs())
}

/** The query of a list, by page or by cursor. Throws 400 with the allowed parameters. */
export function listQueryOf<Field extends string, Column extends string, Filter extends string>(
  ctx: HttpContext,
  list: ListDeclaration<Field, Column, Filter>
): ListQuery<Field, Filter> {
  const parameters = ctx.request.qs()
  const query = listQuery(list, parameters)
  const { cursor } = parameters
  if (typeof cursor !== 'string') {
    return query
  }
  const after = openedCursor(addressOf(ctx), orderText(list, query), cursor)
  return { ...query, page: parseCursorPage(parameters, after) }
}

/** The pagination member of a list's answer, if it was requested by page. */
export function paged(page: Page | null, total: number) {
  return page ? { pagination: paginationOf(page, total) } : {}
}

/**
 * As `paged`, for a declared list. With a cursor, there are no page numbers and no total, but the
 * cursor of the next page; null at the end.
 */
export function pagedList<Field extends string, Column extends string, Filter extends string>(
  ctx: HttpContext,
  list: ListDeclaration<Field, Column, Filter>,
  query: ListQuery<Field, Filter>,
  { total, next }: Pick<ListResult<unknown>, 'total' | 'next'>
): EnvelopeExtras {
  if (total === null) {
    return { next_cursor: next && sealedCursor(addressOf(ctx), orderText(list, query), next) }
  }
  return paged(query.page, total)
}

/** The path of the requested list. */
function addressOf({ request }: HttpContext): string {
  return request.url().replace(/\/+$/, '')
}
