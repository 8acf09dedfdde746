import type { Actor } from '#access/actor'
import { approval } from '#access/approval'
import { authorize, type ZoneFacts } from '#access/authorize'
import { demand, canView } from '#access/demand'
import type { DnsBackend } from '#backends/contract/backend'
import type { ChangeRequest } from '#changes/model/change_request'
import { findRequest } from '#changes/requests/store'
import { forbidden, notFound } from '#exceptions/refusal'
import { NOT_REVIEWER_MESSAGE } from '#access/rules/review_rules'
import { loadRequestFacts } from '#review/request_zones'

/** A request that the caller may view. */
export interface OpenRequest {
  request: ChangeRequest
  facts: ZoneFacts[]
  isRequester: boolean
  /** Whether the caller may view the content of the zones. */
  canViewZones: boolean
}

/** Throws a 404 `Refusal` if review is disabled. */
export function requireReviewEnabled(): void {
  if (!approval.isEnabled) {
    throw notFound('Change approval is not enabled')
  }
}

/**
 * A request, for its author and for reviewers of its zones. Throws a 404 `Refusal` if it is missing
 * or its zones are hidden. Throws 403 if the caller may only view the zones, or if the API key does
 * not include them.
 */
export async function openRequest(
  backend: DnsBackend,
  actor: Actor,
  id: number
): Promise<OpenRequest> {
  requireReviewEnabled()
  const request = await findRequest(id)
  const facts = request ? await loadRequestFacts(backend, request) : []
  // With an API key for single zones, a missing request and one of other zones have the same
  // answer.
  const zones = request ? facts : [{ id: 0, name: undefined }]
  for (const { id: zoneId, name: zoneName } of zones) {
    demand(actor, { action: 'key.reach', zoneId, zoneName })
  }
  if (!request) {
    throw requestNotFound()
  }
  const isRequester = actor.userId !== null && actor.userId === request.requester.id
  const isAllowed = (action: 'zone.see_requests' | 'zone.view') =>
    facts.every((zone) => authorize(actor, { action, zone }).allowed)
  if (!isRequester && !isAllowed('zone.see_requests')) {
    throw isAllowed('zone.view') ? forbidden(NOT_REVIEWER_MESSAGE) : requestNotFound()
  }
  return { request, facts, isRequester, canViewZones: facts.every((zone) => canView(actor, zone)) }
}

function requestNotFound() {
  return notFound('Change request not found')
}
