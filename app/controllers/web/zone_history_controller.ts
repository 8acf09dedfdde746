import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import { authorize } from '#access/authorize'
import { maySee } from '#access/demand'
import { intentOf } from '#changes/intent'
import { RequestFiled } from '#changes/requests/filing'
import { zoneId } from '#controllers/api/zones_controller'
import { applyToast } from '#controllers/web/review_page'
import { historyEntry } from '#web/history_view'
import { toast } from '#web/page'
import { zoneHead } from '#web/zone_tabs'
import { ZoneDirectory } from '#zones/directory'
import { UndoEntry } from '#zones/undo_entry'
import { ZoneHistory } from '#zones/zone_history'

const ENTRIES = 20

/** /zones/{id}/history */
@inject()
export default class ZoneHistoryController {
  constructor(
    private readonly directory: ZoneDirectory,
    private readonly history: ZoneHistory,
    private readonly undoEntry: UndoEntry
  ) {}

  async index(ctx: HttpContext) {
    const open = await this.directory.open(ctx.actor, zoneId(ctx), 'zone.view_history')
    const before = beforeOf(ctx)
    const query = before === null ? {} : { before }
    const window = { offset: 0, limit: ENTRIES }
    const { entries, hasMore, journal } = await this.history.list(open, query, window)
    const withChanges = maySee(ctx.actor, open.facts)
    const details = withChanges
      ? await journal.withChanges(entries)
      : entries.map((entry) => ({ ...entry, changes: [] }))
    return ctx.view.render('pages/zones/history', {
      zone: zoneHead(ctx.actor, open, 'history'),
      entries: details.map((entry) => historyEntry(entry, open.zone.name)),
      withChanges,
      mayUndo: authorize(ctx.actor, { action: 'zone.edit_records', zone: open.facts }).allowed,
      older: hasMore ? `/zones/${open.zone.id}/history?before=${entries.at(-1)?.entry}` : null,
      isFirst: before === null,
    })
  }

  async undo(ctx: HttpContext) {
    const open = await this.directory.openVisible(ctx.actor, zoneId(ctx))
    const intent = intentOf(ctx.actor, { review: 'file' })
    try {
      const number = Number(ctx.params.entry)
      const applied = await this.undoEntry.handle(intent, open, number, { merge: false })
      applyToast(ctx, applied, 'plan.undone')
    } catch (error) {
      if (!(error instanceof RequestFiled)) {
        throw error
      }
      toast(ctx, { kind: 'done', text: ctx.i18n.t('plan.filed', { id: error.request.id }) })
    }
    return ctx.response.redirect().status(303).toPath(`/zones/${open.zone.id}`)
  }
}

/** Entries before this one; null for the newest. */
function beforeOf({ request }: HttpContext): number | null {
  const { before } = request.qs()
  return typeof before === 'string' && /^[1-9]\d{0,8}$/.test(before) ? Number(before) : null
}
