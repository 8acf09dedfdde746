import { authorize, type AccessRequest } from '#access/authorize'
import type { Actor } from '#access/actor'
import { forbidden, notFound } from '#exceptions/refusal'

/**
 * Goes on only if the actor may do this. Throws a 403 that says why, or the same 404 as for a missing
 * object where the actor may not know of it.
 */
export function demand(actor: Actor, request: AccessRequest): void {
  const decision = authorize(actor, request)
  if (decision.allowed) {
    return
  }
  if (decision.hidden) {
    throw notFound('Zone not found')
  }
  throw forbidden(decision.reasons.map((reason) => reason.message).join('; '))
}
