import { inject } from '@adonisjs/core'
import type { HttpContext } from '@adonisjs/core/http'
import { maySeeMetadata } from '#access/demand'
import { intentOf } from '#changes/intent'
import { RequestFiled } from '#changes/requests/filing'
import { Refusal } from '#exceptions/refusal'
import { zoneId } from '#controllers/api/zones_controller'
import { doneToast, filedToast } from '#controllers/web/change_toasts'
import { undoForm } from '#validators/web/history'
import { sentOnce } from '#web/once'
import { goTo } from '#web/page'
import { applied, planned, type Planned } from '#web/planned'
import { zoneHead } from '#web/zone_tabs'
import { ZoneDirectory, type OpenZone } from '#zones/directory'
import { UndoEntry } from '#zones/undo_entry'

/** /zones/{id}/history/{entry}/undo */
@inject()
export default class ZoneUndoController {
  constructor(
    private readonly directory: ZoneDirectory,
    private readonly undoEntry: UndoEntry
  ) {}

  /** What taking the entry back would do. */
  async create(ctx: HttpContext) {
    const open = await this.directory.open(ctx.actor, zoneId(ctx), 'zone.view_history')
    const merge = ctx.request.qs().merge === '1'
    return page(ctx, open, { merge, reason: '', ...(await this.#plan(ctx, open, merge)) })
  }

  /** Takes it back: as it was shown; or at once, where the toast of a change offers to. */
  async store(ctx: HttpContext) {
    const open = await this.directory.openVisible(ctx.actor, zoneId(ctx))
    const form = await ctx.request.validateUsing(undoForm)
    const merge = form.merge === '1'
    if (!form.plan_hash) {
      return this.#atOnce(ctx, open)
    }
    const reason = form.reason ?? ''
    const outcome = await applied(
      ctx,
      { planHash: form.plan_hash, reason: reason || null },
      (intent) => this.undoEntry.handle(intent, open, entryOf(ctx), { merge }),
      { withMetadata: maySeeMetadata(ctx.actor, open.facts), moved: ctx.i18n.t('plan.moved') }
    )
    if (outcome.is === 'refused') {
      return page(ctx, open, { merge, reason, ...outcome })
    }
    if (outcome.is === 'done') {
      doneToast(ctx, outcome.result, { message: 'plan.undone' })
    } else {
      filedToast(ctx, outcome.request)
    }
    return goTo(ctx, `/zones/${open.zone.id}/history`)
  }

  #plan(ctx: HttpContext, open: OpenZone, merge: boolean): Promise<Planned> {
    const withMetadata = maySeeMetadata(ctx.actor, open.facts)
    return planned(ctx, (intent) => this.undoEntry.handle(intent, open, entryOf(ctx), { merge }), {
      withMetadata,
    })
  }

  async #atOnce(ctx: HttpContext, open: OpenZone) {
    const intent = intentOf(ctx.actor, { review: 'file' })
    try {
      const done = await sentOnce(ctx, (repeatId) =>
        this.undoEntry.handle({ ...intent, repeatId }, open, entryOf(ctx), { merge: false })
      )
      doneToast(ctx, done, { message: 'plan.undone' })
    } catch (error) {
      if (error instanceof Refusal && [400, 409, 412].includes(error.status)) {
        // Why it cannot be, where it can be looked at and perhaps be done otherwise.
        const why = await this.#plan(ctx, open, false)
        return page(ctx, open, { merge: false, reason: '', ...why })
      }
      if (!(error instanceof RequestFiled)) {
        throw error
      }
      filedToast(ctx, error.request.id)
    }
    return goTo(ctx, `/zones/${open.zone.id}`)
  }
}

function entryOf({ params }: HttpContext): number {
  return Number(params.entry)
}

function page(
  ctx: HttpContext,
  open: OpenZone,
  shown: Planned & { merge: boolean; reason: string }
) {
  ctx.response.status(shown.problem?.status ?? 200)
  const path = `/zones/${open.zone.id}/history`
  return ctx.view.render('pages/zones/undo', {
    ...shown,
    zone: zoneHead(ctx.actor, open, 'history'),
    entry: String(entryOf(ctx)),
    action: `${path}/${entryOf(ctx)}/undo`,
    back: path,
    // What was changed again since is refused, unless both can be kept.
    mayMerge: shown.problem?.status === 409 && !shown.merge,
  })
}
