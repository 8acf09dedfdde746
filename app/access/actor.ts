import type { Permission } from '#access/permissions'
import type { Operation } from '#dns/types'
import { jobName } from '#support/job_process'

/** What an API key may be narrowed to: reading, or some of the operations on records and objects. */
export type KeyOperation = 'view' | Operation

/** Owner names, and perhaps types, that a key may write. */
export interface KeyPattern {
  /** Canonical pattern of absolute owner names; see app/dns/names/name_patterns.ts. */
  name: string
  /** Record types in upper case; null is all. */
  types: ReadonlySet<string> | null
}

/** What an API key is narrowed to. It only ever narrows what its owner may do. */
export interface KeyScope {
  readOnly: boolean
  /** null allows all. */
  operations: ReadonlySet<KeyOperation> | null
  /** The zones the key reaches, name by id; null reaches all that its owner does. */
  zones: ReadonlyMap<number, string> | null
  /** The RRsets that the key may write; with them it changes nothing else. null writes all that its owner may. */
  patterns: readonly KeyPattern[] | null
  /** Canonical networks that the key works from; null is everywhere. */
  networks: readonly string[] | null
  /** ISO 8601; the key no longer works from then on. null never expires. */
  expiresAt: string | null
  /** Days without use after which the key no longer works; null is never. */
  idleDays: number | null
}

/** Whether an API key can do less, or works for less time or from fewer addresses, than its owner. */
export function isRestricted(scope: KeyScope): boolean {
  const { readOnly, operations, zones, patterns, networks, expiresAt, idleDays } = scope
  const limits = [operations, zones, patterns, networks, expiresAt, idleDays]
  return readOnly || limits.some((limit) => limit !== null)
}

/** The API key that somebody came with. */
export interface KeyRestrictions extends KeyScope {
  id: number
}

/** A group that the actor is in, with the permissions of the group's template. */
export interface ActorGroup {
  id: number
  name: string
  permissions: ReadonlySet<Permission>
}

/** Where a change came in. */
export type Channel = 'api' | 'web' | 'dyndns' | 'cli' | 'job' | 'external'

/** Who acts: a user with their rights, perhaps through a key, from an address. */
export interface Actor {
  userId: number | null
  username: string
  /** Permissions of the user's own template. */
  permissions: ReadonlySet<Permission>
  /** Name of that template, for people; absent for whoever has none. */
  template?: string
  groups: ActorGroup[]
  key: KeyRestrictions | null
  /** Network address of the caller; null on the command line. */
  address: string | null
  channel: Channel
}

/** The maintainer on the command line, who has the database anyway; the scheduler, where it runs the command. */
export function maintainer(): Actor {
  const isJob = jobName !== undefined
  return {
    userId: null,
    username: isJob ? 'scheduler' : 'maintainer',
    permissions: new Set<Permission>(['user_is_ueberuser']),
    groups: [],
    key: null,
    address: null,
    channel: isJob ? 'job' : 'cli',
  }
}

/** Whoever changed records without the product: nobody knows who. Stands in the journal only. */
export function outsider(): Actor {
  const nobody = { userId: null, permissions: new Set<Permission>(), groups: [], key: null }
  return { ...nobody, username: 'external', address: null, channel: 'external' }
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
