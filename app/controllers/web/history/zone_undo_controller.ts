import { zoneId } from '#controllers/support/params'
import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import { authorize } from '#access/authorize'
import { canViewMetadata } from '#access/demand'
import { intentOf } from '#changes/model/intent'
import { rowIdIn } from '#database/rows/row_ids'
import { Refusal } from '#exceptions/refusal'
import { MAX_UNDONE, outcomeToast } from '#controllers/web/records/change_toasts'
import { undoForm } from '#validators/web/history'
import { AlreadySubmitted, submitOnce } from '#web/forms/form_token'
import { goTo } from '#web/page/page'
import { applied, planned, type Planned } from '#web/plans/planned'
import { zoneHead } from '#web/page/zone_tabs'
import { ZoneDirectory, type OpenZone } from '#zones/directory'
import { UndoEntry, type UndoneEntry } from '#zones/history/undo'

/** /zones/{id}/history/{entry}/undo */
@inject()
export default class ZoneUndoController {
  constructor(
    private readonly directory: ZoneDirectory,
    private readonly undoEntry: UndoEntry
  ) {}

  /** The plan of an undo. */
  async create(ctx: HttpContext) {
    const open = await this.directory.open(ctx.actor, zoneId(ctx), 'zone.view_history')
    const entries = await this.#entries(ctx, open)
    const merge = ctx.request.qs().merge === '1'
    return page(ctx, entries, { merge, reason: '', ...(await this.#plan(ctx, entries, merge)) })
  }

  /** Applies the shown plan; without a plan, as from a toast, undoes at once. */
  async store(ctx: HttpContext) {
    const open = await this.directory.openVisible(ctx.actor, zoneId(ctx))
    const form = await ctx.request.validateUsing(undoForm)
    const entries = await this.#entries(ctx, open)
    const merge = form.merge === '1'
    if (!form.plan_hash) {
      return this.#atOnce(ctx, entries)
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
    await outcomeToast(ctx, outcome, UNDONE)
    return goTo(ctx, `/zones/${open.zone.id}/history`)
  }

  /**
   * The entry of the path, and entries of other zones from the same change set, named by `with`.
   */
  async #entries(ctx: HttpContext, open: OpenZone): Promise<UndoneEntry[]> {
    const others: UndoneEntry[] = []
    for (const [id, number] of othersIn(ctx)) {
      if (id === open.zone.id) continue
      others.push({ open: await this.directory.openVisible(ctx.actor, id), number })
    }
    return [{ open, number: entryOf(ctx) }, ...others]
  }

  #plan(ctx: HttpContext, entries: UndoneEntry[], merge: boolean): Promise<Planned> {
    return planned(ctx, (intent) => this.undoEntry.handleAll(intent, entries, { merge }), {
      withMetadata: seesMetadata(ctx, entries),
    })
  }

  async #atOnce(ctx: HttpContext, entries: UndoneEntry[]) {
    const [{ open }] = entries
    const intent = intentOf(ctx.actor, { review: 'file' })
    try {
      const outcome = await submitOnce(ctx, (repeatId) =>
        this.undoEntry.handleAll({ ...intent, repeatId }, entries, { merge: false })
      )
      await outcomeToast(ctx, outcome, UNDONE)
    } catch (error) {
      const mayBePlanned = error instanceof Refusal && !(error instanceof AlreadySubmitted)
      if (mayBePlanned && [400, 409, 412].includes(error.status)) {
        // Shows the reason with the plan, where another way may be chosen.
        const why = await this.#plan(ctx, entries, false)
        return page(ctx, entries, { merge: false, reason: '', ...why })
      }
      throw error
    }
    return goTo(ctx, `/zones/${open.zone.id}`)
  }
}

const UNDONE = { message: 'plan.undone', several: 'plan.undone_zones' }

/** Zones of `with` with their entries, each zone once: `17:3,18:1`. */
function othersIn({ request }: HttpContext): Map<number, number> {
  const text = String(request.qs().with ?? '')
  const pairs = text.matchAll(/(?:^|,)([1-9]\d{0,9}):([1-9]\d{0,8})(?=,|$)/g)
  const entries = [...pairs].map(([, id, entry]) => [rowIdIn(id), Number(entry)] as const)
  return new Map(entries.slice(0, MAX_UNDONE))
}

function seesMetadata({ actor }: HttpContext, entries: UndoneEntry[]): boolean {
  return entries.every(({ open }) => canViewMetadata(actor, open.facts))
}

function entryOf({ params }: HttpContext): number {
  return Number(params.entry)
}

function page(
  ctx: HttpContext,
  entries: UndoneEntry[],
  shown: Planned & { merge: boolean; reason: string }
) {
  const [{ open }] = entries
  ctx.response.status(shown.problem?.status ?? 200)
  const path = `/zones/${open.zone.id}/history`
  const others = [...othersIn(ctx)].map(([id, entry]) => `${id}:${entry}`).join(',')
  const action = `${path}/${entryOf(ctx)}/undo${others === '' ? '' : `?with=${others}`}`
  return ctx.view.render('pages/zones/history/undo', {
    ...shown,
    zone: zoneHead(ctx.actor, open, 'history'),
    mayAsk: entries.every(({ open: { facts } }) => {
      return authorize(ctx.actor, { action: 'zone.request_changes', zone: facts }).allowed
    }),
    entry: String(entryOf(ctx)),
    action,
    merging: `${action}${others === '' ? '?' : '&'}merge=1`,
    back: path,
    // An undo of RRsets that changed again is refused, unless a merge keeps both changes.
    mayMerge: shown.problem?.status === 409 && !shown.merge,
  })
}
