import { PERMISSIONS, type Permission, type PermissionArea } from '#access/permissions'

/** Scope of a right that exists in several scopes. */
export type Reach = 'none' | 'client' | 'own' | 'others'

/** One scope of a scale. */
interface Step {
  reach: Reach
  permission: Permission | null
}

/** A right that reaches nothing, own zones, or all of them. */
export interface Scale {
  /** Key of the catalogue (`rights.scale_*`), and name of the field. */
  key: string
  steps: Step[]
}

/** The rights of one area. */
export interface RightsArea {
  area: PermissionArea
  scales: Scale[]
  /** Rights that are held or not. */
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
export const RIGHTS: readonly RightsArea[] = AREAS.map((area) => {
  const names = ALL.filter((name) => PERMISSIONS[name].area === area)
  const scales = names.flatMap((name) => scaleOf(name))
  const inScales = new Set(scales.flatMap(({ steps }) => steps.map(({ permission }) => permission)))
  return { area, scales, single: names.filter((name) => !inScales.has(name)) }
})

function scaleOf(name: Permission): Scale[] {
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
export function reachOf({ steps }: Scale, held: ReadonlySet<Permission>): Reach {
  return (
    steps.findLast(({ permission }) => permission !== null && held.has(permission))?.reach ?? 'none'
  )
}

/**
 * The rights of a form. A scale that does not change changes no rights, even if a template has several rights of it.
 *
 * @param chosen the choice on each scale, by its key; undefined for no change
 */
export function requestedRights(
  stored: ReadonlySet<Permission>,
  chosen: (key: string) => string | undefined,
  ticks: readonly string[]
): Permission[] {
  return RIGHTS.flatMap(({ scales, single }) => [
    ...scales.flatMap((scale) => onScale(scale, stored, chosen(scale.key))),
    ...single.filter((name) => ticks.includes(name)),
  ])
}

function onScale(
  scale: Scale,
  stored: ReadonlySet<Permission>,
  wanted: string | undefined
): Permission[] {
  const all = scale.steps.flatMap(({ permission }) => permission ?? [])
  if (wanted === undefined || wanted === reachOf(scale, stored)) {
    return all.filter((permission) => stored.has(permission))
  }
  return scale.steps.flatMap(({ reach, permission }) =>
    reach === wanted && permission ? [permission] : []
  )
}
