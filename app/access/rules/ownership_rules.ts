import { holds, isSuperUser, type Actor } from '#access/actor'
import { decide, type Decision } from '#access/decision'
import { isPermission, type Permission } from '#access/permissions'
import { actOnZone, ownRight } from '#access/rules/zone_rules'
import type { ZoneFacts } from '#access/ownership'

/** Who is to own a zone: a user with all that is theirs, or a group with the rights of its template. */
export interface Grantee {
  /** Of the template that comes into force by owning: the user's own, or the group's. */
  permissions: ReadonlySet<Permission>
  /** All that they hold from anywhere, by which they may reach the zone without owning it. */
  held: ReadonlySet<Permission>
}

/** Giving a zone to somebody. */
export interface OwnershipRequest {
  action: 'zone.grant'
  zone: ZoneFacts
  to: Grantee
}

/** Rights over an own zone that are part of a greater one. */
const PART_OF: Partial<Record<Permission, Permission[]>> = {
  zone_content_edit_own_as_client: ['zone_content_edit_own'],
  zone_content_edit_ns_subzone: ['zone_content_edit_own'],
  zone_change_request_own: ['zone_content_edit_own'],
  zone_metadata_view_own: ['zone_meta_edit_own'],
  zone_ownership_view_own: ['zone_meta_edit_own'],
}

/**
 * Whether the actor may make somebody an owner of the zone. Owning brings the `_own` rights of a template
 * into force; nobody can hand over rights on a zone that they do not hold there themselves.
 */
export function grantOwnership(actor: Actor, { zone, to }: OwnershipRequest): Decision {
  const edit = actOnZone(actor, 'zone.edit_owners', zone)
  if (!edit.allowed || isSuperUser(actor) || to.held.has('user_is_ueberuser')) {
    return edit
  }
  const missing = [...to.permissions].find(
    (right) => OWN_RIGHT.test(right) && !reaches(to.held, right) && !hasOn(actor, zone, right)
  )
  return missing === undefined
    ? edit
    : decide(
        false,
        'ownership',
        `You may not make them an owner of this zone: as its owner they would hold ${missing}, which you do not hold on it`,
        missing
      )
}

/** Permissions that come into force for the zones that one owns. */
const OWN_RIGHT = /^zone_(?:.*_own(?:_as_client)?|content_edit_ns_subzone)$/

/** The right itself and those that it is part of. */
function covering(right: Permission): Permission[] {
  return [right, ...(PART_OF[right] ?? [])]
}

/** Those that bring it on every zone, owned or not. */
function everywhere(right: Permission): Permission[] {
  return covering(right)
    .map((own) => own.replace(/_own(_as_client)?$/, '_others'))
    .filter((name): name is Permission => name.endsWith('_others') && isPermission(name))
}

/** Whether somebody has a right on every zone. */
function reaches(held: ReadonlySet<Permission>, right: Permission): boolean {
  return everywhere(right).some((permission) => held.has(permission))
}

function hasOn(actor: Actor, zone: ZoneFacts, right: Permission): boolean {
  return (
    everywhere(right).some((permission) => holds(actor, permission)) ||
    ownRight(actor, zone, covering(right)) !== null
  )
}
