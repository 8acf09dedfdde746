import { LRUCache } from 'lru-cache'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { BackendZone } from '#backends/contract/backend'
import { recordsOfZone } from '#backends/sql/lists/filters'
import { CACHE_TTL_MS, TTL_PER_COMPUTE_TIME } from '#lists/cache/page_positions'
import { knownZone } from '#backends/sql/snapshots/snapshot_queries'
import type { ZoneTables } from '#backends/sql/tables'

const MAX_ZONES = 500

interface Drift {
  sets: number
  /** How often the notes had followed other tools by then. */
  takes: number
  until: number
}

/** Errors of the stored numbers, since other tools write the tables too. */
const drifts = new LRUCache<string, Drift>({ max: MAX_ZONES })

/**
 * The number of RRsets of a large zone: stored with each write, like the number of records, and verified as rarely. Counted
 * each time if it is not stored.
 */
export async function setsOfZone(
  client: QueryClientContract,
  tables: ZoneTables,
  zone: BackendZone,
  now: () => number = () => performance.now()
): Promise<number> {
  const kept = await storedSetCount(client, zone)
  if (!kept) {
    return countSets(client, tables, zone)
  }
  const place = `${client.connectionName} ${tables.records} ${zone.id} ${zone.name}`
  const drift = drifts.get(place)
  // Others may have written rows before this process began: nothing is believed that was not counted after.
  if (drift && drift.until > now() && drift.takes === kept.takes) {
    return kept.sets + drift.sets
  }
  const start = now()
  const counted = await countSets(client, tables, zone)
  const until = now() + Math.max(CACHE_TTL_MS, TTL_PER_COMPUTE_TIME * (now() - start))
  const after = await storedSetCount(client, zone)
  // A concurrent write is in only one of the two numbers.
  if (after?.writes === kept.writes) {
    drifts.set(place, { sets: counted - kept.sets, takes: kept.takes, until })
  }
  return counted
}

/** Counts the RRsets of a zone one by one. */
export async function countSets(
  client: QueryClientContract,
  tables: ZoneTables,
  zone: BackendZone
): Promise<number> {
  const each = recordsOfZone(client, tables, zone).groupBy('type', 'name').select('type').as('each')
  const [found] = await client.from(each).count('* as total')
  return Number(found.total)
}

async function storedSetCount(client: QueryClientContract, zone: BackendZone) {
  const row = (await knownZone(client, zone).select('sets', 'takes', 'writes').first()) as {
    sets: number | string | null
    takes: number | string
    writes: number | string
  } | null
  return row && row.sets !== null
    ? { sets: Number(row.sets), takes: Number(row.takes), writes: Number(row.writes) }
    : null
}
