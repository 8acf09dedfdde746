import { setImmediate as turn } from 'node:timers/promises'
import db from '@adonisjs/lucid/services/db'
import type { DnsBackend } from '#backends/contract/backend'
import { enqueueSortRows } from '#changes/zone_index/sort_rows'
import { addMissingRows, type ListedFacts } from '#changes/zone_index/zone_rows'
import { ZoneTally } from '#changes/transaction/zone_transaction'
import { refreshStatistics } from '#database/schema/statistics'
import { inTransaction } from '#database/transaction'

/**
 * Zones that one transaction adds while others work: few enough that other writers of SQLite wait
 * shortly.
 */
const BATCH = 2_000

/** New zones that a request adds before it answers; the rest follows in the background. */
export const ADOPTED_IN_PASSING = BATCH

/** After more new zones, the database statistics of their number and order are outdated. */
const MANY = BATCH

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
  { atMost = Infinity, batch = BATCH }: { atMost?: number; batch?: number } = {}
): Promise<number> {
  for (let adopted = 0; ;) {
    const zones = await newZones(backend, batch)
    if (zones.length > 0) {
      await takeIn(zones)
    }
    adopted += zones.length
    if (zones.length < batch || adopted >= atMost) {
      await refreshZoneStatistics(adopted)
      return adopted
    }
    // The SQLite driver is synchronous: requests run between the batches.
    await turn()
  }
}

/** Refreshes the database statistics after many added zones. */
export async function refreshZoneStatistics(adopted: number): Promise<void> {
  if (adopted > MANY) {
    await refreshStatistics(db.connection(), ['zw_zones', 'zw_zone_sort_keys'])
  }
}

async function newZones(
  { zoneIndex: { table, columns } }: DnsBackend,
  batch: number
): Promise<ListedFacts[]> {
  // The ends of both indexes: no planner has to estimate the rows in between.
  const [ends] = (await db
    .query()
    .select(
      db.from(table).max(columns.id).as('there'),
      db.from('zw_zones').max('id').as('known')
    )) as Record<'there' | 'known', number | string | null>[]
  const known = Number(ends.known ?? 0)
  if (Number(ends.there ?? 0) <= known) {
    return []
  }
  const rows: ListedFacts[] = await db
    .from(table)
    .where(columns.id, '>', known)
    .orderBy(columns.id)
    .limit(batch)
    .select(`${columns.id} as id`, `${columns.name} as name`, `${columns.kind} as kind`)
  return rows.map(zoneOfIndex)
}

/** A row of the zone index with normalised id and name. */
export function zoneOfIndex({ id, name, kind }: ListedFacts): ListedFacts {
  return { id: Number(id), name: name.toLowerCase(), kind }
}

async function takeIn(zones: ListedFacts[]): Promise<void> {
  await inTransaction(db.connection(), async (trx) => {
    const tally = new ZoneTally()
    await addMissingRows(trx, zones, tally)
    await tally.settle(trx)
  })
  enqueueSortRows(zones.map(({ id }) => id))
}
