import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import { actOnSomeZone } from '#access/rules/zone_rules'
import { listViews } from '#accounts/preferences/saved_views'
import { MAX_SELECTED_ZONES, type BulkAction } from '#web/bulk/bulk'
import { addressWith, columnsOf, pagerOf } from '#web/page/list_page'
import { goTo } from '#web/page/page'
import { denialOf, zoneCreationDenial } from '#web/accounts/denial'
import { currentUser } from '#web/session/current_user'
import { columnsIn, columnsText, ZONE_COLUMNS } from '#web/zones/columns'
import { ZoneFinder } from '#web/palette/zone_finder'
import { zoneRow } from '#web/zones/rows'
import { NAME_TREES } from '#zones/list/zone_list'
import { ZoneSummaries } from '#zones/list/summaries'

/** /zones */
@inject()
export default class ZoneListController {
  constructor(
    private readonly finder: ZoneFinder,
    private readonly summaries: ZoneSummaries
  ) {}

  async index(ctx: HttpContext) {
    const parameters = ctx.request.qs() as Record<string, string | undefined>
    if (parameters.choose !== undefined) {
      return chosenColumns(ctx, parameters)
    }
    const { actor } = currentUser(ctx)
    const foundPage = await this.finder.page(ctx)
    const { query, hits, total, isSearch } = foundPage
    const summaries = await this.summaries.readVisible(actor, foundPage.zones)
    const columns = columnsIn(parameters.columns)
    const bulk = BULK_ACTIONS_SHOWN.map(({ action, needs }) => ({
      action,
      denial: denialOf(actOnSomeZone(actor, needs)),
    }))
    const tree = query.filters.tree
    if (foundPage.problem) ctx.response.status(422)
    return ctx.view.render('pages/zones/index', {
      rows: summaries.map((zone) => zoneRow(zone, hits.get(zone.id))),
      shows: Object.fromEntries(ZONE_COLUMNS.map((column) => [column, columns.includes(column)])),
      allColumns: ZONE_COLUMNS,
      columnsText: parameters.columns ?? '',
      sorted: isSearch ? null : columnsOf(ctx, foundPage.sortable, query),
      unsorted: foundPage.isUnsorted ? foundPage.maxSorted : null,
      maxSorted: foundPage.maxSorted,
      unknownOrder: foundPage.unknownOrder,
      pager: pagerOf(ctx, query.page, total, foundPage.zones.length),
      trees: [undefined, ...NAME_TREES].map((one) => ({
        href: addressWith(ctx, { tree: one ?? null }),
        label: `zones.tree_${one ?? 'all'}`,
        current: one === tree,
      })),
      q: query.q ?? '',
      tree: tree ?? '',
      sort: parameters.sort ?? '',
      found: { isSearch, isComplete: foundPage.isComplete, problem: foundPage.problem },
      isNarrowed: query.q !== null || query.filters.name !== undefined || tree !== undefined,
      everything: addressWith(ctx, { q: null, tree: null, name: null }),
      views: await listViews(actor.userId),
      address: new URLSearchParams(stateOf(parameters)).toString(),
      actions: bulk.flatMap(({ action, denial }) => (denial ? [] : [action])),
      deniedActions: bulk.filter(({ denial }) => denial !== null),
      // "All" is offered up to the limit of a bulk action.
      allThatMatch: total > foundPage.zones.length && total <= MAX_SELECTED_ZONES ? total : 0,
      maxSelected: MAX_SELECTED_ZONES,
      creation: zoneCreationDenial(actor),
    })
  }
}

const BULK_ACTIONS_SHOWN = [
  { action: 'owner', needs: 'zone.edit_owners' },
  { action: 'template', needs: 'zone.link_template' },
  { action: 'delete', needs: 'zone.delete' },
] as const satisfies { action: BulkAction; needs: Parameters<typeof actOnSomeZone>[1] }[]

/** Parameters of the URL that identify the list, without its page. */
function stateOf({ q, tree, sort, columns }: Record<string, string | undefined>) {
  return Object.entries({ q, tree, sort, columns }).filter(
    (entry): entry is [string, string] => entry[1] !== undefined && entry[1] !== ''
  )
}

/** The form has a checkbox for each column; redirects to a URL that names the columns. */
function chosenColumns(ctx: HttpContext, parameters: Record<string, string | undefined>) {
  const chosen = ZONE_COLUMNS.filter((column) => parameters[`show_${column}`] !== undefined)
  const query = new URLSearchParams(stateOf({ ...parameters, columns: undefined }))
  const text = columnsText(chosen)
  if (text !== null) query.set('columns', text)
  const address = query.size > 0 ? `/zones?${query.toString()}` : '/zones'
  return goTo(ctx, address)
}
