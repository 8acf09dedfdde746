import { changedMembers } from '#accounts/changed_members'
import { memberAdded, memberRemoved } from '#accounts/groups/events'
import { keyRevokedEvents } from '#accounts/keys/events'
import type { GroupName } from '#accounts/groups/references'
import type { UserRow } from '#accounts/users/row'
import type { AuditAction } from '#audit/actions'
import type { AuditEvent, Detail } from '#audit/event'

/** A change of a user, with the name after the change. Contains no password and no hash. */
export type UserEvent = { user: { id: number; username: string } } & (
  | { action: 'user.create'; after: UserRow; groups: GroupName[] }
  | {
      action: 'user.update'
      before: UserRow
      after: UserRow
      /** Absent if the password stays. */
      password?: 'set' | 'removed'
    }
  | {
      action: 'user.delete'
      /** Groups of the user before the deletion. */
      groups: GroupName[]
      /** API keys that were deleted with the user. */
      keys: { id: number; name: string }[]
      /** Transfers of the user's zones. */
      transfers: ZoneTransferEvent[]
    }
)

/** Transferred zones by id; `to` is null if they stay with their other owners. */
export interface ZoneTransferEvent {
  to: { kind: 'user' | 'group'; id: number; name: string } | null
  zones: number[]
}

/**
 * Audit events of a change of a user. Memberships and keys have separate events. Of a password,
 * only the fact of a change is logged.
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
        ...keyRevokedEvents(event.keys, user),
        eventOf('user.deleted', recipientsDetail(event)),
      ]
  }
}

/** New owners, with zones in `zones` only, because some readers may not view these. */
function recipientsDetail({ transfers }: Extract<UserEvent, { action: 'user.delete' }>): Detail {
  const recipients = transfers.map(({ to }) =>
    to ? { transferred_to: nameOf(to) } : { left_to_others: true }
  )
  const zones = transfers.map((transfer) => transfer.zones)
  if (recipients.length > 1) {
    return { transfers: recipients, zones }
  }
  return recipients.length === 0 ? {} : { ...recipients[0], zones: zones[0] }
}

function nameOf({ kind, id, name }: NonNullable<ZoneTransferEvent['to']>): Detail {
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
