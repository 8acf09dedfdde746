import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import { formProblem, type FormProblem } from '#controllers/web/accounts/account_form_errors'
import { auditRefusal } from '#exceptions/audited_refusals'
import { bulkForm } from '#validators/web/zones'
import { Bulk, MAX_SELECTED_ZONES, MAX_TEMPLATE_ZONES, type BulkResult } from '#web/bulk/bulk'
import { actionIn, idsIn, itemsIn, itemsText, orderIn, type BulkForm } from '#web/bulk/form'
import { BulkPlans, type BulkChange, type PlannedZone } from '#web/bulk/plans'
import { shownPlans, shownResults, type BulkRun } from '#web/bulk/result_view'
import { groupNames, canAssignGroups, templateChoices, userChoices } from '#web/forms/choices'
import {
  storeFormResult,
  resultToken,
  loadFormResult,
  loadFormResultNamed,
  leadAbove,
} from '#web/forms/form_results'
import { recordFormDone, formToken, AlreadySubmitted, submitOnce } from '#web/forms/form_token'
import { goTo } from '#web/page/page'
import { ZoneFinder } from '#web/palette/zone_finder'
import { NAME_TREES, type ZoneQuery } from '#zones/list/zone_list'

/** The deletion of more zones requires their number as confirmation. */
const MAX_UNCONFIRMED = 20

/** /zones/bulk, /zones/bulk/apply */
@inject()
export default class BulkZonesController {
  constructor(
    private readonly bulk: Bulk,
    private readonly plans: BulkPlans,
    private readonly finder: ZoneFinder
  ) {}

  /** The choice of an action, then its plan for each zone. */
  async plan(ctx: HttpContext) {
    const form = await ctx.request.validateUsing(bulkForm)
    const action = actionIn(form)
    const ids = await this.#selectedIds(ctx, form)
    const maxZones = action === 'template' ? MAX_TEMPLATE_ZONES : MAX_SELECTED_ZONES
    if (ids === null || ids.length > maxZones) {
      return refusedPage(ctx, action, ctx.i18n.t('bulk.too_many', { most: maxZones }))
    }
    if (ids.length === 0) {
      return refusedPage(ctx, action, ctx.i18n.t('bulk.none_chosen'))
    }
    return this.#planPage(ctx, form, ids)
  }

  /** Applies the first step of a plan, or the next step of a run. */
  async apply(ctx: HttpContext) {
    const form = await ctx.request.validateUsing(bulkForm)
    const name = nameIn(form)
    const begun =
      form.run === undefined ? null : ((await loadFormResultNamed(ctx, name)) as BulkRun | null)
    if (form.run !== undefined && !begun) {
      return leadAbove(ctx)
    }
    const action = actionIn(begun?.wish ?? form)
    const remainingItems = begun?.rest ?? itemsIn(form)
    if (remainingItems.length > MAX_SELECTED_ZONES) {
      return refusedPage(ctx, action, ctx.i18n.t('bulk.too_many', { most: MAX_SELECTED_ZONES }))
    }
    const ids = remainingItems.map(({ id }) => id)
    if (!begun && action === 'delete' && ids.length > MAX_UNCONFIRMED) {
      if (form.confirm?.trim() !== String(ids.length)) {
        const problem = ctx.i18n.t('bulk.confirm_wrong', { count: ids.length })
        return this.#planPage(ctx, form, ids, problem)
      }
    }
    const order = await this.#orderOf(ctx, begun?.wish ?? form, ids)
    if (!order || remainingItems.length === 0) {
      return refusedPage(ctx, action, ctx.i18n.t('bulk.none_chosen'))
    }
    return this.#step(
      ctx,
      name,
      begun ?? { wish: hiddenFields(form), rest: remainingItems, results: [] },
      order
    )
  }

  /** The results so far. */
  async applied(ctx: HttpContext) {
    const run = (await loadFormResult(ctx)) as BulkRun | null
    return run ? runPage(ctx, String(ctx.params.result), run) : leadAbove(ctx)
  }

  /** A step and the page of all results. A form that is submitted twice runs once. */
  async #step(ctx: HttpContext, name: string, { wish, rest, results }: BulkRun, order: BulkChange) {
    const isFragment = ctx.request.header('x-fragment') === 'bulk'
    try {
      const { run, address } = await submitOnce(ctx, async (repeatId) => {
        const step = await this.bulk.step(ctx.actor, rest, order, wish.reason?.trim() || null)
        step.refusals.forEach((refusal) => auditRefusal(refusal, ctx))
        const all = { wish, rest: step.rest, results: [...results, ...step.results] }
        // Before the request counts as done: otherwise a run without a stored page could not be
        // continued.
        const storedAt = await storeFormResult(ctx, all, {
          name,
          isUnfinished: step.rest.length > 0,
        })
        await recordFormDone(repeatId)
        return { run: all, address: storedAt }
      })
      return isFragment || !address ? await runPage(ctx, name, run) : goTo(ctx, address)
    } catch (error) {
      const isThere =
        error instanceof AlreadySubmitted && !isFragment && (await loadFormResultNamed(ctx, name))
      if (!isThere) throw error
      const text = ctx.i18n.t('bulk.sent_before')
      return goTo(ctx, `${ctx.request.url()}/results/${name}`, text, 'warning')
    }
  }

  /** Ids of the selection; null if there are too many. */
  async #selectedIds(ctx: HttpContext, form: BulkForm): Promise<number[] | null> {
    if (form.all === undefined) {
      return idsIn(form)
    }
    const tree = NAME_TREES.find((one) => one === form.tree)
    const query: ZoneQuery = {
      sort: [],
      filters: tree ? { tree } : {},
      q: form.q?.trim() ? form.q : null,
      page: null,
    }
    return this.finder.all(ctx, query, MAX_SELECTED_ZONES)
  }

  /** The order of the form. Names of owners are looked up only for actors who may assign zones. */
  async #orderOf(ctx: HttpContext, form: BulkForm, ids: number[]): Promise<BulkChange | null> {
    if (form.action === 'owner' && form.owner_kind !== undefined && ids.length > 0) {
      await this.bulk.demandOwners(ctx.actor, ids)
    }
    return orderIn(ctx.actor, form)
  }

  async #planPage(ctx: HttpContext, form: BulkForm, ids: number[], problem: string | null = null) {
    let order: BulkChange | null
    let rows: PlannedZone[] = []
    try {
      order = await this.#orderOf(ctx, form, ids)
      rows = order ? await this.plans.of(ctx.actor, ids, order) : []
    } catch (error) {
      return choicePage(ctx, form, ids, formProblem(ctx, error))
    }
    if (!order) {
      return choicePage(ctx, form, ids, null)
    }
    if (problem) ctx.response.status(422)
    const willDo = rows.filter(({ outcome }) => outcome === 'change' || outcome === 'review')
    return ctx.view.render('pages/zones/bulk/plan', {
      action: order.action,
      ...shownPlans(ctx.i18n, rows),
      problem,
      hidden: ids.length - rows.length,
      counts: {
        change: rows.filter(({ outcome }) => outcome === 'change').length,
        review: rows.filter(({ outcome }) => outcome === 'review').length,
        nothing: rows.filter(({ outcome }) => outcome === 'nothing').length,
        refused: rows.filter(({ outcome }) => outcome === 'refused').length,
      },
      willDo: willDo.length,
      confirms: order.action === 'delete' && willDo.length > MAX_UNCONFIRMED,
      reason: form.reason ?? '',
      fields: { ...hiddenFields(form), items: itemsText(willDo) },
    })
  }
}

