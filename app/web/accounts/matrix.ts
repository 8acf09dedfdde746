import type { Actor } from '#access/actor'
import type { Permission } from '#access/permissions'
import { PERMISSION_AREAS, type PermissionScope } from '#web/accounts/rights'

/** Source of a right: a template of the user or of a group. */
interface Source {
  kind: 'template' | 'group'
  name: string
  /** Scope of the right from this source; null for a right without scopes. */
  reach: PermissionScope | null
}

/** A line of the matrix. */
interface PermissionRow {
  /** Key of the catalogue. */
  label: string
  sources: Source[]
}

/** The rights of an actor by area, with their sources. */
export function rightsMatrix(actor: Actor): { area: string; lines: PermissionRow[] }[] {
  return PERMISSION_AREAS.map(({ area, scales, single }) => ({
    area,
    lines: [
      ...scales.map(({ key, steps }) => ({
        label: `rights.scale_${key}`,
        sources: steps.flatMap(({ reach, permission }) =>
          permission === null ? [] : sourcesOf(actor, permission, reach)
        ),
      })),
      ...single.map((permission) => ({
        label: `rights.${permission}`,
        sources: sourcesOf(actor, permission, null),
      })),
    ],
  }))
}

function sourcesOf(actor: Actor, permission: Permission, reach: PermissionScope | null): Source[] {
  return [
    ...(actor.permissions.has(permission)
      ? [{ kind: 'template' as const, name: actor.template ?? '', reach }]
      : []),
    ...actor.groups
      .filter((group) => group.permissions.has(permission))
      .map(({ name }) => ({ kind: 'group' as const, name, reach })),
  ]
}
