import { zoneId } from '#controllers/support/params'
import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import { StalePlan } from '#changes/planning/plan_store'
import { outcomeToast } from '#controllers/web/records/change_toasts'
import { formProblem } from '#controllers/web/accounts/account_form_errors'
import { reviewPage } from '#controllers/web/review/review_page'
import { reviewTerms } from '#web/forms/review_options'
import { planForm } from '#validators/web/zone_draft'
import { choicesIn, DraftConflicts } from '#web/editor/draft_conflicts'
import { Drafts, draftProblem, type DraftProblem } from '#web/editor/drafts'
import { AlreadySubmitted, submitOnce } from '#web/forms/form_token'
import { goTo } from '#web/page/page'
import { draftIn, type Draft } from '#web/editor/zone_draft'
import { ZoneDirectory, type OpenZone } from '#zones/directory'

/** Fields of the review form. */
interface Terms {
  draft: Draft
  /** Indexes of the selected changes. */
  picked: number[]
  reason: string
}

/** /zones/{id}/plan, /zones/{id}/apply */
@inject()
export default class ZoneChangesController {
  constructor(
    private readonly directory: ZoneDirectory,
    private readonly drafts: Drafts,
    private readonly conflicts: DraftConflicts
  ) {}

  async plan(ctx: HttpContext) {
    const openedZone = await this.#open(ctx)
    const { reason = '', ...form } = await ctx.request.validateUsing(planForm)
    const draft = await draftIn(form.changes)
    const choices = choicesIn(ctx.request.all())
    if (choices.size === 0) {
      return this.#show(ctx, openedZone, { draft, picked: picksOf(ctx, draft), reason })
    }
    const rebased = await this.conflicts.rebase(ctx.actor, openedZone, draft, choices)
    const selectedIndexes = rebased.draft.map((_, index) => index)
    return this.#show(
      ctx,
      openedZone,
      { draft: rebased.draft, picked: selectedIndexes, reason },
      { isRebased: true }
    )
  }

  async apply(ctx: HttpContext) {
    const openedZone = await this.#open(ctx)
    const form = await ctx.request.validateUsing(planForm)
    const { plan_hash: planHash = '', reason = '' } = form
    const draft = await draftIn(form.changes)
    const selectedIndexes = picksOf(ctx, draft)
    const terms = { draft, picked: selectedIndexes, reason }
    if (selectedIndexes.length === 0) {
      return this.#show(ctx, openedZone, terms)
    }
    const selectedChanges = selectedIndexes.map((index) => draft[index])
    let review: ReturnType<typeof reviewTerms>
    try {
      review = reviewTerms(ctx)
    } catch (error) {
      // The plan is unchanged.
      const problem = { ...formProblem(ctx, error), change: null }
      return this.#show(ctx, openedZone, terms, { problem })
    }
    try {
      const requestTerms = { planHash, reason: reason || null, ...review }
      const outcome = await submitOnce(ctx, (repeatId) =>
        this.drafts.apply(ctx.actor, openedZone, selectedChanges, { ...requestTerms, repeatId })
      )
      await outcomeToast(ctx, outcome, { zoneId: openedZone.zone.id })
    } catch (error) {
      if (error instanceof StalePlan) {
        const problem = { status: 409, message: ctx.i18n.t('plan.moved'), change: null }
        return this.#show(ctx, openedZone, terms, { problem })
      }
      // No plan after a second submit: the page would report that nothing was applied.
      if (error instanceof AlreadySubmitted) throw error
      return this.#refused(ctx, openedZone, terms, error)
    }
    return goTo(ctx, `/zones/${openedZone.zone.id}`)
  }

  #open(ctx: HttpContext): Promise<OpenZone> {
    return this.directory.open(ctx.actor, zoneId(ctx), 'zone.edit_records')
  }

  /** The plan of the selected changes, or the reason why there is none. */
  async #show(
    ctx: HttpContext,
    openedZone: OpenZone,
    terms: Terms,
    { problem, isRebased = false }: { problem?: DraftProblem; isRebased?: boolean } = {}
  ) {
    const { draft, picked } = terms
    if (picked.length === 0) {
      const [status, text] =
        draft.length === 0 ? [200, 'plan.none_left'] : [422, 'plan.none_picked']
      const emptyProblem = { status, message: ctx.i18n.t(text), change: null }
      return reviewPage(ctx, openedZone, {
        ...terms,
        planned: null,
        problem: emptyProblem,
        isRebased,
      })
    }
    try {
      const selectedChanges = picked.map((index) => draft[index])
      const plannedDraft = await this.drafts.plan(ctx.actor, openedZone, selectedChanges)
      return await reviewPage(ctx, openedZone, {
        ...terms,
        planned: plannedDraft,
        problem: problem ?? null,
        isRebased,
      })
    } catch (error) {
      return this.#refused(ctx, openedZone, terms, error, isRebased)
    }
  }

  /**
   * The reason why the draft is not possible, with conflicting changes of its RRsets; rethrows
   * errors with their own page.
   */
  async #refused(
    ctx: HttpContext,
    openedZone: OpenZone,
    terms: Terms,
    error: unknown,
    isRebased = false
  ) {
    const { draft, picked } = terms
    const selectedChanges = picked.map((index) => draft[index])
    const problem = draftProblem(ctx.i18n, selectedChanges, error)
    if (!problem) {
      throw error
    }
    const change = problem.change === null ? null : (picked.at(problem.change) ?? null)
    const conflicts = problem.isMoved ? await this.conflicts.find(ctx.actor, openedZone, draft) : []
    const state = { planned: null, problem: { ...problem, change }, conflicts, isRebased }
    return reviewPage(ctx, openedZone, { ...terms, ...state })
  }
}

/** The selected changes; all if the form has no selection. */
function picksOf({ request }: HttpContext, draft: Draft): number[] {
  const all = draft.map((_, index) => index)
  if (request.input('picking') === undefined) {
    return all
  }
  const ticked = new Set([request.input('pick', [])].flat().map(String))
  return all.filter((index) => ticked.has(String(index)))
}
