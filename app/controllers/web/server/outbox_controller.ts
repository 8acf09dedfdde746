import type { HttpContext } from '@adonisjs/core/http'
import { demand } from '#access/demand'
import { timestampIn, retryEvents, readUnsettledEvents } from '#background/outbox/store'
import { toListedEvent } from '#background/outbox/report'
import { outboxForm } from '#validators/web/operations'
import { goTo } from '#web/page/page'

/** Maximum of events on the page. */
const MAX_MESSAGES_SHOWN = 200

/** /outbox: pending work after commits. */
export default class OutboxController {
  async index(ctx: HttpContext) {
    demand(ctx.actor, { action: 'server.manage_jobs' })
    const { waiting, abandoned, rows } = await readUnsettledEvents(MAX_MESSAGES_SHOWN)
    const currentTime = timestampIn(0)
    return ctx.view.render('pages/outbox/index', {
      waiting,
      abandoned,
      hidden: waiting + abandoned - rows.length,
      events: rows.map((row) => toListedEvent(row, currentTime)),
    })
  }

  /** Retries one event at once, or all that failed. */
  async retry(ctx: HttpContext) {
    demand(ctx.actor, { action: 'server.manage_jobs' })
    const { id = '' } = await ctx.request.validateUsing(outboxForm)
    const count = await retryEvents(ctx.actor, /^[1-9]\d{0,15}$/.test(id) ? Number(id) : null)
    const key = count > 0 ? 'outbox.retried' : 'outbox.nothing_retried'
    return goTo(ctx, '/outbox', ctx.i18n.t(key, { count }), count > 0 ? 'done' : 'warning')
  }
}