const HIDDEN_FIELDS = [
  'action',
  'owner_kind',
  'owner',
  'owner_group',
  'keeps_others',
  'template',
  'template_name',
  'local_changes',
  'link',
  'confirm',
  'reason',
] as const

/** Fields that the next form repeats. */
function hiddenFields(form: BulkForm): Record<string, string> {
  return Object.fromEntries(
    HIDDEN_FIELDS.flatMap((name) => (form[name] === undefined ? [] : [[name, form[name]]]))
  )
}

/** The form for the new owner or the template. */
async function choicePage(
  ctx: HttpContext,
  form: BulkForm,
  ids: number[],
  problem: FormProblem | null
) {
  const { actor } = ctx
  ctx.response.status(problem?.status ?? 200)
  return ctx.view.render('pages/zones/bulk/choice', {
    action: form.action,
    count: ids.length,
    more: ids.join(','),
    problem,
    values: form,
    groups: canAssignGroups(actor) ? await groupNames(actor) : [],
    users: form.action === 'owner' ? await userChoices(actor) : [],
    templates: form.action === 'template' ? await templateChoices(actor) : [],
  })
}

/**
 * The name under which a run is stored: initially that of the form, so that a repeated form finds
 * it.
 */
function nameIn({ run, once }: BulkForm): string {
  const name = run ?? once ?? ''
  return /^[\w-]{1,64}$/.test(name) ? name : formToken()
}

/** The results of a run so far with the form of the next step; a fragment for the script. */
function runPage(ctx: HttpContext, name: string, { wish, rest, results }: BulkRun) {
  const isFragment = ctx.request.header('x-fragment') === 'bulk'
  if (isFragment) {
    ctx.response.header('X-Fragment', 'bulk')
  }
  const countOutcome = (outcome: BulkResult['outcome']) =>
    results.filter((one) => one.outcome === outcome).length
  return ctx.view.render(isFragment ? 'partials/zones/bulk_step' : 'pages/zones/bulk/result', {
    action: wish.action,
    ...shownResults(ctx.i18n, results),
    counts: {
      done: countOutcome('done'),
      filed: countOutcome('filed'),
      failed: countOutcome('failed'),
    },
    rest: rest.length,
    total: results.length + rest.length,
    run: name,
    once: resultToken(name, itemsText(rest)),
  })
}

function refusedPage(ctx: HttpContext, action: string, problem: string) {
  ctx.response.status(422)
  return ctx.view.render('pages/zones/bulk/result', { action, problem, counts: null })
}
