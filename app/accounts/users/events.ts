import { changedMembers } from '#accounts/changed_members'
import { memberAdded, memberRemoved } from '#accounts/groups/events'
import { revokedKeys } from '#accounts/keys/events'
import type { GroupName } from '#accounts/groups/references'
import type { UserRow } from '#accounts/users/row'
import type { AuditAction } from '#audit/actions'
import type { AuditEvent, Detail } from '#audit/event'

/** What was done to a user, who is named as they are called afterwards. Holds no password and no hash. */
export type UserEvent = { user: { id: number; username: string } } & (
  | { action: 'user.create'; after: UserRow; groups: GroupName[] }
  | {
      action: 'user.update'
      before: UserRow
      after: UserRow
      /** Absent where the password stays. */
      password?: 'set' | 'removed'
    }
  | {
      action: 'user.delete'
      /** Those that the user was in. */
      groups: GroupName[]
      /** API keys that are gone with the user. */
      keys: { id: number; name: string }[]
      /** What became of their zones. */
      transfers: Transfer[]
    }
)

/** Zones that went to somebody, by their ids; `to` is null where they stayed with their other owners. */
export interface Transfer {
  to: { kind: 'user' | 'group'; id: number; name: string } | null
  zones: number[]
}

/**
 * What the audit log tells of something done to a user. Memberships and keys that come or go with the user
 * are events of their own. Of a password only that it changed.
 */
export function userEvents(event: UserEvent): AuditEvent[] {
  const { user } = event
  const eventOf = (action: AuditAction, detail: Detail): AuditEvent => ({
    action,
    object: { kind: 'user', id: user.id, name: user.username },
    detail,
  })
  switch (event.action) {
    case 'user.create': {
      const { active, template_id: templateId } = membersOf(event.after)
      const groupIds = event.groups.map(({ id }) => id)
      return [
        eventOf('user.created', { active, template_id: templateId, group_ids: groupIds }),
        ...event.groups.map((group) => memberAdded(group, user)),
      ]
    }
    case 'user.update': {
      const changes = changedMembers(membersOf(event.before), membersOf(event.after))
      const { password } = event
      return [
        ...(changes ? [eventOf('user.updated', changes)] : []),
        ...(password
          ? [eventOf('user.password', password === 'removed' ? { removed: true } : {})]
          : []),
      ]
    }
    case 'user.delete':
      return [
        ...event.groups.map((group) => memberRemoved(group, user)),
        ...revokedKeys(event.keys, user),
        eventOf('user.deleted', heirsOf(event)),
      ]
  }
}

/** Who got the zones, and in `zones` which: not every reader is shown these, so that none may stand elsewhere. */
function heirsOf({ transfers }: Extract<UserEvent, { action: 'user.delete' }>): Detail {
  const heirs = transfers.map(({ to }) =>
    to ? { transferred_to: nameOf(to) } : { left_to_others: true }
  )
  const zones = transfers.map((transfer) => transfer.zones)
  if (heirs.length > 1) {
    return { transfers: heirs, zones }
  }
  return heirs.length === 0 ? {} : { ...heirs[0], zones: zones[0] }
}

function nameOf({ kind, id, name }: NonNullable<Transfer['to']>): Detail {
  return kind === 'user' ? { user_id: id, username: name } : { group_id: id, name }
}

function membersOf(user: UserRow) {
  return {
    username: user.username,
    fullname: user.fullname,
    email: user.email,
    description: user.description,
    template_id: user.permission_template_id,
    active: user.active,
    auth_method: user.auth_method,
  }
}
