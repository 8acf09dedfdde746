import type { HttpContext } from '@adonisjs/core/http'
import type { AppliedZone } from '#changes/model/zone_plan'
import { intentOf, type Intent } from '#changes/model/intent'
import { StalePlan } from '#changes/planning/plan_store'
import type { Outcome } from '#changes/model/outcome'
import { outcomeToast } from '#controllers/web/records/change_toasts'
import { formProblem } from '#controllers/web/accounts/account_form_errors'
import { reviewTerms } from '#web/forms/review_options'
import type { FormProblem } from '#web/forms/errors'
import { goTo } from '#web/page/page'
import { submitOnce } from '#web/forms/form_token'
import { planView, type PlanView } from '#web/plans/plan_view'
import { planWrite } from '#web/plans/planned'
import type { ImportPreview } from '#web/zones/import_preview'
import { zoneHead, type ZoneTab } from '#web/page/zone_tabs'
import type { OpenZone } from '#zones/directory'

/** A plan that is reviewed and then applied by its hash. */
export interface Reviewed {
  tab: ZoneTab
  plan: PlanView | null
  /** Target of the form that applies it. */
  action: string
  /** Fields that reproduce the plan. */
  fields: Record<string, string>
  /** Where the user can edit again: a form with the same fields, or the address of a page. */
  back: { action: string } | { href: string }
  understood?: ImportPreview | null
  problem?: FormProblem | null
  reason?: string
}

/** The page that asks to apply a plan of one zone or several. */
export function reviewedPage(ctx: HttpContext, openedZone: OpenZone, reviewed: Reviewed) {
  const zone = zoneHead(ctx.actor, openedZone, reviewed.tab)
  return reviewedView(ctx, 'pages/zones/records/reviewed', reviewed, { zone, mayAsk: zone.mayAsk })
}

/** As `reviewedPage`, with another template and its values in `more`. */
export function reviewedView(
  ctx: HttpContext,
  page: string,
  reviewed: Omit<Reviewed, 'tab'>,
  more: Record<string, unknown>
) {
  const { plan, action, fields, back, problem = null, understood = null } = reviewed
  ctx.response.status(problem?.status ?? 200)
  return ctx.view.render(page, {
    mayAsk: false,
    ...more,
    plan,
    action,
    fields: Object.entries(fields),
    backAction: 'action' in back ? back.action : null,
    backHref: 'href' in back ? back.href : null,
    understood,
    problem,
    reason: reviewed.reason ?? '',
  })
}

/** Fields of every form that applies a reviewed plan. */
interface PlanForm {
  plan_hash?: string
  reason?: string
}

/** The intent that applies a reviewed plan. Throws as `reviewTerms` does. */
export function applyTerms(ctx: HttpContext, { plan_hash: planHash, reason }: PlanForm): Intent {
  const terms = { planHash: planHash ?? '', reason: reason || null }
  return intentOf(ctx.actor, { ...terms, ...reviewTerms(ctx) })
}

/**
 * Applies a reviewed plan once, and redirects to the zone with a message. Shows a changed plan, or
 * the same one with an error of the scheduled time; rethrows other errors.
 */
export async function applyReviewed(
  ctx: HttpContext,
  openedZone: OpenZone,
  form: PlanForm,
  write: (intent: Intent) => Promise<Outcome<AppliedZone | AppliedZone[]>>,
  reviewed: Omit<Reviewed, 'plan'>
) {
  let intent: Intent
  try {
    intent = applyTerms(ctx, form)
  } catch (error) {
    const { plan } = await planWrite(ctx, write)
    if (!plan) throw error
    return reviewedPage(ctx, openedZone, { ...reviewed, plan, problem: formProblem(ctx, error) })
  }
  try {
    const outcome = await submitOnce(ctx, (repeatId) => write({ ...intent, repeatId }))
    await outcomeToast(ctx, outcome, { zoneId: openedZone.zone.id })
  } catch (error) {
    if (error instanceof StalePlan) {
      const problem = { status: 409, message: ctx.i18n.t('plan.moved') }
      const plan = error.plan && (await planView(error.plan))
      return reviewedPage(ctx, openedZone, { ...reviewed, plan, problem })
    }
    throw error
  }
  return goTo(ctx, `/zones/${openedZone.zone.id}`)
}
