import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import type { AppliedZone } from '#changes/change_context'
import { PlanMoved } from '#changes/known_plans'
import { RequestFiled } from '#changes/requests/filing'
import { zoneId } from '#controllers/api/zones_controller'
import { planForm } from '#validators/web/zone_draft'
import { Drafts, draftProblem, type DraftProblem } from '#web/drafts'
import { toast } from '#web/page'
import { planView, type PlanView } from '#web/plan_view'
import { draftIn, type Draft } from '#web/zone_draft'
import { zoneHead } from '#web/zone_tabs'
import { ZoneDirectory, type OpenZone } from '#zones/directory'

/** What the page of a plan shows. */
export interface Review {
  draft: Draft
  plan: PlanView | null
  problem?: DraftProblem | null
  reason?: string
}

/** /zones/{id}/plan, /zones/{id}/apply */
@inject()
export default class ZoneChangesController {
  constructor(
    private readonly directory: ZoneDirectory,
    private readonly drafts: Drafts
  ) {}

  async plan(ctx: HttpContext) {
    const open = await this.directory.open(ctx.actor, zoneId(ctx), 'zone.edit_records')
    const { changes } = await ctx.request.validateUsing(planForm)
    const draft = await draftIn(changes)
    try {
      const plan = await this.drafts.plan(ctx.actor, open, draft)
      return reviewPage(ctx, open, { draft, plan: planView(plan) })
    } catch (error) {
      return refused(ctx, open, { draft, plan: null }, error)
    }
  }

  async apply(ctx: HttpContext) {
    const open = await this.directory.open(ctx.actor, zoneId(ctx), 'zone.edit_records')
    const form = await ctx.request.validateUsing(planForm)
    const { plan_hash: planHash = '', reason = '' } = form
    const draft = await draftIn(form.changes)
    try {
      const terms = { planHash, reason: reason || null }
      const applied = await this.drafts.apply(ctx.actor, open, draft, terms)
      applyToast(ctx, applied, 'plan.applied')
    } catch (error) {
      if (error instanceof RequestFiled) {
        const text = ctx.i18n.t('plan.filed', { id: error.request.id })
        toast(ctx, { kind: 'done', text, applied: open.zone.id })
      } else if (error instanceof PlanMoved) {
        const plan = error.plan && planView(error.plan)
        const problem = { status: 409, message: ctx.i18n.t('plan.moved'), change: null }
        return reviewPage(ctx, open, { draft, plan, problem, reason })
      } else {
        return refused(ctx, open, { draft, plan: null, reason }, error)
      }
    }
    return ctx.response.redirect().status(303).toPath(`/zones/${open.zone.id}`)
  }
}

/** Tells what was done, and offers to take it back. */
export function applyToast(ctx: HttpContext, applied: AppliedZone, message: string): void {
  const { entry, zone, changes, serialAfter } = applied
  const action = entry !== null && {
    label: ctx.i18n.t('plan.undo'),
    url: `/zones/${zone.id}/history/${entry}/undo`,
  }
  const text = ctx.i18n.t(entry === null ? 'plan.nothing' : message, {
    count: changes.length,
    serial: String(serialAfter ?? ''),
  })
  toast(ctx, { kind: 'done', text, applied: zone.id, ...(action ? { action } : {}) })
}

/** The page that asks whether to apply a plan, or its inside alone, for the editor's dialog. */
export function reviewPage(ctx: HttpContext, open: OpenZone, review: Review) {
  ctx.response.status(review.problem?.status ?? 200)
  const isFragment = ctx.request.header('x-fragment') === 'plan'
  if (isFragment) {
    // Pages of errors and of signing in are no part of a dialog: they lack this.
    ctx.response.header('X-Fragment', 'plan')
  }
  return ctx.view.render(isFragment ? 'partials/plan' : 'pages/zones/plan', {
    zone: zoneHead(ctx.actor, open, 'records'),
    plan: review.plan,
    problem: review.problem ?? null,
    reason: review.reason ?? '',
    changes: JSON.stringify(review.draft),
  })
}

/** The same with why it cannot be; throws what is told by a page of its own. */
function refused(ctx: HttpContext, open: OpenZone, review: Review, error: unknown) {
  const problem = draftProblem(ctx.i18n, review.draft, error)
  if (!problem) {
    throw error
  }
  return reviewPage(ctx, open, { ...review, problem })
}
