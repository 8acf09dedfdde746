import { APPROVAL_NEEDED_MESSAGE, approval } from '#access/approval'
import { authorize, type ZoneFacts } from '#access/authorize'
import { demand } from '#access/demand'
import { loadZoneFacts } from '#access/ownership'
import type { BackendZone } from '#backends/contract/backend'
import type { ChangeContext } from '#changes/transaction/change_context'
import type { ZoneChangeSet, ZoneEdit } from '#changes/model/change_set'
import type { ZonePlan } from '#changes/model/zone_plan'
import type { RRsetKey } from '#dns/types'
import { forbidden, notFound } from '#exceptions/refusal'

/**
 * Sets `needsReview` of each planned zone, for every channel. Planning has refused changes that are
 * not permitted at all. Properties, new zones and approved changes need no review, except a rename
 * that affects protected names.
 */
export async function markForReview(
  { set, session, trx }: ChangeContext,
  locked: Map<number, BackendZone>,
  plans: ZonePlan[]
): Promise<void> {
  if (!approval.isEnabled || set.isApproved || set.isFiling) {
    return
  }
  const { actor } = set.intent
  for (const [index, change] of set.zones.entries()) {
    const zone = change.op === 'create' ? undefined : locked.get(change.zoneId)
    if (zone) {
      const facts = await loadZoneFacts(zone, trx)
      plans[index].needsReview =
        change.op === 'delete'
          ? authorize(actor, { action: 'zone.delete', zone: facts }).review === true ||
            (actor.userId !== null && changesProtectedName(plans[index]))
          : plans[index].changes.some(
              ({ name, type }) =>
                authorize(actor, { action: 'rrset.write', zone: facts, name, type }).review
            ) ||
            (actor.userId !== null && (await renameChangesProtection(session, zone, change)))
    }
  }
}

/**
 * Whether a request is filed instead of the change: because it needs review, or because the caller
 * asked for it. Throws a 404 `Refusal` if review is disabled, and 403 if the actor may not file a
 * request.
 */
export async function mustFileRequest(
  { set, trx }: ChangeContext,
  locked: Map<number, BackendZone>,
  plans: ZonePlan[]
): Promise<boolean> {
  if (set.intent.review !== 'ask') {
    return plans.some(({ needsReview }) => needsReview)
  }
  if (!approval.isEnabled) {
    throw notFound('Change approval is not enabled')
  }
  const isDeletion = set.zones.some(({ op }) => op === 'delete')
  const action = isDeletion ? 'zone.request_deletion' : 'zone.request_changes'
  for (const zone of locked.values()) {
    demand(set.intent.actor, { action, zone: await loadZoneFacts(zone, trx) })
  }
  return plans.some(({ changes, properties }) => changes.length > 0 || properties)
}

/**
 * Requires direct write access to these RRsets, for channels that cannot file requests. A 403 has
 * precedence over errors in the records. RRsets that the actor may not write at all, and
 * `asksByDifference`, are checked later.
 */
export function requireDirectWrite(
  { set }: ChangeContext,
  zone: ZoneFacts,
  affected: RRsetKey[],
  { checksChangedOnly }: Pick<ZoneEdit, 'checksChangedOnly'>
): void {
  const { actor, dryRun, review } = set.intent
  const isPlanned = dryRun || review !== undefined || set.origin?.kind === 'template'
  if (!approval.isEnabled || set.isApproved || set.isFiling || isPlanned || checksChangedOnly) {
    return
  }
  const decisions = affected.map(({ name, type }) =>
    authorize(actor, { action: 'rrset.write', zone, name, type })
  )
  if (decisions.every(({ allowed }) => allowed) && decisions.some((it) => it.review)) {
    throw forbidden(APPROVAL_NEEDED_MESSAGE)
  }
}

/** Whether a plan changes a protected name. */
function changesProtectedName({ changes }: ZonePlan): boolean {
  return changes.some(({ name }) => approval.isProtected(name))
}

/** Whether a rename of the zone changes which of its names are protected. */
async function renameChangesProtection(
  session: ChangeContext['session'],
  zone: BackendZone,
  change: ZoneChangeSet
): Promise<boolean> {
  const apex = change.op === 'edit' ? change.properties?.name : undefined
  if (apex === undefined || apex === zone.name || approval.settings.protected_names.length === 0) {
    return false
  }
  const rrsets = await session.allRRsets(zone)
  return rrsets.some(
    ({ name }) =>
      approval.isProtected(name) || approval.isProtected(name.slice(0, -zone.name.length) + apex)
  )
}
