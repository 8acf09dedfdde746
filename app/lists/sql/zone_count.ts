import type { QueryClientContract } from '@adonisjs/lucid/types/database'

/*
 * The list of zones is long, and counting it costs as much as it is long. So its length is kept, beside a
 * version that says whether it may have changed, both in shards: writers of different zones seldom wait for
 * one another.
 */

const LIST = 'zones'
const SHARDS = 16
const ORDERS = { list: 'zone_orders', shard: 0 }
/** The shard in which what went astray is put right, so that two who do so at once do it once. */
const CORRECTED = 0

/** What is kept of the list of zones. */
export interface ZoneListState {
  /** How many zones there are: own rows that are in the list. */
  total: number
  /** Another one, and a higher one, after each change of the list or of who sees what of it. */
  version: number
}

/**
 * Says that the list of zones changes with this transaction: by so many zones, or none where only names,
 * kinds or owners do. To be the last statement of the transaction, and once in it: others that come to the
 * same shard wait until it ends, and who takes two may meet somebody with the same two.
 *
 * @param delta zones more; negative where they get fewer
 */
export async function adjustZoneCount(trx: QueryClientContract, delta: number): Promise<void> {
  await bump(trx, Math.floor(Math.random() * SHARDS), delta)
}

/**
 * The kept length and the version of the list of zones. Whoever keeps what was read for a version asks for the
 * version first: what is read after it may be younger, never older.
 */
export async function zoneListState(client: QueryClientContract): Promise<ZoneListState> {
  const [row] = (await client
    .from('zw_list_counters')
    .where('list', LIST)
    .sum('total as total')
    .sum('version as version')) as Record<keyof ZoneListState, number | string | null>[]
  return { total: Number(row.total ?? 0), version: Number(row.version ?? 0) }
}

/**
 * Counts the zones and puts the kept number right where it went astray. Returns by how many it was too small.
 * Counting and kept number are read by one statement, and so are of one moment; what is written meanwhile
 * changes both alike, and stays, since only the difference is added.
 */
export async function correctZoneCount(client: QueryClientContract): Promise<number> {
  const shards = () => client.from('zw_list_counters').where('list', LIST)
  const [row] = (await client
    .query()
    .select(
      client.from('zw_zones').whereNotNull('kind').count('*').as('counted'),
      shards().sum('total').as('kept'),
      shards().where('shard', CORRECTED).select('version').as('version')
    )) as Record<'counted' | 'kept' | 'version', number | string | null>[]
  const difference = Number(row.counted) - Number(row.kept)
  if (difference === 0) {
    return 0
  }
  return (await bump(client, CORRECTED, difference, Number(row.version))) ? difference : 0
}

/**
 * The version of the orders that are kept of zones beside their names. It moves when one of them has another place; when zones come
 * or go, that of their list does.
 */
export async function zoneOrdersVersion(client: QueryClientContract): Promise<number> {
  const row = (await client.from('zw_list_counters').where(ORDERS).select('version').first()) as
    { version: number | string } | undefined | null
  return Number(row?.version ?? 0)
}

/** Says that places in kept orders of zones change with this transaction. To be its last statement. */
export async function bumpZoneOrders(trx: QueryClientContract): Promise<void> {
  await trx
    .from('zw_list_counters')
    .where(ORDERS)
    .update({ version: trx.raw('version + 1') })
}

/** Whether the shard was there, at that version where one is named. */
async function bump(
  client: QueryClientContract,
  shard: number,
  delta: number,
  version?: number
): Promise<boolean> {
  const rows = client.from('zw_list_counters').where({ list: LIST, shard })
  if (version !== undefined) {
    rows.where('version', version)
  }
  const changed = await rows.update({
    total: client.raw('total + ?', [delta]),
    version: client.raw('version + 1'),
  })
  return Number(changed) > 0
}
