import type { Permission } from '#access/permissions'
import type { Operation } from '#dns/types'
import { jobName } from '#support/job_process'

/**
 * Operations that an API key can be restricted to: reading, or single operations on records and
 * objects.
 */
export type KeyOperation = 'view' | Operation

/** Owner names, and optionally types, that a key may write. */
export interface KeyPattern {
  /** Canonical pattern of absolute owner names; see app/dns/names/name_patterns.ts. */
  name: string
  /** Record types in upper case; null allows all. */
  types: ReadonlySet<string> | null
}

/** Restrictions of an API key. They only narrow the rights of its owner. */
export interface KeyScope {
  readOnly: boolean
  /** null allows all. */
  operations: ReadonlySet<KeyOperation> | null
  /** Zones that the key reaches, name by id; null for all zones of its owner. */
  zones: ReadonlyMap<number, string> | null
  /**
   * RRsets that the key may write; such a key changes nothing else. null for all that its owner may
   * write.
   */
  patterns: readonly KeyPattern[] | null
  /** Canonical networks from which the key is accepted; null for all. */
  networks: readonly string[] | null
  /** Expiry, ISO 8601, exclusive; null for a key that never expires. */
  expiresAt: string | null
  /** Days without use after which the key expires; null for no limit. */
  idleDays: number | null
}

/** Returns whether the key has fewer rights, addresses or time than its owner. */
export function isRestricted(scope: KeyScope): boolean {
  const { readOnly, operations, zones, patterns, networks, expiresAt, idleDays } = scope
  const limits = [operations, zones, patterns, networks, expiresAt, idleDays]
  return readOnly || limits.some((limit) => limit !== null)
}

/** The API key of the request. */
export interface KeyRestrictions extends KeyScope {
  id: number
}

/** A group of the actor, with the permissions of the group's template. */
export interface ActorGroup {
  id: number
  name: string
  permissions: ReadonlySet<Permission>
}

/** Origin of a change. */
export type Channel = 'api' | 'web' | 'dyndns' | 'cli' | 'job' | 'external'

/** The acting user with rights, API key and address. */
export interface Actor {
  userId: number | null
  username: string
  /** Permissions of the user's template, without those of groups. */
  permissions: ReadonlySet<Permission>
  /** Name of that template, for display; absent without a template. */
  template?: string
  groups: ActorGroup[]
  key: KeyRestrictions | null
  /** Network address of the caller; null on the command line. */
  address: string | null
  channel: Channel
}

/** The maintainer on the command line, who can access the database; also the scheduler. */
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

/** An unknown author of external changes. Used in the journal only. */
export function externalActor(): Actor {
  const nobody = { userId: null, permissions: new Set<Permission>(), groups: [], key: null }
  return { ...nobody, username: 'external', address: null, channel: 'external' }
}

/** Returns whether the user's template or that of any group contains the permission. */
export function hasPermission(actor: Actor, permission: Permission): boolean {
  return (
    actor.permissions.has(permission) ||
    actor.groups.some((group) => group.permissions.has(permission))
  )
}

/** Returns whether the user's template or that of any group contains `user_is_ueberuser`. */
export function isSuperUser(actor: Actor): boolean {
  return hasPermission(actor, 'user_is_ueberuser')
}
