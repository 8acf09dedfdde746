import db from '@adonisjs/lucid/services/db'
import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import { hasPermission, isSuperUser, type Actor } from '#access/actor'
import type { Permission } from '#access/permissions'
import { ZONE_RIGHTS, type ZoneAction } from '#access/rules/zone_rules'
import { rawRows } from '#database/statements/raw_rows'
import { dialectOf } from '#database/dialects/dialect_of'

/** Up to this many zones, a list of ids is faster than a check of the owners of each row. */
const MAX_OWNED_ZONES = 5_000

type Rows = DatabaseQueryBuilderContract

/**
 * The part of a zone that must be visible: contents; contents and change history; contents and
 * owners.
 */
export type VisibilityScope = 'contents' | 'history' | 'owners'

const ACTIONS_BY_SCOPE: Record<VisibilityScope, ZoneAction[]> = {
  contents: ['zone.view'],
  history: ['zone.view', 'zone.view_history'],
  owners: ['zone.view', 'zone.view_owners'],
}

/** Owners whose zones the actor may view; `all` includes zones without owners. */
type Owners = 'all' | { userId: number | null; groups: number[] }

/** Cache key: actors with the same key see the same zones. */
export function visibilityOf(actor: Actor, sight: VisibilityScope = 'contents'): string {
  const keyZones = actor.key?.zones
  const zones = keyZones ? [...keyZones].sort(([one], [other]) => one - other) : null
  return JSON.stringify([visibleOwners(actor, sight), zones])
}

/** Returns whether the actor may view all zones and the API key reaches them. */
export function seesAllZones(actor: Actor, sight: VisibilityScope = 'contents'): boolean {
  return visibleOwners(actor, sight) === 'all' && !actor.key?.zones
}

/**
 * Returns a function that restricts a query on `zw_zones` to zones that the actor may view and the
 * API key reaches.
 */
export async function visibleZones(actor: Actor): Promise<(rows: Rows) => void> {
  return (await fewVisibleZones(actor)) ?? ((rows) => onlyVisible(actor, rows))
}

/**
 * As `visibleZones`, for queries that collect all these zones. Returns null for many zones or for
 * all zones.
 */
export async function fewVisibleZones(
  actor: Actor,
  sight: VisibilityScope = 'contents'
): Promise<((rows: Rows) => void) | null> {
  const owners = visibleOwners(actor, sight)
  if (owners === 'all' || !(await ownsFew(owners))) {
    return null
  }
  const ownedSources = ownedBy(owners)
  const ids = ownedSources.map(({ sql }) => sql).join(' union all ')
  const bindings = ownedSources.flatMap((source) => source.bindings)
  return (rows) => {
    onlyReached(actor, rows)
    rows.whereRaw(`zw_zones.id ${dialectOf(rows.client).inZones(ids)}`, bindings)
  }
}

/**
 * Restricts a query by a check of each row of `zw_zones`: rights of the actor and zones of the API
 * key.
 */
export function onlyVisible(actor: Actor, rows: Rows, sight: VisibilityScope = 'contents'): void {
  onlyReached(actor, rows)
  const owners = visibleOwners(actor, sight)
  if (owners !== 'all') {
    rows.where((condition) => {
      for (const { sql, bindings } of ownedBy(owners)) {
        condition.orWhereRaw(`exists (${sql} and zone_id = zw_zones.id)`, bindings)
      }
    })
  }
}

function onlyReached({ key }: Actor, rows: Rows): void {
  if (key?.zones) {
    rows.whereIn('zw_zones.id', [...key.zones.keys()])
    rows.whereIn('zw_zones.name', [...key.zones.values()])
  }
}

function visibleOwners(actor: Actor, sight: VisibilityScope): Owners {
  const missing = ACTIONS_BY_SCOPE[sight]
    .map((action) => ZONE_RIGHTS[action])
    .filter(({ others }) => !others.some((right) => hasPermission(actor, right)))
  if (isSuperUser(actor) || missing.length === 0) {
    return 'all'
  }
  const has = (permissions: ReadonlySet<Permission>) =>
    missing.every(({ own }) => own.some((right) => permissions.has(right)))
  const groups = actor.groups
    .filter((group) => has(group.permissions))
    .map((group) => group.id)
    .sort((one, other) => one - other)
  return { userId: has(actor.permissions) ? actor.userId : null, groups }
}

interface OwnedRowsQuery {
  sql: string
  bindings: number[]
}

/**
 * Returns at least one statement. Their union selects the ids of all zones of these owners; no user
 * has the id 0.
 */
function ownedBy({ userId, groups }: Exclude<Owners, 'all'>): OwnedRowsQuery[] {
  const byUser = 'select zone_id from zw_zone_owners where user_id = ?'
  const placeholders = groups.map(() => '?').join(', ')
  const byGroup = `select zone_id from zw_zone_groups where group_id in (${placeholders})`
  return [
    ...(userId !== null || groups.length === 0 ? [{ sql: byUser, bindings: [userId ?? 0] }] : []),
    ...(groups.length > 0 ? [{ sql: byGroup, bindings: groups }] : []),
  ]
}

async function ownsFew(owners: Exclude<Owners, 'all'>): Promise<boolean> {
  for (const { sql, bindings } of ownedBy(owners)) {
    const next = await rawRows(
      db.connection(),
      `${sql} limit 1 offset ${MAX_OWNED_ZONES}`,
      bindings
    )
    if (next.length > 0) {
      return false
    }
  }
  return true
}
