import { approval } from '#access/approval'
import { authorize } from '#access/authorize'
import { factsOf } from '#access/ownership'
import type { BackendZone } from '#backends/contract'
import type { ChangeContext } from '#changes/change_context'
import type { ZoneChangeSet } from '#changes/change_set'
import type { ZonePlan } from '#changes/zone_plan'

/**
 * Says of each planned zone whether its changes have to go through review: the one place that does, for every door.
 * What may not be done at all was refused while it was planned. Properties alone, new zones, and what was approved
 * need no review.
 */
export async function route(
  { set, trx }: ChangeContext,
  locked: Map<number, BackendZone>,
  plans: ZonePlan[]
): Promise<void> {
  if (!approval.isEnabled || set.request || set.isFiling) {
    return
  }
  const { actor } = set.intent
  for (const [index, change] of set.zones.entries()) {
    const zone = change.op === 'create' ? undefined : locked.get(change.zoneId)
    if (zone) {
      const facts = await factsOf(zone, trx)
      const asks = (action: 'zone.delete' | 'zone.edit_records') =>
        authorize(actor, { action, zone: facts }).review === true
      plans[index].needsReview =
        change.op === 'delete'
          ? asks('zone.delete') || (actor.userId !== null && hasProtected(plans[index]))
          : plans[index].changes.some(
              ({ name, type }) =>
                authorize(actor, { action: 'rrset.write', zone: facts, name, type }).review
            ) ||
            (plans[index].changes.length === 0 && hasNotes(change) && asks('zone.edit_records'))
    }
  }
}

/** Whether a plan changes a name that is changed through review only. */
function hasProtected({ changes }: ZonePlan): boolean {
  return changes.some(({ name }) => approval.protects(name))
}

/** Whether comments on records are to be written, which change no record. */
function hasNotes(change: ZoneChangeSet): boolean {
  if (change.op !== 'edit' || !Array.isArray(change.actions)) {
    return false
  }
  const items = change.actions.flatMap((action) =>
    action.op === 'add' ? [action.record] : action.op === 'set' ? action.records : []
  )
  return change.notes !== undefined || items.some(({ comment }) => comment !== undefined)
}
