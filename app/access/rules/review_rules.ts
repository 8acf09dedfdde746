import { isSuperUser, type Actor } from '#access/actor'
import { approval } from '#access/approval'
import { allow, decide, type Decision } from '#access/decision'
import { decideKeyAdministration, decideKeyReach } from '#access/rules/key_rules'
import type { Permission } from '#access/permissions'
import { grantsOf, ownerGrantsOf, type Grant } from '#access/grants'
import type { ZoneFacts } from '#access/ownership'

/** Requests about change requests of a zone. */
export type ReviewAction =
  'zone.request_changes' | 'zone.request_deletion' | 'zone.see_requests' | 'zone.review'

export const REVIEW_ACTIONS: readonly ReviewAction[] = [
  'zone.request_changes',
  'zone.request_deletion',
  'zone.see_requests',
  'zone.review',
]

interface RightPair {
  own: Permission[]
  others: Permission[]
}

const REQUEST_RIGHTS: RightPair = {
  own: ['zone_change_request_own'],
  others: ['zone_change_request_others'],
}
const EDIT_RIGHTS: RightPair = {
  own: ['zone_content_edit_own', 'zone_content_edit_own_as_client'],
  others: ['zone_content_edit_others'],
}
const DELETE_RIGHTS: RightPair = { own: ['zone_delete_own'], others: ['zone_delete_others'] }
const APPROVE_RIGHTS: RightPair = {
  own: ['zone_change_approve_own'],
  others: ['zone_change_approve_others'],
}

/** Rights of a reviewer: one right of each pair must reach the zone. */
export const REVIEW_RIGHTS: readonly RightPair[] = [APPROVE_RIGHTS, EDIT_RIGHTS]

/** Message for actors who may view the zone, but not its change requests. */
export const NOT_REVIEWER_MESSAGE =
  'You do not have permission to review change requests for this zone'
const NOT_REQUESTER_MESSAGE = 'You do not have permission to request changes to this zone'

/** Allows only the requester to cancel a change request. */
export function decideCancel({ userId }: Actor, requesterId: number | null): Decision {
  const isRequester = userId !== null && userId === requesterId
  const message = isRequester
    ? 'The requester can withdraw a change request'
    : 'Only the requester can withdraw a change request'
  return decide(isRequester, 'requester', message, 'own request')
}

/** Returns permissions to request changes of the zone; empty while approval is disabled. */
export function requestGrants(actor: Actor, zone: ZoneFacts): Grant[] {
  return approval.isEnabled ? grantsFor(actor, zone, REQUEST_RIGHTS) : []
}

/**
 * Returns whether the actor has a right about review on the zone; false while approval is disabled.
 */
export function hasReviewRight(actor: Actor, zone: ZoneFacts): boolean {
  return (
    approval.isEnabled &&
    [REQUEST_RIGHTS, APPROVE_RIGHTS].some((rights) => grantsFor(actor, zone, rights).length > 0)
  )
}

/** Decides whether the actor may file, view, or review change requests of the zone. */
export function actOnRequests(actor: Actor, action: ReviewAction, zone: ZoneFacts): Decision {
  const keyDecision = decideKeyReach(actor, zone.id, zone.name)
  if (!keyDecision.allowed) {
    return keyDecision
  }
  if (!approval.isEnabled) {
    return decide(false, 'approval', 'Change approval is not enabled', 'approval.enabled')
  }
  switch (action) {
    case 'zone.request_changes':
      return decideByRights(actor, zone, [EDIT_RIGHTS, REQUEST_RIGHTS], NOT_REQUESTER_MESSAGE)
    case 'zone.request_deletion': {
      const administrationDecision = decideKeyAdministration(actor)
      const rights = approval.isRequiredForAll
        ? [DELETE_RIGHTS, REQUEST_RIGHTS]
        : [REQUEST_RIGHTS, DELETE_RIGHTS]
      return administrationDecision.allowed
        ? decideByRights(actor, zone, rights, NOT_REQUESTER_MESSAGE)
        : administrationDecision
    }
    case 'zone.see_requests':
      return decideReview(actor, zone)
    case 'zone.review':
      return requireNamedApprover(actor, zone, decideReview(actor, zone))
  }
}

function decideReview(actor: Actor, zone: ZoneFacts): Decision {
  if (isSuperUser(actor)) {
    return allow(grantsOf(actor, ['user_is_ueberuser']))
  }
  const grants = REVIEW_RIGHTS.map((rights) => grantsFor(actor, zone, rights))
  const missingRights = REVIEW_RIGHTS[grants.findIndex((some) => some.length === 0)]
  return missingRights
    ? decide(
        false,
        'permission',
        NOT_REVIEWER_MESSAGE,
        [...missingRights.own, ...missingRights.others].join(' or ')
      )
    : allow(grants.flat())
}

/** If approvers of the zone are named, only they and administrators may approve. */
function requireNamedApprover(actor: Actor, zone: ZoneFacts, decision: Decision): Decision {
  const approvers = approval.approversOf(zone.name)
  const isNamed = approvers?.includes(actor.username) ?? true
  return !decision.allowed || isNamed || isSuperUser(actor)
    ? decision
    : decide(
        false,
        'approval',
        `${NOT_REVIEWER_MESSAGE}: approval.zone_approvers names other users`,
        'approval.zone_approvers'
      )
}

function decideByRights(
  actor: Actor,
  zone: ZoneFacts,
  rights: RightPair[],
  refusal: string
): Decision {
  const grants = rights.flatMap((some) => grantsFor(actor, zone, some))
  const superUserGrants = grantsOf(actor, ['user_is_ueberuser'])
  const source = rights.flatMap(({ own, others }) => [...own, ...others]).join(' or ')
  return grants.length + superUserGrants.length > 0
    ? allow([...superUserGrants, ...grants])
    : decide(false, 'permission', refusal, source)
}

function grantsFor(actor: Actor, zone: ZoneFacts, { own, others }: RightPair): Grant[] {
  return [...grantsOf(actor, others), ...ownerGrantsOf(actor, zone.ownership, own)]
}
