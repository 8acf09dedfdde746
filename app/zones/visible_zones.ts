import db from '@adonisjs/lucid/services/db'
import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import { holds, isSuperUser, type Actor } from '#access/actor'

/** Up to so many zones it is quicker to look at each of them than to look who owns the zones of a page. */
const FEW = 5_000

type Rows = DatabaseQueryBuilderContract

/** Whose zones the actor may view: everybody's, or their own and those of some groups. */
type Owners = 'all' | { userId: number | null; groups: number[] }

/** What tells lists of one actor's zones from those of another. */
export function visibilityOf(actor: Actor): string {
  const keyZones = actor.key?.zones
  const zones = keyZones ? [...keyZones].sort(([one], [other]) => one - other) : null
  return JSON.stringify([ownersSeen(actor), zones])
}

/** Whether the actor may view all zones, and the key reaches them. */
export function seesAllZones(actor: Actor): boolean {
  return ownersSeen(actor) === 'all' && !actor.key?.zones
}

/**
 * Looks up which zones the actor may view and the key reaches, and gives what narrows a query to their rows of
 * `zw_zones`.
 */
export async function visibleZones(actor: Actor): Promise<(rows: Rows) => void> {
  const owners = ownersSeen(actor)
  const areFew = owners !== 'all' && (await ownsFew(owners))
  return (rows) => {
    const keyZones = actor.key?.zones
    if (keyZones) {
      rows.whereIn('zw_zones.id', [...keyZones.keys()])
      rows.whereIn('zw_zones.name', [...keyZones.values()])
    }
    if (owners === 'all') {
      return
    }
    if (areFew) {
      rows.where((some) => {
        for (const owned of ownedBy(owners)) some.orWhereIn('zw_zones.id', owned)
      })
    } else {
      rows.where((some) => {
        for (const owned of ownedBy(owners)) {
          some.orWhereExists(owned.whereColumn('zone_id', 'zw_zones.id'))
        }
      })
    }
  }
}

function ownersSeen(actor: Actor): Owners {
  if (isSuperUser(actor) || holds(actor, 'zone_content_view_others')) {
    return 'all'
  }
  const groups = actor.groups
    .filter((group) => group.permissions.has('zone_content_view_own'))
    .map((group) => group.id)
    .sort((one, other) => one - other)
  return {
    userId: actor.permissions.has('zone_content_view_own') ? actor.userId : null,
    groups,
  }
}

/** Queries for the ids of zones; together they are all that these own. Nobody and no group have the id 0. */
function ownedBy({ userId, groups }: Exclude<Owners, 'all'>): Rows[] {
  return [
    db
      .from('zw_zone_owners')
      .select('zone_id')
      .where('user_id', userId ?? 0),
    ...(groups.length > 0
      ? [db.from('zw_zone_groups').select('zone_id').whereIn('group_id', groups)]
      : []),
  ]
}

async function ownsFew(owners: Exclude<Owners, 'all'>): Promise<boolean> {
  for (const owned of ownedBy(owners)) {
    const next: unknown = await owned.offset(FEW).limit(1).first()
    if (next) {
      return false
    }
  }
  return true
}
