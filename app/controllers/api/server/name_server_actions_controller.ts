import { zoneId } from '#controllers/support/params'
import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import { answerOutcome, untaggedWrite } from '#controllers/support/answer_outcome'
import { optionalBody } from '#controllers/support/request_body'
import { success } from '#transformers/envelope'
import { writeValidator } from '#validators/fields'
import { NameServerCalls, type ServerCall } from '#zones/name_server_actions'

/** /api/v2/zones/{id}/notify, retrieve and flush */
@inject()
export default class NameServerCallsController {
  constructor(private readonly calls: NameServerCalls) {}

  notify(ctx: HttpContext) {
    return this.#run(ctx, 'notify', 'The secondaries are being notified')
  }

  retrieve(ctx: HttpContext) {
    return this.#run(ctx, 'retrieve', 'The zone is being retrieved from its primary')
  }

  flush(ctx: HttpContext) {
    return this.#run(ctx, 'flush', 'Cache flushed on the name server')
  }

  async #run(ctx: HttpContext, call: ServerCall, message: string) {
    const context = await this.calls.open(ctx.actor, zoneId(ctx))
    const body = await optionalBody(ctx, writeValidator)
    const outcome = await untaggedWrite(ctx, body, (intent) =>
      this.calls.callServer(intent, context, call)
    )
    return answerOutcome(ctx, outcome, () => success(null, message))
  }
}
