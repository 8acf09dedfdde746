import type { Actor } from '#access/actor'
import { approval } from '#access/approval'
import { allow, decide, type Decision } from '#access/decision'
import { decideKeyReach, decideKeyWrite } from '#access/rules/key_rules'
import type { Permission } from '#access/permissions'
import { grantsOf, ownerGrantsOf } from '#access/grants'
import { actOnZone } from '#access/rules/zone_rules'
import type { ZoneFacts } from '#access/ownership'

/** Requests about dynamic DNS. */
export type DyndnsRequest =
  /** Whether the actor may update any host. */
  | { action: 'dyndns.use' }
  /** Whether the actor may update addresses of a host in the zone; `name` is canonical. */
  | { action: 'dyndns.update'; zone: ZoneFacts; name: string }

const EDIT_PERMISSIONS: Permission[] = [
  'zone_content_edit_own',
  'zone_content_edit_own_as_client',
  'zone_content_edit_others',
]
const REQUIRED_PERMISSIONS_TEXT = EDIT_PERMISSIONS.join(' or ')

/**
 * Rights to request changes: their holders get a message about review, instead of one about
 * ownership.
 */
const REQUEST_PERMISSIONS: Permission[] = ['zone_change_request_own', 'zone_change_request_others']

/**
 * Decides about dynamic DNS. Router credentials are exposed, so they reach only zones that their
 * user owns, even for administrators. A key with patterns lists its names, so its user need not own
 * the zone. The write itself is authorized separately.
 */
export function actOnDyndns(actor: Actor, request: DyndnsRequest): Decision {
  if (request.action === 'dyndns.use') {
    const grants = grantsOf(actor, ['user_is_ueberuser', ...effectivePermissions()])
    const message = 'User does not have permission to update dynamic DNS records'
    return grants.length > 0
      ? allow(grants)
      : decide(false, 'permission', message, REQUIRED_PERMISSIONS_TEXT)
  }
  const { zone, name } = request
  const keyDecision = decideKeyReach(actor, zone.id, zone.name)
  if (!actor.key?.patterns) {
    // Checked first: a key for certain zones must not reveal zones of others.
    const grants = ownerGrantsOf(actor, zone.ownership, [
      ...effectivePermissions(),
      'user_is_ueberuser',
    ])
    if (grants.length === 0) {
      const message = 'Hostname is not contained in any zone the user owns'
      return { ...decide(false, 'ownership', message, REQUIRED_PERMISSIONS_TEXT), hidden: true }
    }
    if (!keyDecision.allowed) {
      return keyDecision
    }
    const editDecision = actOnZone(actor, 'zone.edit_records', zone)
    return editDecision.allowed ? allow(grants) : editDecision
  }
  if (!keyDecision.allowed) {
    return keyDecision
  }
  const editDecision = actOnZone(actor, 'zone.edit_records', zone)
  const keyWriteDecisions = (['A', 'AAAA'] as const).map((type) =>
    decideKeyWrite(actor, name, type)
  )
  const canWriteOneType = keyWriteDecisions.some(({ allowed }) => allowed)
  return editDecision.allowed && !canWriteOneType ? keyWriteDecisions[0] : editDecision
}

/** Returns the rights that count at present. */
function effectivePermissions(): Permission[] {
  return approval.isEnabled ? [...EDIT_PERMISSIONS, ...REQUEST_PERMISSIONS] : EDIT_PERMISSIONS
}
