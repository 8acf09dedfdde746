import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import { authorize } from '#access/authorize'
import { BackendManager } from '#backends/manager'
import { answerEvents, eventTypesIn, lastEventIn } from '#controllers/api/server/event_answer'
import { rowIdFilter } from '#controllers/support/row_id_filter'
import { EventVisibility } from '#events/visibility'
import { invalid } from '#exceptions/refusal'
import { callerOf } from '#middleware/authentication_middleware'

/** /api/v2/events */
@inject()
export default class EventsController {
  readonly #visibility: EventVisibility

  constructor(manager: BackendManager) {
    this.#visibility = new EventVisibility(manager.use())
  }

  /** Server-sent events that the caller may see. */
  async stream(ctx: HttpContext) {
    answerEvents(ctx, this.#visibility, { ...termsOf(ctx), caller: () => readerOf(ctx) })
  }
}

/** The current caller; null after the end of its access. */
async function readerOf(ctx: HttpContext) {
  const actor = await callerOf(ctx)
  const view = { action: 'key.operate' as const, operations: ['view' as const] }
  return actor && authorize(actor, view).allowed ? actor : null
}

function termsOf(ctx: HttpContext) {
  const { follow = 'true' } = ctx.request.qs() as Record<string, string>
  if (follow !== 'true' && follow !== 'false') {
    throw invalid(`'follow' must be true or false; found ${JSON.stringify(follow.slice(0, 100))}`)
  }
  return {
    after: lastEventIn(ctx),
    follows: follow === 'true',
    types: eventTypesIn(ctx),
    zoneId: rowIdFilter(ctx, 'zone_id'),
  }
}
