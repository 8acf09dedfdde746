import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import { demand } from '#access/demand'
import { discardForm, restoreZoneForm } from '#validators/web/history'
import { intentOf } from '#changes/model/intent'
import { appliedResult } from '#changes/model/outcome'
import { LARGE_PAGE_ROWS, pageOf, pagerOf } from '#web/page/list_page'
import { goTo } from '#web/page/page'
import { denialsOf } from '#web/accounts/denial'
import { applied, planWrite, type PlanResult } from '#web/plans/planned'
import { displayName } from '#web/page/display_name'
import { isNamed } from '#web/forms/confirm_name'
import { WHOLE_LIST } from '#lists/query'
import { TrashBin } from '#zones/lifecycle/trash'
import { listTrash } from '#zones/lifecycle/trash_list'

/** The right for a zone whose former state is unknown. */
const CREATE_ZONE_ACTION = { action: 'zone.create', kind: 'MASTER' } as const

/** /trash: deleted zones and their restore. */
@inject()
export default class TrashController {
  constructor(private readonly trash: TrashBin) {}

  async index(ctx: HttpContext) {
    return this.#page(ctx)
  }

  /** The plan of a restore. */
  async create(ctx: HttpContext) {
    const plan = await planWrite(ctx, (intent) => this.trash.restore(intent, trashId(ctx)))
    return planPage(ctx, { reason: '', ...plan })
  }

  async store(ctx: HttpContext) {
    const { plan_hash: planHash, reason = '' } = await ctx.request.validateUsing(restoreZoneForm)
    const outcome = await applied(
      ctx,
      { planHash, reason: reason || null },
      (intent) => this.trash.restore(intent, trashId(ctx)),
      { moved: ctx.i18n.t('plan.moved') }
    )
    if (outcome.kind === 'refused') {
      return planPage(ctx, { reason, ...outcome })
    }
    const { zone, keysLost } = await appliedResult(outcome)
    const message = keysLost ? 'trash.restored_unsigned' : 'trash.restored'
    const text = ctx.i18n.t(message, { zone: zone.name })
    return goTo(ctx, `/zones/${zone.id}`, text, keysLost ? 'warning' : 'done')
  }

  /** Deletes a zone permanently, after its name was confirmed. */
  async destroy(ctx: HttpContext) {
    demand(ctx.actor, { action: 'trash.discard' })
    const { name = '' } = await ctx.request.validateUsing(discardForm)
    const id = trashId(ctx)
    const zone = await this.trash.find(ctx.actor, id)
    if (!isNamed(name, zone.zoneName)) {
      ctx.response.status(422)
      return this.#page(ctx, ctx.i18n.t('trash.other_name'))
    }
    await appliedResult(this.trash.discard(intentOf(ctx.actor), id))
    return goTo(ctx, '/trash', ctx.i18n.t('trash.discarded', { zone: zone.zoneName }))
  }

  async #page(ctx: HttpContext, problem: string | null = null) {
    const page = pageOf(ctx, LARGE_PAGE_ROWS)
    const { rows: zones, total } = await listTrash(ctx.actor, { ...WHOLE_LIST, page })
    const asked = await this.trash.restoreRequests(ctx.actor, zones)
    return ctx.view.render('pages/trash/index', {
      zones: zones.map((zone) => ({
        ...zone,
        name: displayName(zone.zoneName),
        ...denialsOf(ctx.actor, { denial: asked.get(zone.id) ?? CREATE_ZONE_ACTION }),
      })),
      maxRows: LARGE_PAGE_ROWS,
      pager: pagerOf(ctx, page, total ?? zones.length, zones.length, '/trash'),
      denials: denialsOf(ctx.actor, { discard: { action: 'trash.discard' } }),
      problem,
    })
  }
}

/** The id of the path; 0, which no row has, for a number above the range of ids. */
function trashId({ params }: HttpContext): number {
  const id = Number(params.id)
  return id <= 2_147_483_647 ? id : 0
}

function planPage(ctx: HttpContext, pageMembers: PlanResult & { reason: string }) {
  ctx.response.status(pageMembers.problem?.status ?? 200)
  const action = `/trash/${trashId(ctx)}/restore`
  return ctx.view.render('pages/trash/restore', { ...pageMembers, action, back: '/trash' })
}
