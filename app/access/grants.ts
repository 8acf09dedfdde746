import type { Actor } from '#access/actor'
import { allow, decide, type Decision } from '#access/decision'
import type { Ownership } from '#access/ownership'
import type { Permission } from '#access/permissions'

/** A permission and a description of its origin. */
export interface Grant {
  permission: Permission
  source: string
}

/** Returns those permissions that the actor has, once per template that contains them. */
export function grantsOf(actor: Actor, permissions: readonly Permission[]): Grant[] {
  return permissions.flatMap((permission) => [
    ...(actor.permissions.has(permission) ? [templateGrant(actor, permission)] : []),
    ...actor.groups
      .filter((group) => group.permissions.has(permission))
      .map((group) => groupGrant(group, permission)),
  ])
}

/**
 * Allows an action to administrators and to users with one of these permissions.
 *
 * @param action verb and object, for the refusal
 */
export function decideByPermission(
  actor: Actor,
  permissions: Permission | readonly Permission[],
  action: string
): Decision {
  const accepted = [permissions].flat()
  const grants = grantsOf(actor, [...new Set<Permission>(['user_is_ueberuser', ...accepted])])
  if (grants.length > 0) return allow(grants)
  const isForAdministrators = accepted.every((permission) => permission === 'user_is_ueberuser')
  const message = isForAdministrators
    ? `Only administrators can ${action}`
    : `You do not have permission to ${action}`
  return decide(false, 'permission', message, accepted.join(' or '))
}

/** Refuses an action to a user who is no administrator. */
export function refuseNonAdministrator(action: string): Decision {
  return decide(false, 'permission', `Only administrators can ${action}`, 'user_is_ueberuser')
}

/**
 * Returns those permissions that apply because the actor owns the zone: from the user's template
 * for direct owners, else from the template of an owning group.
 */
export function ownerGrantsOf(
  actor: Actor,
  { users, groups }: Ownership,
  permissions: readonly Permission[]
): Grant[] {
  const isOwner = actor.userId !== null && users.has(actor.userId)
  return permissions.flatMap((permission) => [
    ...(isOwner && actor.permissions.has(permission) ? [templateGrant(actor, permission)] : []),
    ...actor.groups
      .filter((group) => groups.has(group.id) && group.permissions.has(permission))
      .map((group) => groupGrant(group, permission)),
  ])
}

function templateGrant({ template }: Actor, permission: Permission): Grant {
  const source = template === undefined ? permission : `${permission} from template '${template}'`
  return { permission, source }
}

function groupGrant({ name }: { name: string }, permission: Permission): Grant {
  return { permission, source: `${permission} from group '${name}'` }
}
