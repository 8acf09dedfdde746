import { zoneId } from '#controllers/support/params'
import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import { intentOf } from '#changes/model/intent'
import { isReplica } from '#backends/contract/zone_kinds'
import { formProblem } from '#controllers/web/accounts/account_form_errors'
import { goTo } from '#web/page/page'
import { zoneHead } from '#web/page/zone_tabs'
import { ZoneDirectory } from '#zones/directory'
import { NameServerCalls, type ServerCall } from '#zones/name_server_actions'

/** /zones/{id}/notify, retrieve and flush */
@inject()
export default class ZoneCallsController {
  constructor(
    private readonly directory: ZoneDirectory,
    private readonly calls: NameServerCalls
  ) {}

  notify(ctx: HttpContext) {
    return this.#run(ctx, 'notify')
  }

  retrieve(ctx: HttpContext) {
    return this.#run(ctx, 'retrieve')
  }

  flush(ctx: HttpContext) {
    return this.#run(ctx, 'flush')
  }

  async #run(ctx: HttpContext, call: ServerCall) {
    const openedZone = await this.directory.open(ctx.actor, zoneId(ctx), 'zone.tell_server')
    const back = `/zones/${openedZone.zone.id}/settings`
    try {
      await this.calls.callServer(
        intentOf(ctx.actor),
        await this.calls.open(ctx.actor, openedZone.zone.id),
        call
      )
    } catch (error) {
      const problem = formProblem(ctx, error)
      ctx.response.status(problem.status)
      return ctx.view.render('pages/zones/calls', {
        zone: zoneHead(ctx.actor, openedZone, 'settings'),
        problem,
        isReplica: isReplica(openedZone.zone),
        callDenial: null,
        back,
      })
    }
    return goTo(ctx, back, ctx.i18n.t(`server.told_${call}`))
  }
}
