import { zoneId } from '#controllers/support/params'
import type { HttpContext } from '@adonisjs/core/http'
import { APPROVAL_NEEDED_MESSAGE, approval } from '#access/approval'
import { authorize } from '#access/authorize'
import { asksForPlan } from '#controllers/support/write_terms'
import { forbidden } from '#exceptions/refusal'
import type { OpenZone, ZoneDirectory } from '#zones/directory'

/**
 * The zone of the path, for a channel that cannot file requests. Throws as `ZoneDirectory.open`.
 * Throws 403 before the body is validated if every change there needs review (docs/reference/api.md, Change
 * requests). If that depends on the records, or for a dry run, the plan decides.
 */
export async function openToWrite(
  ctx: HttpContext,
  directory: ZoneDirectory,
  action: 'zone.edit_records' | 'zone.delete'
): Promise<OpenZone> {
  const openedZone = await directory.open(ctx.actor, zoneId(ctx), action)
  const { review } = authorize(ctx.actor, { action, zone: openedZone.facts })
  const hasExemptions = action === 'zone.edit_records' && approval.settings.auto_approve.length > 0
  if (review && !hasExemptions && !(await asksForPlan(ctx))) {
    throw forbidden(APPROVAL_NEEDED_MESSAGE)
  }
  return openedZone
}
