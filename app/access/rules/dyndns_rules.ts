import { holds, isSuperUser, type Actor } from '#access/actor'
import { approval } from '#access/approval'
import { allow, decide, type Decision } from '#access/decision'
import { keyReaches, keyWrites } from '#access/rules/key_rules'
import type { Permission } from '#access/permissions'
import { ownerGrantsOf } from '#access/grants'
import { actOnZone } from '#access/rules/zone_rules'
import type { ZoneFacts } from '#access/ownership'

/** Requests about dynamic DNS. */
export type DyndnsRequest =
  /** Whether the actor may update any host. */
  | { action: 'dyndns.use' }
  /** Whether the actor may update addresses of a host in the zone; `name` is canonical. */
  | { action: 'dyndns.update'; zone: ZoneFacts; name: string }

const RIGHTS: Permission[] = [
  'zone_content_edit_own',
  'zone_content_edit_own_as_client',
  'zone_content_edit_others',
]
const NEEDED = RIGHTS.join(' or ')

/**
 * Rights to request changes: their holders get a message about review, instead of one about
 * ownership.
 */
const ASKING: Permission[] = ['zone_change_request_own', 'zone_change_request_others']

/**
 * Decides about dynamic DNS. Router credentials are exposed, so they reach only zones that their
 * user owns, even for administrators. A key with patterns lists its names, so its user need not own
 * the zone. The write itself is authorized separately.
 */
export function actOnDyndns(actor: Actor, request: DyndnsRequest): Decision {
  if (request.action === 'dyndns.use') {
    const may = isSuperUser(actor) || rights().some((right) => holds(actor, right))
    const message = 'User does not have permission to update dynamic DNS records'
    return decide(may, 'permission', message, NEEDED)
  }
  const { zone, name } = request
  const reach = keyReaches(actor, zone.id, zone.name)
  if (!actor.key?.patterns) {
    // Checked first: a key for certain zones must not reveal zones of others.
    const grants = ownerGrantsOf(actor, zone.ownership, [...rights(), 'user_is_ueberuser'])
    if (grants.length === 0) {
      const message = 'Hostname is not contained in any zone the user owns'
      return { ...decide(false, 'ownership', message, NEEDED), hidden: true }
    }
    if (!reach.allowed) {
      return reach
    }
    const edit = actOnZone(actor, 'zone.edit_records', zone)
    return edit.allowed ? allow(grants) : edit
  }
  if (!reach.allowed) {
    return reach
  }
  const edit = actOnZone(actor, 'zone.edit_records', zone)
  const writes = (['A', 'AAAA'] as const).map((type) => keyWrites(actor, name, type))
  const mayOne = writes.some(({ allowed }) => allowed)
  return edit.allowed && !mayOne ? writes[0] : edit
}

/** Returns the rights that count at present. */
function rights(): Permission[] {
  return approval.isEnabled ? [...RIGHTS, ...ASKING] : RIGHTS
}
