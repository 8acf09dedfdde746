import db from '@adonisjs/lucid/services/db'
import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import type { Actor } from '#access/actor'
import { fewVisibleZones, onlyVisible, seesAllZones } from '#zones/visibility'

/** The newest change of a zone. */
export interface RecentChange {
  zoneId: number
  zoneName: string
  entry: number
  time: string
  username: string
  channel: string
}

/** Newest journal entries that are searched. */
const MAX_SCANNED = 500

/**
 * Returns the zones with the newest changes whose history the actor may view, newest first. For
 * actors with few zones, by the newest entry of each; for others, among the newest entries of all
 * zones.
 */
export async function recentChanges(actor: Actor, limit: number): Promise<RecentChange[]> {
  const filterRows = seesAllZones(actor, 'history') ? null : await fewVisibleZones(actor, 'history')
  const rows = filterRows ? ofOwnedZones() : ofNewestEntries()
  if (filterRows) filterRows(rows)
  else onlyVisible(actor, rows, 'history')
  const changes = (await rows
    .whereNotNull('zw_zones.kind')
    // The expression prevents a scan of the id index, which reads the whole journal for few zones.
    .orderByRaw('(j.id + 0) desc')
    .limit(limit)
    .select(
      'zw_zones.id as zoneId',
      'zw_zones.name as zoneName',
      'j.entry',
      'j.time',
      'j.username',
      'j.channel'
    )) as RecentChange[]
  return changes.map((change) => ({ ...change, zoneId: Number(change.zoneId) }))
}

function ofOwnedZones(): DatabaseQueryBuilderContract {
  return db.from('zw_zones').join('zw_journal as j', (join) => {
    join.on('j.zone_uid', 'zw_zones.uid').andOn('j.entry', 'zw_zones.last_entry')
  })
}

/** Selects the newest entry per zone among the newest of all. */
function ofNewestEntries(): DatabaseQueryBuilderContract {
  const newest = db
    .from('zw_journal')
    .orderBy('id', 'desc')
    .limit(MAX_SCANNED)
    .select('id', 'zone_uid', 'entry', 'time', 'username', 'channel')
  return db.from(newest.as('j')).join('zw_zones', (join) => {
    join.on('zw_zones.uid', 'j.zone_uid').andOn('zw_zones.last_entry', 'j.entry')
  })
}
