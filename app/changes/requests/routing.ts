import { approval } from '#access/approval'
import { authorize } from '#access/authorize'
import { factsOf } from '#access/ownership'
import type { BackendZone } from '#backends/contract'
import type { ChangeContext } from '#changes/change_context'
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
      plans[index].needsReview =
        change.op === 'delete'
          ? authorize(actor, { action: 'zone.delete', zone: facts }).review === true
          : plans[index].changes.some(
              ({ name, type }) =>
                authorize(actor, { action: 'rrset.write', zone: facts, name, type }).review
            )
    }
  }
}
