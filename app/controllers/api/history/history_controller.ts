import { answerOutcome } from '#controllers/support/answer_outcome'
import { zoneId } from '#controllers/support/params'
import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import { requireView, canViewMetadata } from '#access/demand'
import type { Intent } from '#changes/model/intent'
import { historyQuery, pointIn, pointOf } from '#controllers/api/history/history_query'
import { paged, pageOf } from '#controllers/support/paging'
import { optionalBody, validBody } from '#controllers/support/request_body'
import { writeTerms } from '#controllers/support/write_terms'
import { mapYielding, joinYielding } from '#database/event_loop'
import { writeZoneFile } from '#dns/zonefile/index'
import { invalid } from '#exceptions/refusal'
import { success } from '#transformers/envelope'
import { entryItem, propertiesOf, zoneAtDetail } from '#transformers/history'
import { changeDetailYielding, changeItem } from '#transformers/plan'
import { rrsetItem } from '#transformers/rrset'
import { restoreValidator, undoValidator } from '#validators/history'
import { ZoneDirectory, type OpenZone } from '#zones/directory'
import { pointFrom } from '#zones/history/point'
import { RestoreZone } from '#zones/history/restore'
import { UndoEntry } from '#zones/history/undo'
import { ZoneHistory } from '#zones/history/history'

/** Default page of the list. */
const FIRST_PAGE = { number: 1, size: 100, offset: 0 }

/** /api/v2/zones/{id}/history, /at, /diff, /restore */
@inject()
export default class HistoryController {
  constructor(
    private readonly directory: ZoneDirectory,
    private readonly history: ZoneHistory,
    private readonly undoEntry: UndoEntry,
    private readonly restoreZone: RestoreZone
  ) {}

  async index(ctx: HttpContext) {
    const openedZone = await this.directory.open(ctx.actor, zoneId(ctx), 'zone.view_history')
    const page = pageOf(ctx) ?? FIRST_PAGE
    const { query, withChanges } = historyQuery(ctx, openedZone.zone.name)
    const isFromCursor = query.before !== undefined
    const window = { offset: isFromCursor ? 0 : page.offset, limit: page.size }
    if (withChanges) {
      requireView(ctx.actor, openedZone.facts)
    }
    const { entries, hasMore, total, journal } = await this.history.list(openedZone, query, window)
    const details = withChanges ? await journal.withChanges(entries) : null
    const withMetadata = canViewMetadata(ctx.actor, openedZone.facts)
    const items: object[] = []
    for (const [index, entry] of entries.entries()) {
      const changes = details && (await mapYielding(details[index].changes, changeItem))
      items.push(entryItem(entry, { changes, withMetadata }))
    }
    const nextCursor = hasMore ? String(entries[entries.length - 1].entry) : null
    return success(
      { entries: items, next_cursor: nextCursor },
      'History retrieved successfully',
      total === null ? {} : paged(page, total)
    )
  }

  async show(ctx: HttpContext) {
    const openedZone = await this.#openContents(ctx)
    const entry = await this.history.entry(openedZone, Number(ctx.params.entry))
    const withMetadata = canViewMetadata(ctx.actor, openedZone.facts)
    const changes = await mapYielding(entry.changes, changeItem)
    const item = entryItem(entry, { changes, withMetadata })
    return success({ entry: item }, 'Entry retrieved successfully')
  }

  /** A former state of the zone, as JSON or as a zone file. */
  async showAt(ctx: HttpContext) {
    const openedZone = await this.#openContents(ctx)
    const then = await this.history.stateAt(openedZone, pointOf(ctx))
    if (ctx.request.accepts(['json', 'text/dns']) === 'text/dns') {
      const { rrsets, zone, comments } = then
      ctx.response.header('Content-Type', 'text/dns; charset=utf-8')
      return joinYielding(writeZoneFile({ apex: zone.name, rrsets, comments }))
    }
    const rrsets = await mapYielding(then.rrsets, rrsetItem)
    return success(zoneAtDetail(then, rrsets), 'Zone retrieved successfully')
  }

  async diff(ctx: HttpContext) {
    const openedZone = await this.#openContents(ctx)
    const from = pointIn('from', ctx)
    if (!from) {
      throw invalid("Query parameter 'from' is required: an entry number or a time (ISO 8601)")
    }
    const diff = await this.history.diff(openedZone, from, pointIn('to', ctx) ?? 'now')
    const { from: first, to, changes, properties } = diff
    const withMetadata = canViewMetadata(ctx.actor, openedZone.facts)
    return success(
      {
        from: first,
        to,
        properties: {
          before: propertiesOf(properties.before, withMetadata),
          after: propertiesOf(properties.after, withMetadata),
        },
        changes: await mapYielding(changes, changeItem),
      },
      'Difference retrieved successfully'
    )
  }

  /** The zone, for actors who may view its content: the history shows all its former records. */
  async #openContents(ctx: HttpContext): Promise<OpenZone> {
    const openedZone = await this.directory.open(ctx.actor, zoneId(ctx), 'zone.view_history')
    requireView(ctx.actor, openedZone.facts)
    return openedZone
  }

  async undo(ctx: HttpContext) {
    const openedZone = await this.directory.openVisible(ctx.actor, zoneId(ctx))
    const body = await optionalBody(ctx, undoValidator)
    const { intent, condition } = writeTerms(ctx, body)
    const number = Number(ctx.params.entry)
    const merge = body.merge ?? false
    const filing: Intent = { ...intent, review: 'file' }
    const outcome = await this.undoEntry.handle(filing, openedZone, number, { merge, condition })
    return answerOutcome(ctx, outcome, async (applied) => {
      const visible = await this.directory.visibleIds(ctx.actor, [applied.zone])
      return success(
        { change: await changeDetailYielding([applied], visible) },
        'Entry undone successfully'
      )
    })
  }

  async restore(ctx: HttpContext) {
    const openedZone = await this.directory.open(ctx.actor, zoneId(ctx), 'zone.edit_records')
    const body = await validBody(ctx, restoreValidator)
    const { intent, condition } = writeTerms(ctx, body)
    const { entry, time, name, type } = body
    const point = pointFrom(entry === undefined ? undefined : String(entry), time)
    const scope = { name, type }
    const filing: Intent = { ...intent, review: 'file' }
    const outcome = await this.restoreZone.handle(filing, openedZone, point, scope, condition)
    return answerOutcome(ctx, outcome, async (applied) => {
      const visible = await this.directory.visibleIds(ctx.actor, [applied.zone])
      return success(
        { change: await changeDetailYielding([applied], visible) },
        'Zone restored successfully'
      )
    })
  }
}
