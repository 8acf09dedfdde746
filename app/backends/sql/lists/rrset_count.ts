import { LRUCache } from 'lru-cache'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { BackendZone } from '#backends/contract/backend'
import { recordsOfZone } from '#backends/sql/lists/filters'
import { CACHE_TTL_MS, TTL_PER_COMPUTE_TIME } from '#lists/cache/page_positions'
import { selectKnownZone } from '#backends/sql/snapshots/snapshot_queries'
import type { ZoneTables } from '#backends/sql/tables'

const MAX_ZONES = 500

interface StoredCountError {
  sets: number
  /** Number of external changes that the snapshots had taken over by then. */
  takes: number
  expiresAt: number
}

/** Errors of the stored numbers, since other tools write the tables too. */
const countErrors = new LRUCache<string, StoredCountError>({ max: MAX_ZONES })

/**
 * The number of RRsets of a large zone: stored with each write, like the number of records, and verified as rarely. Counted
 * each time if it is not stored.
 */
export async function countZoneSets(
  client: QueryClientContract,
  tables: ZoneTables,
  zone: BackendZone,
  now: () => number = () => performance.now()
): Promise<number> {
  const stored = await storedSetCount(client, zone)
  if (!stored) {
    return countSets(client, tables, zone)
  }
  const cacheKey = `${client.connectionName} ${tables.records} ${zone.id} ${zone.name}`
  const countError = countErrors.get(cacheKey)
  // Other tools may have written rows before this process started: a stored number counts only after it was verified.
  if (countError && countError.expiresAt > now() && countError.takes === stored.takes) {
    return stored.sets + countError.sets
  }
  const start = now()
  const counted = await countSets(client, tables, zone)
  const expiresAt = now() + Math.max(CACHE_TTL_MS, TTL_PER_COMPUTE_TIME * (now() - start))
  const storedAfter = await storedSetCount(client, zone)
  // A concurrent write is in only one of the two numbers.
  if (storedAfter?.writes === stored.writes) {
    countErrors.set(cacheKey, { sets: counted - stored.sets, takes: stored.takes, expiresAt })
  }
  return counted
}

/** Counts the RRsets of a zone one by one. */
export async function countSets(
  client: QueryClientContract,
  tables: ZoneTables,
  zone: BackendZone
): Promise<number> {
  const groups = recordsOfZone(client, tables, zone)
    .groupBy('type', 'name')
    .select('type')
    .as('each')
  const [found] = await client.from(groups).count('* as total')
  return Number(found.total)
}

async function storedSetCount(client: QueryClientContract, zone: BackendZone) {
  const row = (await selectKnownZone(client, zone).select('sets', 'takes', 'writes').first()) as {
    sets: number | string | null
    takes: number | string
    writes: number | string
  } | null
  return row && row.sets !== null
    ? { sets: Number(row.sets), takes: Number(row.takes), writes: Number(row.writes) }
    : null
}
