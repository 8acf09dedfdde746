import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import { BackendManager } from '#backends/manager'
import { answerEvents, eventTypesIn, lastEventIn } from '#controllers/api/server/event_answer'
import { EventVisibility } from '#events/visibility'
import { forbidden } from '#exceptions/refusal'
import { comesFromForeignPage } from '#middleware/foreign_page'
import { stillSignedIn } from '#web/session/session_check'

/** Maximum of missed events that a reconnected page gets; a later page must reload. */
const MAX_EVENTS_READ = 10_000

/** /live: events for open pages. */
@inject()
export default class LiveController {
  readonly #visibility: EventVisibility

  constructor(manager: BackendManager) {
    this.#visibility = new EventVisibility(manager.use())
  }

  /**
   * The events of GET /api/v2/events for a session; ends with the session, and with each right that
   * is revoked.
   */
  async stream(ctx: HttpContext) {
    if (comesFromForeignPage(ctx)) {
      throw forbidden('Pages of other sites cannot open this event stream')
    }
    // An open page does not count as activity of the user.
    ctx.isUnattended = true
    const after = lastEventIn(ctx)
    const types = eventTypesIn(ctx)
    const follows = (ctx.request.qs() as { follow?: string }).follow !== 'false'
    const caller = () => stillSignedIn(ctx)
    const terms = { after, types, follows, zoneId: null, caller }
    answerEvents(ctx, this.#visibility, {
      ...terms,
      maxPastEntries: MAX_EVENTS_READ,
      isOutline: true,
    })
  }
}
