import { hasPermission, isSuperUser, type Actor } from '#access/actor'
import { decide, type Decision } from '#access/decision'
import { isPermission, type Permission } from '#access/permissions'
import { decideKeyExposure } from '#access/rules/key_rules'
import { actOnZone, findOwnerPermission } from '#access/rules/zone_rules'
import type { ZoneFacts } from '#access/ownership'

/** A new owner of a zone: a user with all rights, or a group with the rights of its template. */
export interface Grantee {
  /** Permissions of the template that applies to owned zones: the user's or the group's. */
  permissions: ReadonlySet<Permission>
  /** All permissions, which can reach the zone without ownership. */
  allPermissions: ReadonlySet<Permission>
}

/** A request to add an owner to a zone. */
export interface OwnershipRequest {
  action: 'zone.grant'
  zone: ZoneFacts
  to: Grantee
}

/** Rights on owned zones that a wider right includes. */
const INCLUDING_PERMISSIONS: Partial<Record<Permission, Permission[]>> = {
  zone_content_edit_own_as_client: ['zone_content_edit_own'],
  zone_content_edit_ns_subzone: ['zone_content_edit_own'],
  zone_change_request_own: ['zone_content_edit_own'],
  zone_metadata_view_own: ['zone_meta_edit_own'],
  zone_ownership_view_own: ['zone_meta_edit_own'],
}

/**
 * Decides whether the actor may add an owner. Ownership activates `_own` rights of a template, so
 * actors cannot grant rights that they lack on the zone.
 */
export function decideOwnershipGrant(actor: Actor, { zone, to }: OwnershipRequest): Decision {
  const editDecision = actOnZone(actor, 'zone.edit_owners', zone)
  const exposureDecision = decideKeyExposure(actor, 'write', 'the owners of a zone')
  if (editDecision.allowed && !exposureDecision.allowed) {
    return exposureDecision
  }
  if (!editDecision.allowed || isSuperUser(actor) || to.allPermissions.has('user_is_ueberuser')) {
    return editDecision
  }
  const missingPermission = [...to.permissions].find(
    (right) =>
      OWNER_RIGHT.test(right) &&
      !hasOnEveryZone(to.allPermissions, right) &&
      !hasRightOnZone(actor, zone, right)
  )
  return missingPermission === undefined
    ? editDecision
    : decide(
        false,
        'ownership',
        `You cannot add this owner: the owner would get ${missingPermission}, which you do not have on this zone`,
        missingPermission
      )
}

/** Permissions that apply to owned zones. */
const OWNER_RIGHT = /^zone_(?:.*_own(?:_as_client)?|content_edit_ns_subzone)$/

/** Returns the right and the rights that include it. */
function withIncludingRights(right: Permission): Permission[] {
  return [right, ...(INCLUDING_PERMISSIONS[right] ?? [])]
}

/** Returns the rights that include it on every zone, owned or not. */
function rightsOnEveryZone(right: Permission): Permission[] {
  return withIncludingRights(right)
    .map((ownName) => ownName.replace(/_own(_as_client)?$/, '_others'))
    .filter((name): name is Permission => name.endsWith('_others') && isPermission(name))
}

/** Returns whether the permissions include the right on every zone. */
function hasOnEveryZone(held: ReadonlySet<Permission>, right: Permission): boolean {
  return rightsOnEveryZone(right).some((permission) => held.has(permission))
}

function hasRightOnZone(actor: Actor, zone: ZoneFacts, right: Permission): boolean {
  return (
    rightsOnEveryZone(right).some((permission) => hasPermission(actor, permission)) ||
    findOwnerPermission(actor, zone, withIncludingRights(right)) !== null
  )
}
