import type { GroupMember } from '#accounts/groups/member_list'
import type { GroupRow, ListedGroup } from '#accounts/groups/groups'
import { timestamp } from '#transformers/envelope'
import type { GroupZone } from '#zones/ownership/group_zones'

/** A group in a list of the API. */
export function groupItem(group: ListedGroup) {
  return {
    id: group.id,
    name: group.name,
    description: group.description,
    perm_templ_id: group.permission_template_id,
    member_count: group.member_count,
    zone_count: group.zone_count,
    created_at: serverTime(group.created_at),
  }
}

/** A group with its visible members and zones. */
export function groupDetail(group: ListedGroup, members: GroupMember[], zones: GroupZone[]) {
  return {
    ...groupItem(group),
    members: members.map(({ user_id: id, username }) => ({ user_id: id, username })),
    zones: zones.map(({ zone_id: id, zone_name: name }) => ({ zone_id: id, zone_name: name })),
  }
}

/** A group after a change. */
export function changedGroup(group: GroupRow) {
  return {
    id: group.id,
    name: group.name,
    description: group.description,
    perm_templ_id: group.permission_template_id,
    created_at: serverTime(group.created_at),
    updated_at: serverTime(group.updated_at),
  }
}

/** A member of a group in a list of the API. */
export function memberItem(member: GroupMember) {
  return {
    user_id: member.user_id,
    username: member.username,
    fullname: member.fullname,
    email: member.email,
    joined_at: serverTime(member.joined_at),
  }
}

/** A zone of a group in a list of the API. */
export function groupZoneItem(zone: GroupZone) {
  return { ...zone, created_at: serverTime(zone.created_at) }
}

/** A stored timestamp in the time zone of the server. */
function serverTime(iso: string): string {
  return timestamp(new Date(iso)).timestamp
}
