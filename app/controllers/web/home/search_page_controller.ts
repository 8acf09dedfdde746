import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import { presentContent } from '#dns/records/registry'
import { Refusal } from '#exceptions/refusal'
import { parsePage } from '#lists/page'
import { addressWith, pagerOf } from '#web/page/list_page'
import { hitAddress } from '#web/palette/search_hit_url'
import { plainReason } from '#web/forms/api_error_text'
import { displayName, shownOwner } from '#web/page/display_name'
import type { SearchHit } from '#zones/search/hit'
import { HIT_FIELDS, type HitField } from '#zones/search/hit_field'
import { Search, type FoundInField } from '#zones/search/search'

/** Examples on the page. */
const EXAMPLES = [
  'type:MX',
  'name:mail*',
  'content:192.0.2.',
  'ttl<300',
  '"some words"',
  '-disabled:true',
]
const MAX_ROWS = 100

/** /search: the search with the grammar of GET /search. */
@inject()
export default class SearchPageController {
  constructor(private readonly search: Search) {}

  async index(ctx: HttpContext) {
    const {
      q = '',
      in: wanted,
      page: number,
    } = ctx.request.qs() as Record<string, string | undefined>
    const hitField = HIT_FIELDS.find((one) => one === wanted) ?? null
    const size = String(Math.min(ctx.preferences.rowsPerPage, MAX_ROWS))
    const page = parsePage({ page: number, per_page: size })!
    const { found, problem } = await this.#findHits(ctx, q, { ...page, place: hitField })
    if (problem) ctx.response.status(422)
    return ctx.view.render('pages/search', {
      q,
      place: hitField,
      problem,
      found,
      rows: found?.hits.map(rowOf) ?? [],
      places: found ? fieldTabs(ctx, found, hitField) : [],
      examples: EXAMPLES,
      pager: pagerOf(ctx, page, found?.total ?? 0, found?.hits.length ?? 0),
    })
  }

  async #findHits(
    ctx: HttpContext,
    q: string,
    { offset, size, place }: { offset: number; size: number; place: HitField | null }
  ): Promise<{ found: FoundInField | null; problem: string | null }> {
    if (q.trim() === '') {
      return { found: null, problem: null }
    }
    try {
      const found = await this.search.findIn(ctx.actor, q, { offset, limit: size, place })
      return { found, problem: null }
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 400) throw error
      return { found: null, problem: plainReason(error.message) }
    }
  }
}

function fieldTabs(ctx: HttpContext, { counts }: FoundInField, current: HitField | null) {
  const all = Object.values(counts).reduce((sum, count) => sum + count, 0)
  return [null, ...HIT_FIELDS].map((hitField) => ({
    href: addressWith(ctx, { in: hitField }),
    label: ctx.i18n.t(`search.in_${hitField ?? 'all'}`, {
      count: hitField ? counts[hitField] : all,
    }),
    current: hitField === current,
  }))
}

function rowOf(hit: SearchHit) {
  const { kind, name, zoneName, type, text } = hit
  const isRecord = kind === 'record' && type !== null && text !== null
  return {
    kind,
    type,
    owner: kind === 'zone' ? displayName(zoneName) : shownOwner(name, zoneName),
    zone: displayName(zoneName),
    zoneHref: `/zones/${hit.zoneId}`,
    text: isRecord ? presentContent(type, text) : (text ?? ''),
    href: hitAddress(hit),
  }
}
