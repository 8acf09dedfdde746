import { LRUCache } from 'lru-cache'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { BackendZone } from '#backends/contract/backend'
import { recordsOfZone } from '#backends/sql/lists/filters'
import { atNames } from '#backends/sql/row_lookup'
import { RECORD_SNAPSHOTS, ZONE_SNAPSHOTS } from '#backends/sql/snapshots/snapshot_queries'
import type { ZoneTables } from '#backends/sql/tables'
import { LARGEST_ROW_ID } from '#database/rows/row_ids'
import { CACHE_TTL_MS, TTL_PER_COMPUTE_TIME } from '#lists/cache/page_positions'

/** Zones with more records are not read into memory, and not counted for each page. An object, so that tests can lower it. */
export const MAX_SMALL_ZONE = { records: 2_000 }

const MAX_ZONES = 500

/** Number of records of a zone, and versions of it. */
export interface ZoneSize {
  records: number
  isSmall: boolean
  /** Changes with every write of Zonewright, and with every external change of the serial. */
  version: string
  /** Changes with every detected external change and each snapshot of it, but not with writes of Zonewright. */
  externalVersion: string
  /** Whether all records have sort keys, as far as known; for large zones only. */
  isKeyed: boolean
  /** Whether the snapshots match all records, as far as known; for large zones only. */
  isSnapshotComplete: boolean
}

interface StoredCountError {
  records: number
  /** Number of external changes that the snapshots had taken over by then. */
  takes: number
  expiresAt: number
}

/** Errors of the stored numbers of large zones, since other tools write the tables too. */
const countErrors = new LRUCache<string, StoredCountError>({ max: MAX_ZONES })

/**
 * The number of records of a zone. Small zones are counted. The number of large ones is stored with the snapshots
 * (`RecordSnapshots`), and verified so rarely that counting takes at most a hundredth of the time.
 */
export async function sizeOfZone(
  client: QueryClientContract,
  tables: ZoneTables,
  zone: BackendZone,
  now: () => number = () => performance.now()
): Promise<ZoneSize> {
  const cacheKey = `${client.connectionName} ${tables.records} ${zone.id} ${zone.name}`
  const countError = countErrors.get(cacheKey)
  if (!countError) {
    const records = await countUpTo(client, tables, zone, MAX_SMALL_ZONE.records + 1)
    if (records <= MAX_SMALL_ZONE.records) {
      return smallZoneSize(records)
    }
  }
  const stored = await storedCount(client, tables, zone)
  const isValid = countError
    ? countError.expiresAt > now() && countError.takes === stored.takes
    : stored.records > MAX_SMALL_ZONE.records
  if (isValid) {
    const known = countError ?? {
      records: stored.difference,
      takes: stored.takes,
      expiresAt: now() + CACHE_TTL_MS,
    }
    countErrors.set(cacheKey, known)
    return largeZoneSize(stored.records + known.records, stored)
  }
  const start = now()
  const counted = await countRecords(client, tables, zone)
  const elapsedMs = now() - start
  countErrors.delete(cacheKey)
  if (counted <= MAX_SMALL_ZONE.records) {
    return smallZoneSize(counted)
  }
  const storedAfter = await storedCount(client, tables, zone)
  // A concurrent write is in only one of the two numbers: the difference proves no external change.
  if (storedAfter.writes !== stored.writes && storedAfter.records > MAX_SMALL_ZONE.records) {
    return largeZoneSize(
      storedAfter.records + (countError?.records ?? storedAfter.difference),
      storedAfter
    )
  }
  if (storedAfter.writes === stored.writes) {
    const expiresAt = now() + Math.max(CACHE_TTL_MS, TTL_PER_COMPUTE_TIME * elapsedMs)
    countErrors.set(cacheKey, { records: counted - stored.records, takes: stored.takes, expiresAt })
  }
  return largeZoneSize(counted, stored)
}

function smallZoneSize(records: number): ZoneSize {
  return {
    records,
    isSmall: true,
    version: '',
    externalVersion: '',
    isKeyed: false,
    isSnapshotComplete: false,
  }
}

function largeZoneSize(records: number, stored: StoredCounts): ZoneSize {
  // Inserts and deletions of other tools change the error of the stored number.
  const isKeyed =
    stored.keyedTo === LARGEST_ROW_ID && records === stored.records + stored.difference
  const isSnapshotComplete = stored.soa === null && records === stored.records
  const version = `${stored.writes} ${stored.soa ?? ''}`
  const externalVersion = `${stored.takes} ${records - stored.records} ${stored.soa ?? ''}`
  return { records, isSmall: false, version, externalVersion, isKeyed, isSnapshotComplete }
}

/**
 * Stored counts of a zone. `keyedTo` is null without sort keys. `difference` is the error of the number when the keys were complete;
 * `soa` is the SOA record if it differs from the snapshot.
 */
interface StoredCounts {
  records: number
  writes: number
  takes: number
  keyedTo: number | null
  difference: number
  soa: string | null
}

async function storedCount(
  client: QueryClientContract,
  tables: ZoneTables,
  zone: BackendZone
): Promise<StoredCounts> {
  const soa = externalSoa(client, tables, zone)
  const row = (await client
    .from(tables.zones)
    .leftJoin(`${ZONE_SNAPSHOTS} as k`, (on) =>
      on.on('k.zone_id', `${tables.zones}.id`).onVal('k.zone_name', zone.name)
    )
    .where(`${tables.zones}.id`, zone.id)
    .select('k.records', 'k.writes', 'k.takes', 'k.keyed_to', 'k.keyed_more')
    .select(soa.clone().select('content').as('soa'), soa.select('id').as('soa_id'))
    .first()) as Record<string, number | string | null> | null
  const keyedTo = row?.keyed_to ?? null
  const content = row?.soa ?? null
  return {
    records: Number(row?.records ?? 0),
    writes: Number(row?.writes ?? -1),
    takes: Number(row?.takes ?? -1),
    keyedTo: keyedTo === null ? null : Number(keyedTo),
    difference: Number(row?.keyed_more ?? 0),
    // A zone transfer may replace all rows and keep the content of the SOA.
    soa: content === null ? null : `${row?.soa_id} ${content}`,
  }
}

/** The content of the SOA record if it differs from the snapshot. */
function externalSoa(
  client: QueryClientContract,
  { records }: ZoneTables,
  { id, name }: BackendZone
) {
  const soaSnapshot = client
    .from(`${RECORD_SNAPSHOTS} as s`)
    .where('s.zone_id', id)
    .whereColumn('s.record_id', 'r.id')
    .whereColumn('s.content', 'r.content')
  return atNames(client.from(`${records} as r`), id, [name])
    .where('type', 'SOA')
    .whereNotExists(soaSnapshot.select(client.raw('1')))
    .orderBy('id')
    .limit(1)
}

async function countRecords(
  client: QueryClientContract,
  tables: ZoneTables,
  zone: BackendZone
): Promise<number> {
  const [found] = await recordsOfZone(client, tables, zone).count('* as total')
  return Number(found.total)
}

async function countUpTo(
  client: QueryClientContract,
  tables: ZoneTables,
  zone: BackendZone,
  limit: number
): Promise<number> {
  const limitedRows = recordsOfZone(client, tables, zone).select('id').limit(limit).as('some')
  const [found] = await client.from(limitedRows).count('* as total')
  return Number(found.total)
}
