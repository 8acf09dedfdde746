import type { Actor } from '#access/actor'
import { decide, type Decision } from '#access/decision'
import { decideByPermission } from '#access/grants'
import { decideKeyAdministration } from '#access/rules/key_rules'
import type { Permission } from '#access/permissions'

/** Subject area of an audit event. It determines which users may read the event. */
export type AuditArea = 'users' | 'groups' | 'zones' | 'system'

const VIEW_PERMISSIONS: Record<AuditArea, Permission> = {
  users: 'user_logs_view',
  groups: 'group_logs_view',
  // The history of a zone shows its events; this right covers all zones.
  zones: 'user_is_ueberuser',
  system: 'user_is_ueberuser',
}

/**
 * Returns whether the actor may read the events of an area. Keys for zones or patterns may read
 * none.
 */
export function decideAuditView(actor: Actor, area: AuditArea): Decision {
  if (actor.key?.zones) {
    const message = 'You do not have permission to view the audit log'
    return decide(false, 'key-zone', message, `API key ${actor.key.id}`)
  }
  const keyDecision = decideKeyAdministration(actor)
  if (!keyDecision.allowed) {
    return keyDecision
  }
  return decideByPermission(actor, VIEW_PERMISSIONS[area], 'view the audit log')
}
