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
export const LARGE_ZONE = { above: 2_000 }

const MAX_ZONES = 500

/** How many records a zone has. */
export interface ZoneSize {
  records: number
  isSmall: boolean
  /** Changes with every write through the product, and with every other one that changes the serial. */
  version: string
  /** Changes with every sign that others wrote, or that notes followed them, and not with writes through the product. */
  others: string
  /** Whether all of its records have sort keys, as far as the product knows; of large zones only. */
  isKeyed: boolean
  /** Whether all of its records were taken note of, and no others, as far as the product knows; likewise. */
  isSnapshotComplete: boolean
}

interface Drift {
  records: number
  /** How often the notes had followed other tools by then. */
  takes: number
  until: number
}

/** Errors of the stored numbers of large zones, since other tools write the tables too. */
const drifts = new LRUCache<string, Drift>({ max: MAX_ZONES })

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
  const place = `${client.connectionName} ${tables.records} ${zone.id} ${zone.name}`
  const drift = drifts.get(place)
  if (!drift) {
    const records = await countUpTo(client, tables, zone, LARGE_ZONE.above + 1)
    if (records <= LARGE_ZONE.above) {
      return small(records)
    }
  }
  const kept = await storedCount(client, tables, zone)
  const isGood = drift
    ? drift.until > now() && drift.takes === kept.takes
    : kept.records > LARGE_ZONE.above
  if (isGood) {
    const known = drift ?? { records: kept.more, takes: kept.takes, until: now() + CACHE_TTL_MS }
    drifts.set(place, known)
    return large(kept.records + known.records, kept)
  }
  const start = now()
  const counted = await count(client, tables, zone)
  const took = now() - start
  drifts.delete(place)
  if (counted <= LARGE_ZONE.above) {
    return small(counted)
  }
  const after = await storedCount(client, tables, zone)
  // A concurrent write is in only one of the two numbers: the difference proves no external change.
  if (after.writes !== kept.writes && after.records > LARGE_ZONE.above) {
    return large(after.records + (drift?.records ?? after.more), after)
  }
  if (after.writes === kept.writes) {
    const until = now() + Math.max(CACHE_TTL_MS, TTL_PER_COMPUTE_TIME * took)
    drifts.set(place, { records: counted - kept.records, takes: kept.takes, until })
  }
  return large(counted, kept)
}

function small(records: number): ZoneSize {
  return {
    records,
    isSmall: true,
    version: '',
    others: '',
    isKeyed: false,
    isSnapshotComplete: false,
  }
}

function large(records: number, kept: StoredCounts): ZoneSize {
  // Inserts and deletions of other tools change the error of the stored number.
  const isKeyed = kept.keyedTo === LARGEST_ROW_ID && records === kept.records + kept.more
  const isSnapshotComplete = kept.soa === null && records === kept.records
  const version = `${kept.writes} ${kept.soa ?? ''}`
  const others = `${kept.takes} ${records - kept.records} ${kept.soa ?? ''}`
  return { records, isSmall: false, version, others, isKeyed, isSnapshotComplete }
}

/**
 * Stored counts of a zone. `keyedTo` is null without sort keys. `more` is the error of the number when the keys were complete;
 * `soa` is the SOA record if it differs from the snapshot.
 */
interface StoredCounts {
  records: number
  writes: number
  takes: number
  keyedTo: number | null
  more: number
  soa: string | null
}

async function storedCount(
  client: QueryClientContract,
  tables: ZoneTables,
  zone: BackendZone
): Promise<StoredCounts> {
  const soa = foreignSoa(client, tables, zone)
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
    more: Number(row?.keyed_more ?? 0),
    // A transfer may replace all rows and leave the content as it was.
    soa: content === null ? null : `${row?.soa_id} ${content}`,
  }
}

/** The content of the SOA record, where it is none that the product wrote or took note of. */
function foreignSoa(
  client: QueryClientContract,
  { records }: ZoneTables,
  { id, name }: BackendZone
) {
  const note = client
    .from(`${RECORD_SNAPSHOTS} as s`)
    .where('s.zone_id', id)
    .whereColumn('s.record_id', 'r.id')
    .whereColumn('s.content', 'r.content')
  return atNames(client.from(`${records} as r`), id, [name])
    .where('type', 'SOA')
    .whereNotExists(note.select(client.raw('1')))
    .orderBy('id')
    .limit(1)
}

async function count(
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
  const some = recordsOfZone(client, tables, zone).select('id').limit(limit).as('some')
  const [found] = await client.from(some).count('* as total')
  return Number(found.total)
}
