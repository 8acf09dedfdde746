import db from '@adonisjs/lucid/services/db'
import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import { isSuperUser, type Actor } from '#access/actor'
import type { DnsBackend } from '#backends/contract/backend'
import { importNewZones } from '#changes/zone_index/discover'
import { nameKey } from '#changes/zone_index/zone_rows'
import dns from '#config/dns'
import { conflict } from '#exceptions/refusal'
import { findClosestZone } from '#changes/zone_index/closest_zone'

/**
 * Refuses an existing zone name, and a name above or below a zone of another owner. The lower zone
 * answers for its names, so a new zone would take names from the upper one.
 *
 * @param except id of the zone that gets the name, if it exists already
 */
export async function checkOverlap(
  backend: DnsBackend,
  actor: Actor,
  name: string,
  except?: number
): Promise<void> {
  const existingZone = await backend.findZoneByName(name)
  if (existingZone && existingZone.id !== except) {
    throw conflict('Domain already exists')
  }
  const holders = await backend.zonesWithRecordsAt(name, except)
  if (holders.length > 0) {
    throw conflict(
      `Domain already exists: another zone has records at '${name}' that are not a delegation`
    )
  }
  if (!dns.parent_zone_ownership_check || isSuperUser(actor)) {
    return
  }
  await importNewZones(backend)
  if (
    (await isForeignAbove(backend, actor, name, except)) ||
    (await isForeignBelow(backend, actor, name, except))
  ) {
    throw conflict(`Zone '${name}' overlaps a parent or child zone of another owner`)
  }
}

/** Returns whether the closest zone above the name belongs to others. */
async function isForeignAbove(
  backend: DnsBackend,
  actor: Actor,
  name: string,
  except?: number
): Promise<boolean> {
  const closest = await findClosestZone(backend, name, { above: true, except })
  if (!closest) {
    return false
  }
  const foreign: unknown = await notOwned(db.from('zw_zones'), actor)
    .where({ id: closest.id, name: closest.name })
    .first()
  return foreign !== null
}

/**
 * Returns whether a zone below the name belongs to others. The name keys of these zones are one
 * range of the index.
 */
async function isForeignBelow(
  backend: DnsBackend,
  actor: Actor,
  name: string,
  except = 0
): Promise<boolean> {
  const { table, columns } = backend.zoneIndex
  const key = nameKey(name)
  // A space separates labels in a name key; '!' is the character after it.
  const foreign: unknown = await notOwned(db.from('zw_zones'), actor)
    .where('zw_zones.name_key', '>', `${key} `)
    .where('zw_zones.name_key', '<', `${key}!`)
    .whereNot('zw_zones.id', except)
    .whereExists((live) =>
      live
        .from(table)
        .whereColumn(`${table}.${columns.id}`, 'zw_zones.id')
        .whereColumn(`${table}.${columns.name}`, 'zw_zones.name')
    )
    .first()
  return foreign !== null
}

function notOwned(zones: DatabaseQueryBuilderContract, actor: Actor) {
  return zones
    .select('zw_zones.id')
    .whereNotExists((owned) =>
      owned
        .from('zw_zone_owners')
        .whereColumn('zw_zone_owners.zone_id', 'zw_zones.id')
        .where('zw_zone_owners.user_id', actor.userId ?? 0)
    )
    .whereNotExists((owned) =>
      owned
        .from('zw_zone_groups')
        .whereColumn('zw_zone_groups.zone_id', 'zw_zones.id')
        .whereIn('zw_zone_groups.group_id', [0, ...actor.groups.map((group) => group.id)])
    )
}
