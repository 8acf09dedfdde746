import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import { demand } from '#access/demand'
import { intentOf } from '#changes/intent'
import { filedToast } from '#controllers/web/change_toasts'
import { notFound } from '#exceptions/refusal'
import { mendForm } from '#validators/web/name_server'
import { formProblem, type FormProblem } from '#controllers/web/form_problem'
import { addressWith } from '#web/list_page'
import { goTo } from '#web/page'
import { applied, planned, type Planned } from '#web/planned'
import { shownName } from '#web/shown_name'
import { CHECKS, type Check } from '#zones/consistency/checks'
import { Consistency, MOST_MENDED } from '#zones/consistency/consistency'

/** How far the overview and the page of one check look at once. */
const GLANCE = { found: 1, rows: 2_000 }
const LOOK = { found: 50, rows: 20_000 }

/** Checks whose look reads whole zones: only where somebody asks for them. */
const COSTLY: ReadonlySet<Check> = new Set(['wrong_rows'])

const PATH = '/server/consistency'

/** /server/consistency: what other tools left wrong. */
@inject()
export default class ConsistencyController {
  constructor(private readonly consistency: Consistency) {}

  async index(ctx: HttpContext) {
    demand(ctx.actor, { action: 'server.check_consistency' })
    const checks = []
    for (const check of CHECKS) {
      const isCostly = COSTLY.has(check)
      const looked = isCostly ? null : await this.consistency.look(ctx.actor, check, 0, GLANCE)
      checks.push({
        check,
        state: isCostly
          ? 'unasked'
          : looked === null
            ? 'unknown'
            : looked.found.length > 0
              ? 'found'
              : looked.next === null
                ? 'clean'
                : 'so_far',
        lookedAt: looked?.lookedAt ?? 0,
      })
    }
    return ctx.view.render('pages/server/consistency', { checks })
  }

  async show(ctx: HttpContext) {
    demand(ctx.actor, { action: 'server.check_consistency' })
    return this.#page(ctx, checkOf(ctx))
  }

  /** What mending would do. */
  async plan(ctx: HttpContext) {
    demand(ctx.actor, { action: 'server.check_consistency' })
    const check = checkOf(ctx)
    const { ids = [] } = await ctx.request.validateUsing(mendForm)
    const chosen = idsIn(ids)
    if (chosen.length === 0) {
      return this.#page(ctx, check, { status: 422, message: ctx.i18n.t('consistency.none_ticked') })
    }
    return this.#confirm(ctx, check, chosen)
  }

  async apply(ctx: HttpContext) {
    demand(ctx.actor, { action: 'server.check_consistency' })
    const check = checkOf(ctx)
    const {
      more = '',
      plan_hash: planHash = '',
      reason = '',
    } = await ctx.request.validateUsing(mendForm)
    const ids = idsIn(more.split(','))
    if (check === 'no_soa' || check === 'several_soa') {
      const outcome = await applied(
        ctx,
        { planHash, reason: reason.trim() || null },
        (intent) => this.consistency.mendSoas(intent, ids),
        { moved: ctx.i18n.t('plan.moved') }
      )
      if (outcome.is === 'refused') return planPage(ctx, check, ids, { reason, ...outcome })
      if (outcome.is === 'done') return mended(ctx, check, outcome.result.length)
      filedToast(ctx, outcome.request)
      return goTo(ctx, `${PATH}/${check}`)
    }
    try {
      const intent = intentOf(ctx.actor, { reason: reason.trim() || null })
      const count =
        check === 'strays'
          ? await this.consistency.removeStrays(intent, ids)
          : await this.consistency.rectify(intent, ids)
      return mended(ctx, check, count)
    } catch (error) {
      return this.#page(ctx, check, formProblem(ctx, error))
    }
  }

  async #confirm(ctx: HttpContext, check: Check, ids: number[]) {
    if (check === 'no_soa' || check === 'several_soa') {
      const plan = await planned(ctx, (intent) => this.consistency.mendSoas(intent, ids))
      return planPage(ctx, check, ids, { reason: '', ...plan })
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

  /** What was ticked and is wrong still, in a line each. */
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
    const after = afterOf(ctx.request.qs().after)
    const looked = await this.consistency.look(ctx.actor, check, after, LOOK)
    ctx.response.status(problem?.status ?? 200)
    return ctx.view.render('pages/server/consistency_check', {
      check,
      problem,
      looked,
      found: (looked?.found ?? []).map((one) => ({ ...one, name: shownName(one.name) })),
      next: looked?.next
        ? addressWith(ctx, { after: String(looked.next) }, `${PATH}/${check}`)
        : null,
      after,
      most: MOST_MENDED,
    })
  }
}

function planPage(
  ctx: HttpContext,
  check: Check,
  ids: number[],
  shown: Planned & { reason: string }
) {
  ctx.response.status(shown.problem?.status ?? 200)
  return ctx.view.render('pages/server/consistency_plan', {
    ...shown,
    check,
    hidden: { more: ids.join(',') },
    action: `${PATH}/${check}/apply`,
    back: `${PATH}/${check}`,
  })
}

/** Throws a 404 `Refusal` for what is not looked for here, and for what is not mended here. */
function checkOf({ params, request }: HttpContext): Check {
  const check = CHECKS.find((one) => one === params.check)
  const isMended = check !== 'ownerless' && check !== 'no_primary'
  if (!check || (request.method() === 'POST' && !isMended)) {
    throw notFound('There is no such check')
  }
  return check
}

function mended(ctx: HttpContext, check: Check, count: number) {
  return goTo(ctx, `${PATH}/${check}`, ctx.i18n.t('consistency.mended', { count }))
}

function idsIn(words: string[]): number[] {
  return [...new Set(words.filter((word) => /^[1-9]\d{0,14}$/.test(word)).map(Number))]
}

function afterOf(word: unknown): number {
  return typeof word === 'string' && /^\d{1,15}$/.test(word) ? Number(word) : 0
}
