import type { AuditEvent, AuditObject } from '#audit/event'

/** Ids of added and removed owners of a zone. */
export interface OwnerChanges {
  users?: readonly number[]
  groups?: readonly number[]
}

/** Events of added and removed owners of a zone: one for each, users before groups. */
export function ownerEvents(
  action: 'zone.owner_added' | 'zone.owner_removed',
  { id, name }: { id: number; name: string },
  { users = [], groups = [] }: OwnerChanges
): AuditEvent[] {
  const object: AuditObject = { kind: 'zone', id, name }
  const owners = [
    ...users.map((user) => ({ user_id: user })),
    ...groups.map((group) => ({ group_id: group })),
  ]
  return owners.map((detail) => ({ action, object, detail }))
}
