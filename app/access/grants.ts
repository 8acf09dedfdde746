import type { Actor } from '#access/actor'
import type { Ownership } from '#access/ownership'
import type { Permission } from '#access/permissions'

/** A permission in force, and where it comes from, in words. */
export interface Grant {
  permission: Permission
  source: string
}

/** Those of the permissions that the actor holds, once for each template they come from. */
export function grantsOf(actor: Actor, permissions: readonly Permission[]): Grant[] {
  return permissions.flatMap((permission) => [
    ...(actor.permissions.has(permission) ? [fromTemplate(actor, permission)] : []),
    ...actor.groups
      .filter((group) => group.permissions.has(permission))
      .map((group) => fromGroup(group, permission)),
  ])
}

/**
 * Those of the permissions that are in force for a zone because the actor owns it: held by their own template
 * where they own it directly, or by that of a group that owns it.
 */
export function ownGrantsOf(
  actor: Actor,
  { users, groups }: Ownership,
  permissions: readonly Permission[]
): Grant[] {
  const isOwner = actor.userId !== null && users.has(actor.userId)
  return permissions.flatMap((permission) => [
    ...(isOwner && actor.permissions.has(permission) ? [fromTemplate(actor, permission)] : []),
    ...actor.groups
      .filter((group) => groups.has(group.id) && group.permissions.has(permission))
      .map((group) => fromGroup(group, permission)),
  ])
}

function fromTemplate({ template }: Actor, permission: Permission): Grant {
  const source = template === undefined ? permission : `${permission} from template '${template}'`
  return { permission, source }
}

function fromGroup({ name }: { name: string }, permission: Permission): Grant {
  return { permission, source: `${permission} from group '${name}'` }
}
