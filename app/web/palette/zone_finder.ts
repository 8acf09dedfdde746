import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import { SearchQueryError } from '#dns/search/split'
import { parseSearch } from '#dns/search/query'
import { Refusal } from '#exceptions/refusal'
import { pageQuery, type PagedQuery } from '#web/page/list_page'
import { plainReason } from '#web/forms/api_error_text'
import type { Page } from '#lists/page'
import { Search } from '#zones/search/search'
import type { SearchHit } from '#zones/search/hit'
import { ZONE_PAGE_LIST } from '#zones/list/computed_fields'
import { SHORT, SortedZones } from '#zones/list/sorted_list'
import { treeOf, ZoneList, type ZoneQuery } from '#zones/list/zone_list'
import type { ListedZone } from '#zones/list/full_list'

/** Maximum number of hits per zone in a row. */
const MAX_HITS_PER_ZONE = 3

/** A page of zones, as the URL requests it. */
export interface FoundPage {
  zones: ListedZone[]
  /** Matches in each zone; empty for plain lists. */
  hits: Map<number, SearchHit[]>
  total: number
  page: Page
  query: PagedQuery<keyof typeof ZONE_PAGE_LIST.sort, keyof typeof ZONE_PAGE_LIST.filters>
  /** The list cannot have the requested order, and has the default order. */
  isUnsorted: boolean
  /** Reason why the requested order is not possible, in English; null if it is possible. */
  unknownOrder: string | null
  /** Fields that sort the list. */
  sortable: (keyof typeof ZONE_PAGE_LIST.sort)[]
  /** Maximum number of zones in a list that can have every order. */
  maxSorted: number
  /** The search of GET /search found the zones: they are sorted by score only. */
  isSearch: boolean
  /** Whether `total` includes all matches. */
  isComplete: boolean
  /** The error of an invalid search, which has no results. */
  problem: string | null
}

/** Finds zones by an address: parts of names by the list of zones, all else by the search. */
@inject()
export class ZoneFinder {
  constructor(
    private readonly list: ZoneList,
    private readonly sorted: SortedZones,
    private readonly search: Search
  ) {}

  /** The page. Throws a 400 `Refusal` for parameters that are none. */
  async page(ctx: HttpContext): Promise<FoundPage> {
    const { query, unknownOrder } = queryOf(ctx)
    const { page, q } = query
    const foundPage = {
      page,
      query,
      hits: new Map<number, SearchHit[]>(),
      problem: null,
      isUnsorted: false,
      sortable: [],
      unknownOrder,
      maxSorted: SHORT.most,
    }
    const searched = q === null ? 'plain' : kindOf(q)
    if (typeof searched !== 'string') {
      const { problem } = searched
      return { ...foundPage, zones: [], total: 0, isSearch: true, isComplete: true, problem }
    }
    if (searched === 'plain') {
      const sorted = await this.sorted.page(ctx.actor, query)
      const unsortedQuery = { ...query, sort: [] }
      const { rows, total } = sorted ?? (await this.list.page(ctx.actor, unsortedQuery))
      const sortable = this.sorted.fields(ctx.actor, total ?? 0)
      const list = { zones: rows, total: total ?? 0, sortable, isSearch: false, isComplete: true }
      return sorted
        ? { ...foundPage, ...list }
        : { ...foundPage, ...list, query: unsortedQuery, isUnsorted: true }
    }
    const window = {
      offset: page.offset,
      limit: page.size,
      maxZones: MAX_HITS_PER_ZONE,
      isIncluded: inTree(query),
    }
    try {
      const { zones, total, isComplete } = await this.search.zones(ctx.actor, q ?? '', window)
      const hits = new Map(zones.map((zone) => [zone.id, zone.hits]))
      const listedZones = await this.list.listByIds(ctx.actor, [...hits.keys()])
      return { ...foundPage, hits, zones: listedZones, total, isSearch: true, isComplete }
    } catch (error) {
      if (!(error instanceof Refusal) || error.status !== 400) throw error
      const problem = plainReason(error.message)
      return { ...foundPage, zones: [], total: 0, isSearch: true, isComplete: true, problem }
    }
  }

  /** Returns the ids of all zones that a query finds; null for more than `maxZones`. */
  async all(ctx: HttpContext, query: ZoneQuery, maxZones: number): Promise<number[] | null> {
    const page = { number: 1, size: maxZones, offset: 0 }
    const { q } = query
    if (q !== null && kindOf(q) !== 'plain') {
      const window = { offset: 0, limit: maxZones, maxZones: 0, isIncluded: inTree(query) }
      const { zones, total, isComplete } = await this.search.zones(ctx.actor, q, window)
      return total > maxZones || !isComplete ? null : zones.map(({ id }) => id)
    }
    const { rows, total } = await this.list.page(ctx.actor, { ...query, page })
    return (total ?? 0) > maxZones ? null : rows.map(({ id }) => id)
  }
}

/** The query of the address; an unknown order is replaced by the default. */
function queryOf(ctx: HttpContext): Pick<FoundPage, 'query' | 'unknownOrder'> {
  try {
    return { query: pageQuery(ctx, ZONE_PAGE_LIST), unknownOrder: null }
  } catch (error) {
    const { sort, ...otherParameters } = ctx.request.qs()
    if (!(error instanceof Refusal) || sort === undefined) throw error
    return {
      query: pageQuery(ctx, ZONE_PAGE_LIST, undefined, otherParameters),
      unknownOrder: error.message,
    }
  }
}

/** Whether the name of the zone is in the requested part of the tree. */
function inTree({ filters: { tree } }: Pick<ZoneQuery, 'filters'>) {
  return (name: string) => tree === undefined || treeOf(name) === tree
}

/** One word is a part of a zone name; other texts are search queries. */
function kindOf(q: string): 'plain' | 'search' | { problem: string } {
  try {
    const terms = parseSearch(q)
    const [first] = terms
    const isPlain =
      terms.length === 1 && first.field === 'word' && !first.isPattern && !first.negated
    return isPlain && !/["\\]/.test(q) ? 'plain' : 'search'
  } catch (error) {
    if (error instanceof SearchQueryError) {
      return { problem: error.message }
    }
    throw error
  }
}
