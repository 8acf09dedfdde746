import type { HttpContext } from '@adonisjs/core/http'
import { demand } from '#access/demand'
import { luaReport } from '#health/lua_records'
import { ServerStatus, type ServerStatusReport } from '#health/server_status'
import { unaskedReason } from '#web/forms/errors'
import { denialsOf } from '#web/accounts/denial'
import { hitRate, metricGroups } from '#web/admin/server_metrics'

/** Caches whose hit rate the page shows. */
const CACHES = ['packetcache', 'query-cache']

/** /server: status of the name server. */
export default class ServerStatusController {
  readonly #status = new ServerStatus()

  async show(ctx: HttpContext) {
    demand(ctx.actor, { action: 'server.view_status' })
    const { q = '', probe } = ctx.request.qs() as Record<string, string | undefined>
    const isProbed = probe !== undefined
    if (isProbed) {
      demand(ctx.actor, { action: 'server.view_autoprimaries' })
    }
    const report = await this.#report(ctx, isProbed)
    return ctx.view.render('pages/server/status', {
      q,
      lua: await luaReport(),
      isProbed,
      ...denialsOf(ctx.actor, { probeDenial: { action: 'server.view_autoprimaries' } }),
      unasked: 'unasked' in report ? report.unasked : null,
      server: 'unasked' in report ? null : viewOf(report, q),
    })
  }

  async #report(ctx: HttpContext, autoprimaries: boolean) {
    try {
      this.#status.demandConfigured()
      return await this.#status.report({ autoprimaries })
    } catch (error) {
      const unasked = unaskedReason(ctx, error)
      if (!unasked) throw error
      return { unasked }
    }
  }
}

function viewOf({ server, autoprimaries }: ServerStatusReport, q: string) {
  const { version, daemonType, uptimeSeconds, metrics } = server
  const rates = CACHES.map((name) => ({ name, rate: hitRate(metrics, name) }))
  return {
    version,
    daemonType,
    uptimeSeconds,
    rates: rates.filter(({ rate }) => rate !== null),
    groups: metricGroups(metrics, q),
    autoprimaries,
  }
}
