import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import { RECORD_LIST } from '#backends/record_lists'
import { zoneId } from '#controllers/api/zones_controller'
import { recordTypes } from '#dns/records/registry'
import { addressWith, columnsOf, pageQuery, pagerOf } from '#web/list_page'
import { recordView } from '#web/record_view'
import { zoneHead } from '#web/zone_tabs'
import { ZoneDirectory } from '#zones/directory'
import { ZoneRecords } from '#zones/zone_records'

/** /zones/{id} */
@inject()
export default class ZonesController {
  constructor(
    private readonly directory: ZoneDirectory,
    private readonly records: ZoneRecords
  ) {}

  async show(ctx: HttpContext) {
    const open = await this.directory.open(ctx.actor, zoneId(ctx), 'zone.view')
    const query = pageQuery(ctx, RECORD_LIST)
    const { rows, total } = await this.records.list(open, query)
    const { description } = await this.directory.describe(open.zone)
    const { name = '', type = '', content = '' } = query.filters
    return ctx.view.render('pages/zones/show', {
      zone: { ...zoneHead(ctx.actor, open, 'records'), description },
      records: rows.map((record) => recordView(record, open.zone.name)),
      types: recordTypes().map((known) => known.type),
      columns: columnsOf(ctx, ['name', 'type', 'content', 'ttl', 'priority'], query),
      pager: pagerOf(ctx, query.page, total ?? 0, rows.length),
      filters: { q: query.q ?? '', name, type, content },
      sort: (ctx.request.qs().sort as string | undefined) ?? '',
      isNarrowed: [query.q, name, type, content].some(Boolean),
      everything: addressWith(ctx, { q: null, name: null, type: null, content: null }),
    })
  }
}
