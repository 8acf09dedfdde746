import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { chunks } from '#database/statements/chunks'
import { dialectOf } from '#database/dialects/dialect_of'

/*
 * `zw_zone_sort_keys` has the columns that zone lists are sorted by besides the name. A row is
 * inserted and deleted with its zone, and filled in later (`ZoneOrders`): no write of a zone waits
 * for it.
 */

/** Maximum of stale zones in memory; the sweep finds further ones. */
const MAX_STALE_ZONES = 10_000

/**
 * A write that takes longer, in ms, may commit journal entries after younger ones that a reader has
 * passed: its zones are marked as stale. An object, so that tests can change it.
 */
export const MIN_LONG_WRITE = { ms: 500 }

/**
 * Zones with changes by this process that are in no journal, such as owners, or that came late into
 * it.
 */
const staleZoneIds = new Set<number>()

/**
 * Inserts the sort rows of listed zones with their part of the tree. Runs in the transaction that
 * adds or renames the zones; ignores zones that are not listed.
 */
export async function createSortRows(
  client: QueryClientContract,
  zoneIds: readonly number[]
): Promise<void> {
  // Locks the zones before the foreign key does: a zone that is being deleted gets no row.
  const { referenceLock, upsert } = dialectOf(client)
  for (const part of chunks([...zoneIds])) {
    const parameters = part.map(() => '?').join(', ')
    await client.rawQuery(
      `insert into zw_zone_sort_keys (zone_id, tree)
       select id, tree from zw_zones where id in (${parameters}) and kind is not null order by id ${referenceLock} ${upsert(['zone_id'], ['tree'])}`,
      part
    )
  }
}

/** Deletes the sort rows of zones that leave the list while their zone rows stay. */
export async function deleteSortRows(
  client: QueryClientContract,
  zoneIds: number[]
): Promise<void> {
  await client.from('zw_zone_sort_keys').whereIn('zone_id', zoneIds).delete()
}

/**
 * Marks sort rows as stale that changed without a journal entry. Call it after the commit. The
 * sweep finds them too, but later.
 */
export function enqueueSortRows(zoneIds: Iterable<number>): void {
  for (const id of zoneIds) {
    if (staleZoneIds.size >= MAX_STALE_ZONES) return
    staleZoneIds.add(id)
  }
}

/** Removes and returns at most `maxZones` stale zones. */
export function takeQueuedSortRows(maxZones: number): number[] {
  const ids = [...staleZoneIds].slice(0, maxZones)
  ids.forEach((id) => staleZoneIds.delete(id))
  return ids
}
