import { authorize, type AccessRequest, type Decision, type ZoneFacts } from '#access/authorize'
import type { Actor } from '#access/actor'
import { Refusal } from '#exceptions/refusal'

/**
 * A refusal of `authorize`: 403 with the reasons, or the 404 of a missing object if the object is
 * hidden. Contains actor and request for the audit log.
 */
export class AccessDenied extends Refusal {
  constructor(
    readonly actor: Actor,
    readonly request: AccessRequest,
    readonly decision: Decision
  ) {
    const reasons = decision.reasons.map((reason) => reason.message).join('; ')
    super(decision.hidden ? 404 : 403, decision.hidden ? 'Zone not found' : reasons)
  }
}

/**
 * Throws `AccessDenied` unless the actor may perform the action: 403 with the reasons, or the 404
 * of a missing object if the object is hidden.
 */
export function demand(actor: Actor, request: AccessRequest): void {
  const decision = authorize(actor, request)
  if (!decision.allowed) {
    throw new AccessDenied(actor, request, decision)
  }
}

/** Returns whether user and API key may view the contents of the zone. */
export function canView(actor: Actor, zone: ZoneFacts): boolean {
  return eventVisibilityOf(zone).every((request) => authorize(actor, request).allowed)
}

/** Returns whether user and API key may view the metadata of the zone. */
export function canViewMetadata(actor: Actor, zone: ZoneFacts): boolean {
  const viewRequest = { action: 'key.operate' as const, operations: ['view' as const] }
  return [{ action: 'zone.view_metadata' as const, zone }, viewRequest].every(
    (request) => authorize(actor, request).allowed
  )
}

/** Throws as `demand` unless user and API key may view the contents of the zone. */
export function requireView(actor: Actor, zone: ZoneFacts): void {
  eventVisibilityOf(zone).forEach((request) => demand(actor, request))
}

function eventVisibilityOf(zone: ZoneFacts): AccessRequest[] {
  return [
    { action: 'zone.view', zone },
    { action: 'key.operate', operations: ['view'] },
  ]
}
