import { holds, isSuperUser, type Actor } from '#access/actor'
import { decide, type Decision } from '#access/decision'
import { keyAdministers } from '#access/rules/key_rules'
import type { Permission } from '#access/permissions'

/** Whom events of the audit log concern; decides who may read them. */
export type AuditArea = 'users' | 'groups' | 'zones' | 'system'

const RIGHTS: Record<AuditArea, Permission> = {
  users: 'user_logs_view',
  groups: 'group_logs_view',
  // Whoever may read the log of some zones reads their history; here stand all zones.
  zones: 'user_is_ueberuser',
  system: 'user_is_ueberuser',
}

/** Whether the actor may read the events of an area. A key that is narrowed to zones or to some records reads none. */
export function viewAudit(actor: Actor, area: AuditArea): Decision {
  const message = 'You do not have permission to view the audit log'
  if (actor.key?.zones) {
    return decide(false, 'key-zone', message, `API key ${actor.key.id}`)
  }
  const administers = keyAdministers(actor)
  if (!administers.allowed) {
    return administers
  }
  const right = RIGHTS[area]
  return decide(isSuperUser(actor) || holds(actor, right), 'permission', message, right)
}
