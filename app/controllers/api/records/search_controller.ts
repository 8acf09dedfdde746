import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import { paged } from '#controllers/support/paging'
import { parsePage, type Page } from '#lists/page'
import { invalid } from '#exceptions/refusal'
import { SEARCH_EXAMPLES } from '#dns/search/fields'
import { success } from '#transformers/envelope'
import { searchResult } from '#transformers/search_result'
import { Search } from '#zones/search/search'

const FIRST_PAGE_SIZE = 50

/** /api/v2/search */
@inject()
export default class SearchController {
  constructor(private readonly search: Search) {}

  async index(ctx: HttpContext) {
    const { q } = ctx.request.qs() as { q?: string }
    if (q === undefined || q.trim() === '') {
      throw invalid(
        `Query parameter 'q' is missing: enter search words, or fields such as ${SEARCH_EXAMPLES}`
      )
    }
    const page = pageOf(ctx)
    const { hits, total, isComplete } = await this.search.find(ctx.actor, q, page.offset, page.size)
    return success(
      { results: hits.map(searchResult), is_complete: isComplete },
      'Search completed successfully',
      paged(page, total)
    )
  }
}

/** A search has no whole list: without `per_page`, the default size applies. */
function pageOf({ request }: HttpContext): Page {
  const parameters = request.qs()
  const size = String(FIRST_PAGE_SIZE)
  return parsePage(parameters) ?? parsePage({ ...parameters, per_page: size })!
}
