import type { HttpContext } from '@adonisjs/core/http'
import { appliedResult, type Outcome } from '#changes/model/outcome'
import type { AppliedZone } from '#changes/model/zone_plan'
import { changesCommentsOnly } from '#dns/record_comments'
import { toast } from '#web/page/page'

/** Texts of a toast. */
interface ToastTexts {
  /** Translation key if something was changed. */
  message?: string
  /** The same for several zones. */
  several?: string
  /** The zone whose draft is deleted; default: the changed one. */
  zoneId?: number
}

/** Maximum of zones in one undo: longer URLs may be truncated. */
export const MAX_UNDO_ZONES = 50

/** Shows the outcome of a write: applied, or filed for review. */
export async function outcomeToast(
  ctx: HttpContext,
  outcome: Outcome<AppliedZone | AppliedZone[]>,
  texts: ToastTexts = {}
): Promise<void> {
  if (outcome.kind === 'filed') {
    filedToast(ctx, outcome.request.id, texts.zoneId)
  } else {
    doneToast(ctx, await appliedResult(outcome), texts)
  }
}

/** Shows the changes of one zone or several, and offers an undo of all. */
export function doneToast(
  ctx: HttpContext,
  applied: AppliedZone | AppliedZone[],
  { message, several, zoneId }: ToastTexts = {}
): void {
  const all = [applied].flat()
  const appliedZones = all.filter(({ entry }) => entry !== null)
  const singleZone = appliedZones.length === 1 ? appliedZones[0] : null
  const one = singleZone && (message ?? defaultText(singleZone))
  const key =
    appliedZones.length === 0 ? 'plan.nothing' : (one ?? several ?? 'transfer.applied_zones')
  const text = ctx.i18n.t(key, {
    count: appliedZones.reduce((sum, { changes }) => sum + changes.length, 0),
    zones: appliedZones.length,
    serial: String(singleZone?.serialAfter ?? ''),
  })
  const isUndoable = appliedZones.length > 0 && appliedZones.length <= MAX_UNDO_ZONES
  const action = isUndoable && { label: ctx.i18n.t('plan.undo'), url: undoAddress(appliedZones) }
  const about = zoneId ?? all[0]?.zone.id
  toast(ctx, { kind: 'done', text, applied: about, ...(action ? { action } : {}) })
}

/** The URL that undoes an entry of a zone, and those of other zones with it. */
function undoAddress([first, ...otherZones]: AppliedZone[]): string {
  const otherEntries = otherZones.map(({ zone, entry }) => `${zone.id}:${entry}`).join(',')
  const address = `/zones/${first.zone.id}/history/${first.entry}/undo`
  return otherEntries === '' ? address : `${address}?with=${otherEntries}`
}

/** The text of a change, or of a change of comments only. */
function defaultText({ changes }: AppliedZone): string {
  const isOfComments = changes.length > 0 && changes.every(changesCommentsOnly)
  return isOfComments ? 'plan.comments_kept' : 'plan.applied'
}

/** Shows the number of the filed request; the draft of the zone `applied` is deleted. */
export function filedToast(ctx: HttpContext, id: number, applied?: number): void {
  const text = ctx.i18n.t('plan.filed', { id })
  const link = { label: ctx.i18n.t('requests.look'), url: `/requests/${id}` }
  toast(ctx, { kind: 'done', text, link, ...(applied === undefined ? {} : { applied }) })
}
