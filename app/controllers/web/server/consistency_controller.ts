import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import { demand } from '#access/demand'
import { intentOf } from '#changes/model/intent'
import { LARGEST_ID, rowIdIn } from '#database/rows/row_ids'
import { outcomeToast } from '#controllers/web/records/change_toasts'
import { notFound } from '#exceptions/refusal'
import { repairForm } from '#validators/web/name_server'
import { formProblem, type FormProblem } from '#controllers/web/accounts/account_form_errors'
import { addressWith } from '#web/page/list_page'
import { goTo } from '#web/page/page'
import { applied, planWrite, type PlanResult } from '#web/plans/planned'
import { displayName } from '#web/page/display_name'
import { CHECKS, type Check } from '#zones/consistency/checks'
import { Consistency, MAX_REPAIRED } from '#zones/consistency/consistency'

/** Limits of a check on the overview and on its page. */
const OVERVIEW_LIMITS = { found: 1, rows: 2_000 }
const CHECK_LIMITS = { found: 50, rows: 20_000 }

/** Checks that read whole zones: only on request. */
const COSTLY_CHECKS: ReadonlySet<Check> = new Set(['wrong_rows'])

const PATH = '/server/consistency'

/** A zone that cannot be repaired. */
interface ExcludedZone {
  id: number
  name: ReturnType<typeof displayName>
  problem: FormProblem
}

/** /server/consistency: inconsistencies that other programs left. */
@inject()
export default class ConsistencyController {
  constructor(private readonly consistency: Consistency) {}

  async index(ctx: HttpContext) {
    demand(ctx.actor, { action: 'server.check_consistency' })
    const checks = []
    for (const check of CHECKS) {
      const isCostly = COSTLY_CHECKS.has(check)
      const result = isCostly
        ? null
        : await this.consistency.runCheck(ctx.actor, check, 0, OVERVIEW_LIMITS)
      checks.push({
        check,
        state: isCostly
          ? 'unasked'
          : result === null
            ? 'unknown'
            : result.found.length > 0
              ? 'found'
              : result.next === null
                ? 'clean'
                : 'so_far',
        checkedCount: result?.checkedCount ?? 0,
      })
    }
    return ctx.view.render('pages/server/consistency', { checks })
  }

  async show(ctx: HttpContext) {
    demand(ctx.actor, { action: 'server.check_consistency' })
    return this.#page(ctx, checkOf(ctx))
  }

  /** The plan of a repair. */
  async plan(ctx: HttpContext) {
    demand(ctx.actor, { action: 'server.check_consistency' })
    const check = checkOf(ctx)
    const { ids = [] } = await ctx.request.validateUsing(repairForm)
    const selectedIds = idsIn(check, ids)
    if (selectedIds.length === 0) {
      return this.#page(ctx, check, { status: 422, message: ctx.i18n.t('consistency.none_ticked') })
    }
    return this.#confirm(ctx, check, selectedIds)
  }

  async apply(ctx: HttpContext) {
    demand(ctx.actor, { action: 'server.check_consistency' })
    const check = checkOf(ctx)
    const {
      more = '',
      plan_hash: planHash = '',
      reason = '',
    } = await ctx.request.validateUsing(repairForm)
    const ids = idsIn(check, more.split(','))
    if (check === 'no_soa' || check === 'several_soa') {
      const outcome = await applied(
        ctx,
        { planHash, reason: reason.trim() || null },
        (intent) => this.consistency.repairSoas(intent, ids),
        { moved: ctx.i18n.t('plan.moved') }
      )
      if (outcome.kind === 'refused') return planPage(ctx, check, ids, { reason, ...outcome })
      if (outcome.kind === 'applied') return repaired(ctx, check, outcome.result.length)
      await outcomeToast(ctx, outcome)
      return goTo(ctx, `${PATH}/${check}`)
    }
    try {
      const intent = intentOf(ctx.actor, { reason: reason.trim() || null })
      const count =
        check === 'strays'
          ? await this.consistency.removeStrays(intent, ids)
          : await this.consistency.rectify(intent, ids)
      return repaired(ctx, check, count)
    } catch (error) {
      return this.#page(ctx, check, formProblem(ctx, error))
    }
  }

