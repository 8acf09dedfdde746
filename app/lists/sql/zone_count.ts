import type { QueryClientContract } from '@adonisjs/lucid/types/database'

/**
 * Counting the long zone list is slow. Its length is therefore stored, with a version that changes with the list. Both
 * are split into shards, so that writers of different zones seldom wait for each other.
 */

const LIST_NAME = 'zones'
const SHARD_COUNT = 16
const ORDERS_COUNTER = { list: 'zone_orders', shard: 0 }
/** The shard that stores corrections, so that two concurrent corrections conflict. */
const CORRECTION_SHARD = 0

/** The stored state of the zone list. */
export interface ZoneListState {
  /** The number of listed zones. */
  total: number
  /** Increases with each change of the list and of its visibility. */
  version: number
}

/**
 * Changes the length and version of the zone list in this transaction. Call it once, as the last statement: writers of the
 * same shard wait until the transaction ends, and two shards can deadlock.
 *
 * @param delta number of added zones; negative for deleted ones, 0 if only names, kinds or owners change
 */
export async function adjustZoneCount(trx: QueryClientContract, delta: number): Promise<void> {
  await incrementCounter(trx, Math.floor(Math.random() * SHARD_COUNT), delta)
}

/**
 * The stored length and version of the zone list. Read the version before the rows that are cached for it: later rows may be
 * newer, never older.
 */
export async function zoneListState(client: QueryClientContract): Promise<ZoneListState> {
  const [row] = (await client
    .from('zw_list_counters')
    .where('list', LIST_NAME)
    .sum('total as total')
    .sum('version as version')) as Record<keyof ZoneListState, number | string | null>[]
  return { total: Number(row.total ?? 0), version: Number(row.version ?? 0) }
}

/**
 * Counts the zones and corrects the stored number. Returns the difference. One statement reads both, so concurrent writes
 * change both alike.
 */
export async function correctZoneCount(client: QueryClientContract): Promise<number> {
  const shards = () => client.from('zw_list_counters').where('list', LIST_NAME)
  const [row] = (await client
    .query()
    .select(
      client.from('zw_zones').whereNotNull('kind').count('*').as('counted'),
      shards().sum('total').as('kept'),
      shards().where('shard', CORRECTION_SHARD).select('version').as('version')
    )) as Record<'counted' | 'kept' | 'version', number | string | null>[]
  const difference = Number(row.counted) - Number(row.kept)
  if (difference === 0) {
    return 0
  }
  return (await incrementCounter(client, CORRECTION_SHARD, difference, Number(row.version)))
    ? difference
    : 0
}

/**
 * The version of the stored sort keys of zones. It increases when a sort key changes. The version of the list increases with
 * created and deleted zones.
 */
export async function zoneOrdersVersion(client: QueryClientContract): Promise<number> {
  const row = (await client
    .from('zw_list_counters')
    .where(ORDERS_COUNTER)
    .select('version')
    .first()) as { version: number | string } | undefined | null
  return Number(row?.version ?? 0)
}

/** Increases the version of the sort keys in this transaction. Call it as the last statement. */
export async function incrementZoneOrdersVersion(trx: QueryClientContract): Promise<void> {
  await trx
    .from('zw_list_counters')
    .where(ORDERS_COUNTER)
    .update({ version: trx.raw('version + 1') })
}

/** Whether the shard exists, and has the version if one is given. */
async function incrementCounter(
  client: QueryClientContract,
  shard: number,
  delta: number,
  version?: number
): Promise<boolean> {
  const rows = client.from('zw_list_counters').where({ list: LIST_NAME, shard })
  if (version !== undefined) {
    rows.where('version', version)
  }
  const changed = await rows.update({
    total: client.raw('total + ?', [delta]),
    version: client.raw('version + 1'),
  })
  return Number(changed) > 0
}
