import db from '@adonisjs/lucid/services/db'
import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import { holds, isSuperUser, type Actor } from '#access/actor'
import type { Permission } from '#access/permissions'
import { ZONE_RIGHTS, type ZoneAction } from '#access/rules/zone_rules'
import { rawRows } from '#database/statements/raw_rows'

/** Up to so many zones it is quicker to look at each of them than to look who owns the zones of a page. */
const FEW = 5_000

type Rows = DatabaseQueryBuilderContract

/** What of zones is to be seen: what they hold, or that and who changed it when, or whose they are. */
export type Sight = 'contents' | 'history' | 'owners'

const RIGHTS: Record<Sight, ZoneAction[]> = {
  contents: ['zone.view'],
  history: ['zone.view', 'zone.view_history'],
  owners: ['zone.view', 'zone.view_owners'],
}

/** Whose zones the actor may view: everybody's, or their own and those of some groups. */
type Owners = 'all' | { userId: number | null; groups: number[] }

/** What tells lists of one actor's zones from those of another. */
export function visibilityOf(actor: Actor, sight: Sight = 'contents'): string {
  const keyZones = actor.key?.zones
  const zones = keyZones ? [...keyZones].sort(([one], [other]) => one - other) : null
  return JSON.stringify([ownersSeen(actor, sight), zones])
}

/** Whether the actor may view all zones, and the key reaches them. */
export function seesAllZones(actor: Actor, sight: Sight = 'contents'): boolean {
  return ownersSeen(actor, sight) === 'all' && !actor.key?.zones
}

/**
 * Looks up which zones the actor may view and the key reaches, and gives what narrows a query to their rows of
 * `zw_zones`.
 */
export async function visibleZones(actor: Actor): Promise<(rows: Rows) => void> {
  return (await fewVisibleZones(actor)) ?? ((rows) => onlyVisible(actor, rows))
}

/** As `visibleZones`, for queries that gather all of these zones; null where they are many, or all there are. */
export async function fewVisibleZones(
  actor: Actor,
  sight: Sight = 'contents'
): Promise<((rows: Rows) => void) | null> {
  const owners = ownersSeen(actor, sight)
  if (owners === 'all' || !(await ownsFew(owners))) {
    return null
  }
  const each = ownedBy(owners)
  const ids = each.map(({ sql }) => sql).join(' union all ')
  const bindings = each.flatMap((owned) => owned.bindings)
  return (rows) => {
    onlyReached(actor, rows)
    // PostgreSQL would expect each look-up to be read from disk, and MariaDB looks a union up for each row: both
    // would go through all zones.
    const isPostgres = rows.client.dialect.name === 'postgres'
    const among = isPostgres ? `= any(array(${ids}))` : `in (select zone_id from (${ids}) mine)`
    rows.whereRaw(`zw_zones.id ${among}`, bindings)
  }
}

/** Narrows a query by looking at each row of `zw_zones`, whether the actor may view it and the key reaches it. */
export function onlyVisible(actor: Actor, rows: Rows, sight: Sight = 'contents'): void {
  onlyReached(actor, rows)
  const owners = ownersSeen(actor, sight)
  if (owners !== 'all') {
    rows.where((some) => {
      for (const { sql, bindings } of ownedBy(owners)) {
        some.orWhereRaw(`exists (${sql} and zone_id = zw_zones.id)`, bindings)
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

function ownersSeen(actor: Actor, sight: Sight): Owners {
  const missing = RIGHTS[sight]
    .map((action) => ZONE_RIGHTS[action])
    .filter(({ others }) => !others.some((right) => holds(actor, right)))
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

interface Owned {
  sql: string
  bindings: number[]
}

/** Statements for the ids of zones, at least one; together they are all that these own. Nobody has the id 0. */
function ownedBy({ userId, groups }: Exclude<Owners, 'all'>): Owned[] {
  const byUser = 'select zone_id from zw_zone_owners where user_id = ?'
  const places = groups.map(() => '?').join(', ')
  const byGroup = `select zone_id from zw_zone_groups where group_id in (${places})`
  return [
    ...(userId !== null || groups.length === 0 ? [{ sql: byUser, bindings: [userId ?? 0] }] : []),
    ...(groups.length > 0 ? [{ sql: byGroup, bindings: groups }] : []),
  ]
}

async function ownsFew(owners: Exclude<Owners, 'all'>): Promise<boolean> {
  for (const { sql, bindings } of ownedBy(owners)) {
    const next = await rawRows(db.connection(), `${sql} limit 1 offset ${FEW}`, bindings)
    if (next.length > 0) {
      return false
    }
  }
  return true
}
