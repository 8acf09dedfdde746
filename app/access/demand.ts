import { authorize, type AccessRequest, type Decision, type ZoneFacts } from '#access/authorize'
import type { Actor } from '#access/actor'
import { Refusal } from '#exceptions/refusal'

/**
 * What `authorize` refused: a 403 with the reasons or, where the actor may not know of the object, the same 404
 * as for a missing one. Holds who asked for what, for the audit log.
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
 * Goes on only if the actor may do this. Throws a 403 that says why, or the same 404 as for a missing
 * object where the actor may not know of it (`AccessDenied`).
 */
export function demand(actor: Actor, request: AccessRequest): void {
  const decision = authorize(actor, request)
  if (!decision.allowed) {
    throw new AccessDenied(actor, request, decision)
  }
}

/** Whether what a zone holds may be shown to the actor, in whatever answer: user and API key may view it. */
export function canView(actor: Actor, zone: ZoneFacts): boolean {
  return eventVisibilityOf(zone).every((request) => authorize(actor, request).allowed)
}

/** Whether the metadata of the zone may be shown to the actor: user and API key may read it. */
export function canViewMetadata(actor: Actor, zone: ZoneFacts): boolean {
  const view = { action: 'key.operate' as const, operations: ['view' as const] }
  return [{ action: 'zone.view_metadata' as const, zone }, view].every(
    (request) => authorize(actor, request).allowed
  )
}

/** Goes on only if what the zone holds may be shown to the actor. Throws as `demand` does. */
export function requireView(actor: Actor, zone: ZoneFacts): void {
  eventVisibilityOf(zone).forEach((request) => demand(actor, request))
}

function eventVisibilityOf(zone: ZoneFacts): AccessRequest[] {
  return [
    { action: 'zone.view', zone },
    { action: 'key.operate', operations: ['view'] },
  ]
}
