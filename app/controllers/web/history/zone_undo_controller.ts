import { zoneId } from '#controllers/support/params'
import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import { authorize } from '#access/authorize'
import { canViewMetadata } from '#access/demand'
import { intentOf } from '#changes/model/intent'
import { rowIdIn } from '#database/rows/row_ids'
import { Refusal } from '#exceptions/refusal'
import { MAX_UNDO_ZONES, outcomeToast } from '#controllers/web/records/change_toasts'
import { undoForm } from '#validators/web/history'
import { AlreadySubmitted, submitOnce } from '#web/forms/form_token'
import { goTo } from '#web/page/page'
import { applied, planWrite, type PlanResult } from '#web/plans/planned'
import { zoneHead } from '#web/page/zone_tabs'
import { ZoneDirectory, type OpenZone } from '#zones/directory'
import { UndoEntry, type EntryToUndo } from '#zones/history/undo'

/** /zones/{id}/history/{entry}/undo */
@inject()
export default class ZoneUndoController {
  constructor(
    private readonly directory: ZoneDirectory,
    private readonly undoEntry: UndoEntry
  ) {}

  /** The plan of an undo. */
  async create(ctx: HttpContext) {
    const openedZone = await this.directory.open(ctx.actor, zoneId(ctx), 'zone.view_history')
    const entries = await this.#entries(ctx, openedZone)
    const merge = ctx.request.qs().merge === '1'
    return page(ctx, entries, { merge, reason: '', ...(await this.#plan(ctx, entries, merge)) })
  }

  /** Applies the shown plan; without a plan, as from a toast, undoes at once. */
  async store(ctx: HttpContext) {
    const openedZone = await this.directory.openVisible(ctx.actor, zoneId(ctx))
    const form = await ctx.request.validateUsing(undoForm)
    const entries = await this.#entries(ctx, openedZone)
    const merge = form.merge === '1'
    if (!form.plan_hash) {
      return this.#undoWithoutPlan(ctx, entries)
    }
    const reason = form.reason ?? ''
    const outcome = await applied(
      ctx,
      { planHash: form.plan_hash, reason: reason || null },
      (intent) => this.undoEntry.handleAll(intent, entries, { merge }),
      { withMetadata: seesMetadata(ctx, entries), moved: ctx.i18n.t('plan.moved') }
    )
    if (outcome.kind === 'refused') {
      return page(ctx, entries, { merge, reason, ...outcome })
    }
    await outcomeToast(ctx, outcome, UNDONE_TEXTS)
    return goTo(ctx, `/zones/${openedZone.zone.id}/history`)
  }

  /**
   * The entry of the path, and entries of other zones from the same change set, named by `with`.
   */
  async #entries(ctx: HttpContext, openedZone: OpenZone): Promise<EntryToUndo[]> {
    const otherEntries: EntryToUndo[] = []
    for (const [id, number] of othersIn(ctx)) {
      if (id === openedZone.zone.id) continue
      otherEntries.push({ openedZone: await this.directory.openVisible(ctx.actor, id), number })
    }
    return [{ openedZone, number: entryOf(ctx) }, ...otherEntries]
  }

  #plan(ctx: HttpContext, entries: EntryToUndo[], merge: boolean): Promise<PlanResult> {
    return planWrite(ctx, (intent) => this.undoEntry.handleAll(intent, entries, { merge }), {
      withMetadata: seesMetadata(ctx, entries),
    })
  }

  async #undoWithoutPlan(ctx: HttpContext, entries: EntryToUndo[]) {
    const [{ openedZone }] = entries
    const intent = intentOf(ctx.actor, { review: 'file' })
    try {
      const outcome = await submitOnce(ctx, (repeatId) =>
        this.undoEntry.handleAll({ ...intent, repeatId }, entries, { merge: false })
      )
      await outcomeToast(ctx, outcome, UNDONE_TEXTS)
    } catch (error) {
      const mayBePlanned = error instanceof Refusal && !(error instanceof AlreadySubmitted)
      if (mayBePlanned && [400, 409, 412].includes(error.status)) {
        // Shows the reason with the plan, where another way may be chosen.
        const plan = await this.#plan(ctx, entries, false)
        return page(ctx, entries, { merge: false, reason: '', ...plan })
      }
      throw error
    }
    return goTo(ctx, `/zones/${openedZone.zone.id}`)
  }
}

const UNDONE_TEXTS = { message: 'plan.undone', several: 'plan.undone_zones' }

/** Zones of `with` with their entries, each zone once: `17:3,18:1`. */
function othersIn({ request }: HttpContext): Map<number, number> {
  const text = String(request.qs().with ?? '')
  const pairs = text.matchAll(/(?:^|,)([1-9]\d{0,9}):([1-9]\d{0,8})(?=,|$)/g)
  const entries = [...pairs].map(([, id, entry]) => [rowIdIn(id), Number(entry)] as const)
  return new Map(entries.slice(0, MAX_UNDO_ZONES))
}

function seesMetadata({ actor }: HttpContext, entries: EntryToUndo[]): boolean {
  return entries.every(({ openedZone }) => canViewMetadata(actor, openedZone.facts))
}

function entryOf({ params }: HttpContext): number {
  return Number(params.entry)
}

function page(
  ctx: HttpContext,
  entries: EntryToUndo[],
  shown: PlanResult & { merge: boolean; reason: string }
) {
  const [{ openedZone }] = entries
  ctx.response.status(shown.problem?.status ?? 200)
  const path = `/zones/${openedZone.zone.id}/history`
  const otherEntries = [...othersIn(ctx)].map(([id, entry]) => `${id}:${entry}`).join(',')
  const action = `${path}/${entryOf(ctx)}/undo${otherEntries === '' ? '' : `?with=${otherEntries}`}`
  return ctx.view.render('pages/zones/history/undo', {
    ...shown,
    zone: zoneHead(ctx.actor, openedZone, 'history'),
    mayAsk: entries.every(({ openedZone: { facts } }) => {
      return authorize(ctx.actor, { action: 'zone.request_changes', zone: facts }).allowed
    }),
    entry: String(entryOf(ctx)),
    action,
    merging: `${action}${otherEntries === '' ? '?' : '&'}merge=1`,
    back: path,
    // An undo of RRsets that changed again is refused, unless a merge keeps both changes.
    mayMerge: shown.problem?.status === 409 && !shown.merge,
  })
}
