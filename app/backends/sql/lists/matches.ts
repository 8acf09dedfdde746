import { availableParallelism } from 'node:os'
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

const MAX_LISTS = 40
/** Those that take more memory are looked for each time. */
const MOST_BYTES = 4 * 1024 * 1024
/** Zones with more records are looked through in parts, by several connections at once. */
const LOOKED_THROUGH_AT_ONCE = 50_000
const MOST_PARTS = 4

/** What filters left of a version of a zone. */
const memory = new VersionedMemory<{ matches: Promise<IdSet> | null }>(
  () => ({ matches: null }),
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
  const list = `${client.connectionName} ${tables.records} ${zone.id} ${narrowingOf(query)}`
  const known = memory.of(list, size.version)
  known.matches ??= look(client, tables, zone, query, size).then(
    ({ ids, took }) => {
      memory.believe(list, BELIEVED_TIMES * took)
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
): Promise<{ ids: IdSet; took: number }> {
  const start = performance.now()
  const few = await mayMatch(client, tables, zone, query)
  const isIndexed = few === null && (await findsTexts(client, tables, zone, query))
  const parts = few ? [few] : isIndexed ? [null] : await partsOfZone(client, zone, size)
  const found = await Promise.all(
    parts.map(async (ids) => {
      const rows = narrowedRecords(client, tables, zone, query, ids)
      const [read] = await numbersOf(rows, ['id'])
      return read
    })
  )
  const took = performance.now() - start
  return { ids: IdSet.of(found.length === 1 ? found[0] : found.flat()), took }
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

/** Ranges of ids in which the records of a zone lie; null stands for wherever they are. */
async function partsOfZone(
  client: QueryClientContract,
  zone: BackendZone,
  size: ZoneSize
): Promise<(IdRange[] | null)[]> {
  const range = await idsOfZone(client, zone, size)
  if (!range) {
    return [null]
  }
  const isOneConnection = client.isTransaction || client.dialect.name === 'better-sqlite3'
  const parts =
    isOneConnection || size.records < LOOKED_THROUGH_AT_ONCE
      ? 1
      : Math.min(MOST_PARTS, availableParallelism())
  const [first, last] = range
  const width = Math.ceil((last - first + 1) / parts)
  return Array.from({ length: parts }, (_, part) => {
    const from = first + part * width
    return [[from, Math.min(last, from + width - 1)]]
  })
}
