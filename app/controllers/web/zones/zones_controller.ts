import { zoneId } from '#controllers/support/params'
import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import { RECORD_LIST } from '#backends/contract/record_lists'
import { recordTypes } from '#dns/records/registry'
import { editorTexts } from '#web/editor/editor_texts'
import { addressWith, columnsOf, longPageQuery, pagerOf } from '#web/page/list_page'
import { recordView } from '#web/editor/record_view'
import { zoneHead } from '#web/page/zone_tabs'
import { ZoneDirectory } from '#zones/directory'
import { ZoneRecords } from '#zones/records/records'

/** /zones/{id} */
@inject()
export default class ZonesController {
  constructor(
    private readonly directory: ZoneDirectory,
    private readonly records: ZoneRecords
  ) {}

  async show(ctx: HttpContext) {
    const openedZone = await this.directory.open(ctx.actor, zoneId(ctx), 'zone.view')
    const query = longPageQuery(ctx, RECORD_LIST)
    const page = await this.records.list(openedZone, query)
    const { rows } = page
    const comments = await this.records.comments(openedZone, rows)
    const { description, lastEntry: entry } = await this.directory.describe(openedZone.zone)
    const { name = '', type = '', content = '' } = query.filters
    const isFragment = ctx.request.header('x-fragment') === 'records'
    if (isFragment) {
      ctx.response.header('X-Fragment', 'records')
    }
    return ctx.view.render(isFragment ? 'partials/editor/records' : 'pages/zones/show', {
      zone: { ...zoneHead(ctx.actor, openedZone, 'records'), description, entry },
      lacksNameServers: !isFragment && (await this.records.lacksNameServers(openedZone)),
      records: rows.map((record, index) =>
        recordView(record, openedZone.zone.name, comments[index])
      ),
      editorTexts: editorTexts(ctx.i18n),
      types: recordTypes(),
      columns: columnsOf(ctx, ['name', 'type', 'content', 'ttl', 'priority'], query),
      pager: pagerOf(ctx, query.page, page, rows.length),
      filters: { q: query.q ?? '', name, type, content },
      sort: (ctx.request.qs().sort as string | undefined) ?? '',
      isNarrowed: [query.q, name, type, content].some(Boolean),
      everything: addressWith(ctx, { q: null, name: null, type: null, content: null }),
    })
  }
}
