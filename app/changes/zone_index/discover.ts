import { setImmediate as turn } from 'node:timers/promises'
import db from '@adonisjs/lucid/services/db'
import type { DnsBackend } from '#backends/contract/backend'
import { enqueueSortRows } from '#changes/zone_index/sort_rows'
import { addMissingRows, type ListedZoneRow } from '#changes/zone_index/zone_rows'
import { ZoneCountChange } from '#changes/transaction/zone_transaction'
import { refreshStatistics } from '#database/schema/statistics'
import { inTransaction } from '#database/transaction'

/**
 * Zones that one transaction adds while others work: few enough that other writers of SQLite wait
 * shortly.
 */
const ZONE_BATCH_SIZE = 2_000

/** New zones that a request adds before it answers; the rest follows in the background. */
export const MAX_ZONES_ADDED_PER_REQUEST = ZONE_BATCH_SIZE

/** After more new zones, the database statistics of their number and order are outdated. */
const MIN_ZONES_FOR_STATISTICS = ZONE_BATCH_SIZE

/**
 * Adds zone rows for zones that other programs created: those with ids above all zone rows. One
 * index lookup without new zones, and memory for one batch. Several runs may overlap.
 *
 * @param atMost approximate limit of added zones; default: all
 * @param batch zones per transaction; larger ones write fewer index pages twice
 * @returns the number of added zones
 */
export async function importNewZones(
  backend: DnsBackend,
  { maxZones = Infinity, batch = ZONE_BATCH_SIZE }: { maxZones?: number; batch?: number } = {}
): Promise<number> {
  for (let addedCount = 0; ;) {
    const zones = await findNewZones(backend, batch)
    if (zones.length > 0) {
      await addZoneRows(zones)
    }
    addedCount += zones.length
    if (zones.length < batch || addedCount >= maxZones) {
      await refreshZoneStatistics(addedCount)
      return addedCount
    }
    // The SQLite driver is synchronous: requests run between the batches.
    await turn()
  }
}

/** Refreshes the database statistics after many added zones. */
export async function refreshZoneStatistics(addedCount: number): Promise<void> {
  if (addedCount > MIN_ZONES_FOR_STATISTICS) {
    await refreshStatistics(db.connection(), ['zw_zones', 'zw_zone_sort_keys'])
  }
}

async function findNewZones(
  { zoneIndex: { table, columns } }: DnsBackend,
  batch: number
): Promise<ListedZoneRow[]> {
  // The ends of both indexes: no planner has to estimate the rows in between.
  const [lastIds] = (await db
    .query()
    .select(
      db.from(table).max(columns.id).as('there'),
      db.from('zw_zones').max('id').as('known')
    )) as Record<'there' | 'known', number | string | null>[]
  const lastKnownId = Number(lastIds.known ?? 0)
  if (Number(lastIds.there ?? 0) <= lastKnownId) {
    return []
  }
  const rows: ListedZoneRow[] = await db
    .from(table)
    .where(columns.id, '>', lastKnownId)
    .orderBy(columns.id)
    .limit(batch)
    .select(`${columns.id} as id`, `${columns.name} as name`, `${columns.kind} as kind`)
  return rows.map(zoneOfIndex)
}

/** A row of the zone index with normalised id and name. */
export function zoneOfIndex({ id, name, kind }: ListedZoneRow): ListedZoneRow {
  return { id: Number(id), name: name.toLowerCase(), kind }
}

async function addZoneRows(zones: ListedZoneRow[]): Promise<void> {
  await inTransaction(db.connection(), async (trx) => {
    const countChange = new ZoneCountChange()
    await addMissingRows(trx, zones, countChange)
    await countChange.store(trx)
  })
  enqueueSortRows(zones.map(({ id }) => id))
}
