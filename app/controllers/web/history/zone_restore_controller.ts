import { zoneId } from '#controllers/support/params'
import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import { requireView } from '#access/demand'
import { outcomeToast } from '#controllers/web/records/change_toasts'
import { restoreForm } from '#validators/web/history'
import { typedPoint } from '#web/format/date_input'
import { goTo } from '#web/page/page'
import { applied, planWrite, type PlanResult } from '#web/plans/planned'
import { zoneHead } from '#web/page/zone_tabs'
import { ZoneDirectory, type OpenZone } from '#zones/directory'
import { RestoreZone, type RestoreScope } from '#zones/history/restore'
import { ZoneHistory } from '#zones/history/history'

/** /zones/{id}/restore: restores records to a former state. */
@inject()
export default class ZoneRestoreController {
  constructor(
    private readonly directory: ZoneDirectory,
    private readonly restoreZone: RestoreZone,
    private readonly history: ZoneHistory
  ) {}

  async create(ctx: HttpContext) {
    const openedZone = await this.#open(ctx)
    const { point = '', name, type } = ctx.request.qs() as Record<string, string | undefined>
    const historyPoint = typedPoint('point', point, ctx.preferences.timeZone)
    // An entry instead of a time: a time of today could name another state when the plan is
    // applied.
    const entry = await this.history.entryOf(openedZone, historyPoint)
    const scope = scopeOf(name, type)
    const plan = await planWrite(ctx, (intent) =>
      this.restoreZone.handle(intent, openedZone, { entry }, scope)
    )
    return page(ctx, openedZone, { entry, scope, reason: '', ...plan })
  }

  async store(ctx: HttpContext) {
    const openedZone = await this.#open(ctx)
    const form = await ctx.request.validateUsing(restoreForm)
    const scope = scopeOf(form.name, form.type)
    const { entry, plan_hash: planHash, reason = '' } = form
    const outcome = await applied(
      ctx,
      { planHash, reason: reason || null },
      (intent) => this.restoreZone.handle(intent, openedZone, { entry }, scope),
      { moved: ctx.i18n.t('plan.moved') }
    )
    if (outcome.kind === 'refused') {
      return page(ctx, openedZone, { entry, scope, reason, ...outcome })
    }
    await outcomeToast(ctx, outcome)
    return goTo(ctx, `/zones/${openedZone.zone.id}`)
  }

  async #open(ctx: HttpContext): Promise<OpenZone> {
    const openedZone = await this.directory.open(ctx.actor, zoneId(ctx), 'zone.edit_records')
    requireView(ctx.actor, openedZone.facts)
    return openedZone
  }
}

function scopeOf(name?: string, type?: string): RestoreScope {
  return { ...(name ? { name } : {}), ...(type ? { type } : {}) }
}

function page(
  ctx: HttpContext,
  openedZone: OpenZone,
  shown: PlanResult & { entry: number; scope: RestoreScope; reason: string }
) {
  ctx.response.status(shown.problem?.status ?? 200)
  const path = `/zones/${openedZone.zone.id}`
  return ctx.view.render('pages/zones/history/restore', {
    ...shown,
    entry: String(shown.entry),
    zone: zoneHead(ctx.actor, openedZone, 'history'),
    action: `${path}/restore`,
    back: `${path}/history`,
  })
}
