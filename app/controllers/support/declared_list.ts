import type { HttpContext } from '@adonisjs/core/http'
import { listQueryOf, pagedList } from '#controllers/support/paging'
import { streamList, type StreamedList } from '#controllers/support/streamed_list'
import type { ListDeclaration } from '#lists/declaration'
import type { ListResult } from '#lists/list_result'
import type { ListQuery } from '#lists/query'
import { success } from '#transformers/envelope'

/** Reads a list by page, or all rows in batches. */
export interface ListReader<Row, Field extends string, Filter extends string> {
  page: (query: ListQuery<Field, Filter>) => Promise<ListResult<Row>>
  batches: (query: ListQuery<Field, Filter>) => AsyncGenerator<Row[], void>
}

/**
 * Answers a request for a declared list: with a page, a cursor step, or the whole list as a stream.
 * Throws 400 with the allowed parameters.
 */
export async function answerList<
  Row,
  Field extends string,
  Column extends string,
  Filter extends string,
>(
  ctx: HttpContext,
  list: ListDeclaration<Field, Column, Filter>,
  read: ListReader<Row, Field, Filter>,
  about: StreamedList<Row>
) {
  const query = listQueryOf(ctx, list)
  if (!query.page) {
    return streamList(ctx, read.batches(query), about)
  }
  const page = await read.page(query)
  const items = page.rows.map(about.item)
  const extras = { ...about.extras, ...pagedList(ctx, list, query, page) }
  return success({ [about.member]: items }, about.message, extras)
}
