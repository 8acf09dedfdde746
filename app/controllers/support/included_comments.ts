import type { HttpContext } from '@adonisjs/core/http'
import type { ListReader } from '#controllers/support/declared_list'
import { invalid } from '#exceptions/refusal'

/**
 * Whether `include=comments` is set. Comments are no part of entity tags. Throws a 400 `Refusal`
 * for another value.
 */
export function includesComments({ request }: HttpContext): boolean {
  const word = request.qs().include as string | undefined
  if (word !== undefined && word !== '' && word !== 'comments') {
    throw invalid(
      `Query parameter 'include' must be comments, found ${JSON.stringify(word.slice(0, 100))}`
    )
  }
  return word === 'comments'
}

/** The readers of a list; each row gets its comments, unless `commented` is null. */
export function commentedList<Row, Field extends string, Filter extends string>(
  read: ListReader<Row, Field, Filter>,
  commented: ((rows: Row[]) => Promise<Row[]>) | null
): ListReader<Row, Field, Filter> {
  if (!commented) return read
  return {
    async page(query) {
      const page = await read.page(query)
      return { ...page, rows: await commented(page.rows) }
    },
    async *batches(query) {
      for await (const rows of read.batches(query)) yield await commented(rows)
    },
  }
}