  async #confirm(ctx: HttpContext, check: Check, ids: number[]) {
    if (check === 'no_soa' || check === 'several_soa') {
      const plan = await this.#planRepair(ctx, ids)
      if (plan.problem === null || ids.length === 1) {
        return planPage(ctx, check, ids, { reason: '', ...plan })
      }
      // A zone that cannot be repaired does not prevent the others.
      const { repairableIds, excluded } = await this.#partition(ctx, ids)
      const otherPlan = repairableIds.length > 0 ? await this.#planRepair(ctx, repairableIds) : plan
      return planPage(ctx, check, repairableIds, { reason: '', ...otherPlan, left: excluded })
    }
    try {
      const lines = await this.#lines(ctx, check, ids)
      return await ctx.view.render('pages/server/consistency_confirm', {
        check,
        lines,
        back: `${PATH}/${check}`,
      })
    } catch (error) {
      return this.#page(ctx, check, formProblem(ctx, error))
    }
  }

  #planRepair(ctx: HttpContext, ids: number[]): Promise<PlanResult> {
    return planWrite(ctx, (intent) => this.consistency.repairSoas(intent, ids))
  }

  /** Zones that can be repaired on their own, and the others with the reason. */
  async #partition(
    ctx: HttpContext,
    ids: number[]
  ): Promise<{ repairableIds: number[]; excluded: ExcludedZone[] }> {
    const names = await this.consistency.namesOf(ctx.actor, ids)
    const repairableIds: number[] = []
    const excluded: ExcludedZone[] = []
    for (const id of ids) {
      const { problem } = await this.#planRepair(ctx, [id])
      if (problem === null) repairableIds.push(id)
      else excluded.push({ id, name: displayName(names.get(id) ?? String(id)), problem })
    }
    return { repairableIds, excluded }
  }

  /** Selected items that are still wrong, one line each. */
  async #lines({ actor }: HttpContext, check: Check, ids: number[]) {
    if (check === 'strays') {
      const records = await this.consistency.strays(actor, ids)
      return records.map(({ id, name, ttl, type, content }) => {
        const parts = [name, ttl, type, content].filter((part) => part !== null)
        return { id, text: parts.join(' '), rows: null }
      })
    }
    const zones = await this.consistency.wrongRows(actor, ids)
    return zones.map(({ zone, rows }) => ({ id: zone.id, text: zone.name, rows }))
  }

  async #page(ctx: HttpContext, check: Check, problem: FormProblem | null = null) {
    const after = afterOf(check, ctx.request.qs().after)
    const result = await this.consistency.runCheck(ctx.actor, check, after, CHECK_LIMITS)
    ctx.response.status(problem?.status ?? 200)
    return ctx.view.render('pages/server/consistency_check', {
      check,
      problem,
      looked: result,
      found: (result?.found ?? []).map((one) => ({ ...one, name: displayName(one.name) })),
      next: result?.next
        ? addressWith(ctx, { after: String(result.next) }, `${PATH}/${check}`)
        : null,
      after,
      most: MAX_REPAIRED,
    })
  }
}

function planPage(
  ctx: HttpContext,
  check: Check,
  ids: number[],
  pageMembers: PlanResult & { reason: string; left?: ExcludedZone[] }
) {
  ctx.response.status(pageMembers.problem?.status ?? 200)
  return ctx.view.render('pages/server/consistency_plan', {
    ...pageMembers,
    left: pageMembers.left ?? [],
    check,
    hidden: { more: ids.join(',') },
    action: `${PATH}/${check}/apply`,
    back: `${PATH}/${check}`,
  })
}

/** Throws a 404 `Refusal` for an unknown check, and for a check without a repair. */
function checkOf({ params, request }: HttpContext): Check {
  const check = CHECKS.find((one) => one === params.check)
  const isRepairable = check !== 'ownerless' && check !== 'no_primary'
  if (!check || (request.method() === 'POST' && !isRepairable)) {
    throw notFound('Check not found')
  }
  return check
}

function repaired(ctx: HttpContext, check: Check, count: number) {
  return goTo(ctx, `${PATH}/${check}`, ctx.i18n.t('consistency.mended', { count }))
}

/** Ids of zones; those of records have more digits. */
function idsIn(check: Check, words: string[]): number[] {
  const recordIds = words.filter((word) => /^[1-9]\d{0,14}$/.test(word)).map(Number)
  const ids = check === 'strays' ? recordIds : words.map(rowIdIn)
  return [...new Set(ids)].filter((id) => id > 0)
}

function afterOf(check: Check, word: unknown): number {
  const after = typeof word === 'string' && /^\d{1,15}$/.test(word) ? Number(word) : 0
  return check === 'strays' ? after : Math.min(after, LARGEST_ID)
}
