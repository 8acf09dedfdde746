import { PERMISSIONS, type Permission, type PermissionArea } from '#access/permissions'

/** Scope of a right that exists in several scopes. */
export type PermissionScope = 'none' | 'client' | 'own' | 'others'

/** One scope of a scale. */
interface Step {
  reach: PermissionScope
  permission: Permission | null
}

/** A right with its scope: no zones, own zones, or all zones. */
export interface PermissionScale {
  /** Key of the catalogue (`rights.scale_*`), and name of the field. */
  key: string
  steps: Step[]
}

/** The rights of one area. */
export interface RightsArea {
  area: PermissionArea
  scales: PermissionScale[]
  /** Rights without a scope. */
  single: Permission[]
}

const AREAS: PermissionArea[] = [
  'zones',
  'records',
  'review',
  'logs',
  'users',
  'keys',
  'templates',
  'server',
]

const ALL = Object.keys(PERMISSIONS) as Permission[]

/** All rights by area. A right with a variant for all zones is a scale. */
export const PERMISSION_AREAS: readonly RightsArea[] = AREAS.map((area) => {
  const names = ALL.filter((name) => PERMISSIONS[name].area === area)
  const scales = names.flatMap((name) => scaleOf(name))
  const inScales = new Set(scales.flatMap(({ steps }) => steps.map(({ permission }) => permission)))
  return { area, scales, single: names.filter((name) => !inScales.has(name)) }
})

function scaleOf(name: Permission): PermissionScale[] {
  const key = /^(zone_\w+)_own$/.exec(name)?.[1]
  const others = ALL.find((other) => other === `${key}_others`)
  if (key === undefined || !others) {
    return []
  }
  const client = ALL.find((other) => other === `${name}_as_client`)
  return [
    {
      key,
      steps: [
        { reach: 'none', permission: null },
        ...(client ? [{ reach: 'client' as const, permission: client }] : []),
        { reach: 'own', permission: name },
        { reach: 'others', permission: others },
      ],
    },
  ]
}

/** How far a set of rights reaches on a scale: the farthest of them. */
export function reachOf(
  { steps }: PermissionScale,
  permissions: ReadonlySet<Permission>
): PermissionScope {
  return (
    steps.findLast(({ permission }) => permission !== null && permissions.has(permission))?.reach ??
    'none'
  )
}

/**
 * The rights of a form. A scale that does not change changes no rights, even if a template has several rights of it.
 *
 * @param scopeOfField the choice on each scale, by its key; undefined for no change
 */
export function requestedRights(
  storedPermissions: ReadonlySet<Permission>,
  scopeOfField: (key: string) => string | undefined,
  ticks: readonly string[]
): Permission[] {
  return PERMISSION_AREAS.flatMap(({ scales, single }) => [
    ...scales.flatMap((scale) => onScale(scale, storedPermissions, scopeOfField(scale.key))),
    ...single.filter((name) => ticks.includes(name)),
  ])
}

function onScale(
  scale: PermissionScale,
  storedPermissions: ReadonlySet<Permission>,
  scopeWord: string | undefined
): Permission[] {
  const all = scale.steps.flatMap(({ permission }) => permission ?? [])
  if (scopeWord === undefined || scopeWord === reachOf(scale, storedPermissions)) {
    return all.filter((permission) => storedPermissions.has(permission))
  }
  return scale.steps.flatMap(({ reach, permission }) =>
    reach === scopeWord && permission ? [permission] : []
  )
}
