import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { BackendZone } from '#backends/contract'
import { recordsOfZone } from '#backends/sql/lists/narrowed'
import { knownZone } from '#backends/sql/seen_sql'
import type { ZoneTables } from '#backends/sql/tables'

/** Records up to which a zone is looked through in memory, and counted for each page. */
export const SMALL_ZONE = 2_000

/** How long a kept number is believed before it is counted after, in ms, and as a multiple of what counting takes. */
const BELIEVED_MS = 5_000
const BELIEVED_TIMES = 100
const MAX_ZONES = 500

/** How many records a zone has. */
export interface ZoneSize {
  records: number
  isSmall: boolean
  /** Changes with every write through the product. */
  version: string
}

interface Drift {
  records: number
  /** How often the notes had followed other tools by then. */
  takes: number
  until: number
}

/** By how much the kept numbers of large zones are wrong, as other tools write the tables without a word. */
const drifts = new Map<string, Drift>()

/**
 * How many records a zone has. Small zones are counted. For large ones the number is kept beside the notes of
 * `SeenRecords`; it is counted after so seldom that no more than a hundredth of the time goes to counting.
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
    const records = await countUpTo(client, tables, zone, SMALL_ZONE + 1)
    if (records <= SMALL_ZONE) {
      return { records, isSmall: true, version: '' }
    }
  }
  const kept = await keptNumber(client, zone)
  const isGood = drift
    ? drift.until > now() && drift.takes === kept.takes
    : kept.records > SMALL_ZONE
  if (isGood) {
    const known = drift ?? { records: 0, takes: kept.takes, until: now() + BELIEVED_MS }
    if (!drift) forgetOldest()
    drifts.set(place, known)
    return large(kept.records + known.records, kept.writes)
  }
  const start = now()
  const counted = await count(client, tables, zone)
  const took = now() - start
  forgetOldest()
  drifts.delete(place)
  if (counted <= SMALL_ZONE) {
    return { records: counted, isSmall: true, version: '' }
  }
  const after = await keptNumber(client, zone)
  // What was written in between is in one number and not in the other.
  if (after.writes === kept.writes) {
    const until = now() + Math.max(BELIEVED_MS, BELIEVED_TIMES * took)
    drifts.set(place, { records: counted - kept.records, takes: kept.takes, until })
  }
  return large(counted, kept.writes)
}

function large(records: number, writes: number): ZoneSize {
  return { records, isSmall: false, version: String(writes) }
}

function forgetOldest(): void {
  if (drifts.size >= MAX_ZONES) {
    drifts.delete(drifts.keys().next().value!)
  }
}

async function keptNumber(client: QueryClientContract, zone: BackendZone) {
  const row = (await knownZone(client, zone).select('records', 'writes', 'takes').first()) as {
    records: number | string
    writes: number | string
    takes: number | string
  } | null
  return {
    records: Number(row?.records ?? 0),
    writes: Number(row?.writes ?? -1),
    takes: Number(row?.takes ?? -1),
  }
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
