import { setImmediate as turn } from 'node:timers/promises'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { BackendZone } from '#backends/contract'
import { mayMatch, narrowedRecords, type RecordFilters } from '#backends/sql/lists/narrowed'
import { idsOfZone } from '#backends/sql/lists/zone_ids'
import type { ZoneSize } from '#backends/sql/lists/zone_size'
import type { ZoneTables } from '#backends/sql/tables'
import { numbersOf } from '#database/id_rows'
import { IdSet } from '#database/id_set'
import { isKeptByDatabase } from '#database/text_index/keeper_of_index'
import { isPlannedWith } from '#database/text_index/postgres'
import type { IdRange } from '#database/text_index/source'
import { BELIEVED_MS, BELIEVED_TIMES } from '#lists/positions'
import { VersionedMemory } from '#lists/versioned'

/**
 * What filters leave of a large zone is read whole and sorted in memory up to so many. An object, so that tests can have
 * many matches in few records.
 */
export const FEW_MATCHES = { most: 10_000 }

const MAX_LISTS = 20
/** Those that take more memory are looked for each time: ids of a million records that lie far apart. */
export const MOST_BYTES = 8 * 1024 * 1024
/** Ids of one statement where the driver is synchronous: others get their turn in between. */
const IDS_AT_ONCE = 100_000

/** What filters left of a version of a zone. */
const memory = new VersionedMemory<{ matches: Promise<IdSet> | null; until: number }>(
  () => ({ matches: null, until: Infinity }),
  MAX_LISTS,
  BELIEVED_MS
)

/**
 * The ids of all records of a large zone that the filters leave: by the index of texts where it knows few, else by one look
 * at all contents and names. Remembered for a version of the zone, so that each page in each order costs no further look.
 * Throws the driver's error.
 */
export function matchesOf(
  client: QueryClientContract,
  tables: ZoneTables,
  zone: BackendZone,
  query: RecordFilters,
  size: ZoneSize
): Promise<IdSet> {
  const list = `${client.connectionName} ${tables.records} ${zone.id} ${zone.name} ${narrowingOf(query)}`
  const known = memory.of(list, size.version)
  memory.believe(list, Infinity)
  const now = performance.now()
  if (known.matches && known.until > now) {
    return known.matches
  }
  // Nobody looks again while somebody does.
  known.until = Infinity
  known.matches = look(client, tables, zone, query, size).then(
    (ids) => {
      const took = performance.now() - now
      known.until = now + took + Math.max(BELIEVED_MS, BELIEVED_TIMES * took)
      if (ids.bytes > MOST_BYTES) known.matches = null
      return ids
    },
    (error: unknown) => {
      known.matches = null
      throw error
    }
  )
  return known.matches
}

/** What tells the rows that filters leave from those that others do. */
export function narrowingOf({ filters, q }: RecordFilters): string {
  const { type, name, content } = filters
  return JSON.stringify([type?.toUpperCase(), name, content, q])
}

async function look(
  client: QueryClientContract,
  tables: ZoneTables,
  zone: BackendZone,
  query: RecordFilters,
  size: ZoneSize
): Promise<IdSet> {
  const few = await mayMatch(client, tables, zone, query)
  const isRead = few === null && !(await findsTexts(client, tables, zone, query))
  const range = isRead ? await idsOfZone(client, zone, query, size) : null
  const found: number[][] = []
  for (const ids of range ? partsOf(range) : [few]) {
    const rows = narrowedRecords(client, tables, zone, query, ids, isRead)
    found.push(...(await numbersOf(rows, ['id'])))
    await turn()
  }
  return IdSet.of(...found)
}

/** Parts of a range of ids. */
function partsOf([first, last]: IdRange): IdRange[][] {
  const parts = Math.ceil((last - first + 1) / IDS_AT_ONCE)
  return Array.from({ length: parts }, (_, part) => {
    const from = first + part * IDS_AT_ONCE
    return [[from, Math.min(last, from + IDS_AT_ONCE - 1)]]
  })
}

/** Whether the database has an index of texts and finds these by it. */
async function findsTexts(
  client: QueryClientContract,
  tables: ZoneTables,
  zone: BackendZone,
  query: RecordFilters
): Promise<boolean> {
  const isKept = await isKeptByDatabase(client, tables.texts)
  return (
    isKept &&
    isPlannedWith(narrowedRecords(client, tables, zone, query).select('id'), tables.texts.index)
  )
}
