import { changedMembers } from '#accounts/changed_members'
import type { GroupName } from '#accounts/groups/references'
import type { GroupRow } from '#accounts/groups/groups'
import type { AuditAction } from '#audit/actions'
import type { AuditEvent, Detail } from '#audit/event'
import { ownerEvents } from '#audit/owner_events'

/** A user in events of groups. */
export interface MemberName {
  id: number
  username: string
}

/** Audit event of a new group. */
export function groupCreated(group: GroupRow): AuditEvent[] {
  const { description, permission_template_id: templateId } = group
  return [groupEvent('group.created', group, { description, template_id: templateId })]
}

/** Audit event of an edited group; empty without a change. */
export function groupUpdated(before: GroupRow, after: GroupRow): AuditEvent[] {
  const changes = changedMembers(membersOf(before), membersOf(after))
  return changes ? [groupEvent('group.updated', after, changes)] : []
}

/** Audit events of a deleted group: members, zones, and last the deletion. */
export function groupDeleted(
  group: GroupRow,
  members: MemberName[],
  zones: { id: number; name: string }[]
): AuditEvent[] {
  return [
    ...members.map((member) => memberRemoved(group, member)),
    ...zones.flatMap((zone) => ownerEvents('zone.owner_removed', zone, { groups: [group.id] })),
    groupEvent('group.deleted', group, { zones: zones.map(({ id }) => id) }),
  ]
}

/** Audit event of a new member. */
export function memberAdded(group: GroupName, member: MemberName): AuditEvent {
  return groupEvent('group.member_added', group, nameOf(member))
}

/** Audit event of a removed member. */
export function memberRemoved(group: GroupName, member: MemberName): AuditEvent {
  return groupEvent('group.member_removed', group, nameOf(member))
}

function groupEvent(action: AuditAction, { id, name }: GroupName, detail: Detail): AuditEvent {
  return { action, object: { kind: 'group', id, name }, detail }
}

function nameOf({ id, username }: MemberName): Detail {
  return { user_id: id, username }
}

function membersOf({ name, description, permission_template_id: templateId }: GroupRow) {
  return { name, description, template_id: templateId }
}
