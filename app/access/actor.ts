import type { Permission } from '#access/permissions'
import type { Operation } from '#dns/types'

/** What an API key may be narrowed to: reading, or some of the operations on records and objects. */
export type KeyOperation = 'view' | Operation

/** The restrictions of an API key. They only ever narrow what its owner may do. */
export interface KeyRestrictions {
  id: number
  readOnly: boolean
  /** null allows all. */
  operations: ReadonlySet<KeyOperation> | null
  /** The zones the key reaches, name by id; null reaches all that its owner does. */
  zones: ReadonlyMap<number, string> | null
}

/** A group that the actor is in, with the permissions of the group's template. */
export interface ActorGroup {
  id: number
  permissions: ReadonlySet<Permission>
}

/** Where a change came in. */
export type Door = 'api' | 'web' | 'dyndns' | 'cli' | 'job'

/** Who acts: a user with their rights, perhaps through a key, from an address. */
export interface Actor {
  userId: number | null
  username: string
  /** Permissions of the user's own template. */
  permissions: ReadonlySet<Permission>
  groups: ActorGroup[]
  key: KeyRestrictions | null
  /** Network address of the caller; null on the command line. */
  address: string | null
  door: Door
}

/** The maintainer on the command line, who has the database anyway. */
export function maintainer(): Actor {
  return {
    userId: null,
    username: 'maintainer',
    permissions: new Set<Permission>(['user_is_ueberuser']),
    groups: [],
    key: null,
    address: null,
    door: 'cli',
  }
}

/** Whether the permission comes from anywhere: the user's template or that of any group. */
export function holds(actor: Actor, permission: Permission): boolean {
  return (
    actor.permissions.has(permission) ||
    actor.groups.some((group) => group.permissions.has(permission))
  )
}

/** Administrators may do everything; `user_is_ueberuser` counts from the user's template or any group. */
export function isSuperUser(actor: Actor): boolean {
  return holds(actor, 'user_is_ueberuser')
}
