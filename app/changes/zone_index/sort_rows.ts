import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { chunks } from '#database/statements/chunks'

/*
 * What lists of zones are sorted by beside their names has a table of its own, a row for each zone that is in the list.
 * A row comes and goes with its zone, and is filled in afterwards (`ZoneOrders`): no write of a zone waits for it.
 */

/**
 * How zones are held that get their row: as the foreign key would hold them, before it is asked. Who is deleting one is waited
 * for, and then it has no row. SQLite has one writer at a time.
 */
const HELD: Record<string, string> = {
  postgres: 'for key share',
  mysql: 'lock in share mode',
}

/** Zones that are remembered here; of more of them, those behind are found by the sweep. */
const MOST_NOTED = 10_000

/**
 * What takes longer, in ms, may commit its entries of the journal after so many younger ones that who follows it has gone on: its
 * zones are noted. An object, so that every write can be as long as that in tests.
 */
export const LONG_WRITE = { ms: 500 }

/**
 * Zones of which something changed that is in no journal, such as their owners, or that came late into it, by this process: it looks
 * at them soon.
 */
const noted = new Set<number>()

/**
 * Gives zones that are in the list their row, and the part of the tree that they are in. To be called in the transaction
 * that brings them into the list, or names them otherwise; for zones that are in no list, nothing is done.
 */
export async function addPlaces(
  client: QueryClientContract,
  zoneIds: readonly number[]
): Promise<void> {
  const held = HELD[client.dialect.name] ?? ''
  const again =
    client.dialect.name === 'mysql'
      ? 'on duplicate key update tree = values(tree)'
      : 'on conflict (zone_id) do update set tree = excluded.tree'
  for (const part of chunks([...zoneIds])) {
    const places = part.map(() => '?').join(', ')
    await client.rawQuery(
      `insert into zw_zone_sort_keys (zone_id, tree)
       select id, tree from zw_zones where id in (${places}) and kind is not null order by id ${held} ${again}`,
      part
    )
  }
}

/** Takes the rows of zones away that leave the list while their own rows stay. */
export async function dropPlaces(client: QueryClientContract, zoneIds: number[]): Promise<void> {
  await client.from('zw_zone_sort_keys').whereIn('zone_id', zoneIds).delete()
}

/**
 * Says that zones may belong elsewhere in such an order without a new entry in their journals. To be called after the commit. It is
 * for sooner: the sweep finds them, too.
 */
export function markSortRowsStale(zoneIds: Iterable<number>): void {
  for (const id of zoneIds) {
    if (noted.size >= MOST_NOTED) return
    noted.add(id)
  }
}

/** Zones that were noted, at most so many; they are forgotten. */
export function takeNotedPlaces(most: number): number[] {
  const ids = [...noted].slice(0, most)
  ids.forEach((id) => noted.delete(id))
  return ids
}
