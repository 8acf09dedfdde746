import { zoneId } from '#controllers/support/params'
import type { HttpContext } from '@adonisjs/core/http'
import { APPROVAL_NEEDED, approval } from '#access/approval'
import { authorize } from '#access/authorize'
import { asksForPlan } from '#controllers/support/write_terms'
import { forbidden } from '#exceptions/refusal'
import type { OpenZone, ZoneDirectory } from '#zones/directory'

/**
 * The zone of the address, for a channel that writes at once or not at all. Throws as `ZoneDirectory.open`, and a 403
 * where all that the caller could write there goes through review: before the body is looked at, as docs/api.md
 * promises it (Change requests). Where it depends on the records, or only a plan is asked for, the plan says so.
 */
export async function openToWrite(
  ctx: HttpContext,
  directory: ZoneDirectory,
  action: 'zone.edit_records' | 'zone.delete'
): Promise<OpenZone> {
  const open = await directory.open(ctx.actor, zoneId(ctx), action)
  const { review } = authorize(ctx.actor, { action, zone: open.facts })
  const hasExemptions = action === 'zone.edit_records' && approval.settings.auto_approve.length > 0
  if (review && !hasExemptions && !(await asksForPlan(ctx))) {
    throw forbidden(APPROVAL_NEEDED)
  }
  return open
}
