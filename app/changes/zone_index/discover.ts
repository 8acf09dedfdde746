import { setImmediate as turn } from 'node:timers/promises'
import db from '@adonisjs/lucid/services/db'
import type { DnsBackend } from '#backends/contract/backend'
import { markSortRowsStale } from '#changes/zone_index/sort_rows'
import { addMissingRows, type ListedFacts } from '#changes/zone_index/zone_rows'
import { ZoneTally } from '#changes/transaction/zone_transaction'
import { refreshStatistics } from '#database/schema/statistics'
import { inTransaction } from '#database/transaction'

/** Zones taken in by one transaction while others work: few enough that SQLite's other writers hardly wait. */
const BATCH = 2_000

/** New zones of other tools that a request takes in before it answers; the rest follows. */
export const ADOPTED_IN_PASSING = BATCH

/** More new zones than these make what the database knows of their number and order worthless. */
const MANY = BATCH

/**
 * Gives own rows to zones that other tools made: those whose ids lie beyond all that have one. Looks at
 * nothing else, so that it costs one look at an index however many zones there are, and memory for one batch
 * however many are new. Any number may do so at once.
 *
 * @param atMost how many to take in, about; the rest waits for the next call. Default: all
 * @param batch how many one transaction takes in; the more, the fewer pages of indexes are written twice
 * @returns how many there were
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
      await noteAdopted(adopted)
      return adopted
    }
    // SQLite's driver is synchronous: requests get their turn between the batches.
    await turn()
  }
}

/** Lets the database know of zones that were taken in, where they were many. */
export async function noteAdopted(adopted: number): Promise<void> {
  if (adopted > MANY) {
    await refreshStatistics(db.connection(), ['zw_zones', 'zw_zone_sort_keys'])
  }
}

async function newZones(
  { zoneIndex: { table, columns } }: DnsBackend,
  batch: number
): Promise<ListedFacts[]> {
  // The ends of both indexes: no planner has to guess how many rows lie beyond.
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

/** A row of a zone index as own rows tell of it. */
export function zoneOfIndex({ id, name, kind }: ListedFacts): ListedFacts {
  return { id: Number(id), name: name.toLowerCase(), kind }
}

async function takeIn(zones: ListedFacts[]): Promise<void> {
  await inTransaction(db.connection(), async (trx) => {
    const tally = new ZoneTally()
    await addMissingRows(trx, zones, tally)
    await tally.settle(trx)
  })
  markSortRowsStale(zones.map(({ id }) => id))
}
