import { setImmediate as turn } from 'node:timers/promises'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { BackendZone } from '#backends/contract/backend'
import {
  mayMatch,
  narrowed,
  narrowedRecords,
  recordsWithIds,
  type RecordFilters,
} from '#backends/sql/lists/filters'
import { idsOfZone, SPREAD } from '#backends/sql/lists/zone_ids'
import type { ZoneSize } from '#backends/sql/lists/zone_size'
import type { ZoneTables } from '#backends/sql/tables'
import { numbersOf } from '#database/rows/id_columns'
import { IdSet } from '#database/rows/id_set'
import { isIndexedByDatabase } from '#database/trigram_index/engine'
import { isPlannedWith } from '#database/trigram_index/postgres'
import type { IdRange } from '#database/trigram_index/source'
import { countRows } from '#lists/sql/filters'
import { CACHE_TTL_MS, TTL_PER_COST } from '#lists/cache/page_positions'
import { VersionedCache } from '#lists/cache/versioned_cache'

/**
 * What filters leave of a large zone is read whole and sorted in memory up to so many. An object, so that tests can have
 * many matches in few records.
 */
export const FEW_MATCHES = { most: 10_000 }

/** Up to so many records of the wanted type are looked at, whatever the index of texts knows. */
const FEW_OF_TYPE = 2_000

const MAX_LISTS = 20
/** Those that take more memory are looked for each time: ids of a million records that lie far apart. */
export const MAX_BYTES = 8 * 1024 * 1024
/** What all of them together take in this process, at most, in bytes. An object, so that tests can do with less. */
export const ALL_MATCHES = { bytes: 16 * 1024 * 1024 }
/** Ids of one statement where the driver is synchronous: others get their turn in between. */
const ID_BATCH_SIZE = 100_000

/** What is known of the records that filters leave of a version of a zone, in ms of the process' clock until when. */
interface Known {
  matches: Promise<IdSet> | null
  /** How much memory they take. */
  bytes: number
  until: number
  /** How many there are, where they are counted only: `total` is right up to `most`, and more than that where there are more. */
  counted: { most: number; total: Promise<number> } | null
}

const memory = new VersionedCache<Known>(
  () => ({ matches: null, bytes: 0, until: Infinity, counted: null }),
  MAX_LISTS,
  CACHE_TTL_MS,
  undefined,
  {
    of: ({ bytes }) => bytes,
    get most() {
      return ALL_MATCHES.bytes
    },
  }
)

/** What filters leave of one large zone, remembered for a version of it. Methods throw the driver's error. */
export class MatchingIds {
  constructor(
    readonly client: QueryClientContract,
    readonly tables: ZoneTables,
    readonly zone: BackendZone,
    readonly size: ZoneSize
  ) {}

  /** What tells the zone from all others. */
  get place(): string {
    const { client, tables, zone } = this
    return `${client.connectionName} ${tables.records} ${zone.id} ${zone.name}`
  }

  /**
   * The ids of all records that the filters leave: by the index of texts where it knows few, else by one look at all
   * contents and names. Remembered, so that each page in each order costs no further look.
   */
  of(query: RecordFilters): Promise<IdSet> {
    const known = this.#known(query)
    if (known.matches) {
      return known.matches
    }
    const now = performance.now()
    // Nobody looks again while somebody does.
    known.until = Infinity
    known.matches = this.#look(query).then(
      (ids) => {
        known.until = cachedUntil(now)
        known.counted = { most: Infinity, total: Promise.resolve(ids.size) }
        if (ids.bytes > MAX_BYTES) known.matches = null
        else known.bytes = ids.bytes
        memory.trim()
        return ids
      },
      (error: unknown) => {
        known.matches = null
        throw error
      }
    )
    return known.matches
  }

  /** Whether somebody has looked already, or does. Without a statement. */
  isCachedOrRunning(query: RecordFilters): boolean {
    return this.#known(query).matches !== null
  }

  /**
   * How many records the filters leave, where nobody has looked which: in a third of the time of that. Remembered likewise.
   *
   * @param most counts no further, and says so
   */
  async count(query: RecordFilters, most = Infinity): Promise<{ total: number; isMore?: true }> {
    const known = this.#known(query)
    const { counted } = known
    const before = counted && (await counted.total)
    if (counted && before !== null && before <= counted.most) {
      return { total: before }
    }
    if (counted && counted.most >= most) {
      return { total: most, isMore: true }
    }
    const now = performance.now()
    const counting = { most, total: this.#count(query, most) }
    known.counted = counting
    try {
      const total = await counting.total
      // Who looks meanwhile says himself how long that is believed.
      if (known.matches === null) known.until = cachedUntil(now)
      return total > most ? { total: most, isMore: true } : { total }
    } catch (error) {
      if (Object.is(known.counted, counting)) known.counted = null
      throw error
    }
  }

  /** Which of some records the filters leave, in the order of these: each is looked at. */
  async among(query: RecordFilters, ids: readonly number[]): Promise<number[]> {
    const { client, tables, zone } = this
    const rows = recordsWithIds(client, tables, zone, ids)
    const [found] = await numbersOf(narrowed(rows, client, query, true), ['id'])
    const left = new Set(found)
    return ids.filter((id) => left.has(id))
  }

  #known(query: RecordFilters): Known {
    const list = `${this.place} ${narrowingOf(query)}`
    const known = memory.of(list, this.size.version)
    memory.extendTtl(list, Infinity)
    if (known.until <= performance.now()) {
      Object.assign(known, { matches: null, bytes: 0, until: Infinity, counted: null })
    }
    return known
  }

  async #look(query: RecordFilters): Promise<IdSet> {
    const { client, tables, zone } = this
    const isOfFew = await this.#isOfRareType(query, FEW_OF_TYPE)
    const few = isOfFew ? null : await mayMatch(client, tables, zone, query)
    const isRead = few === null && (isOfFew || !(await this.#findsTexts(query)))
    const found: number[][] = []
    for (const ids of isRead ? await this.#steps(query) : [few]) {
      const rows = narrowedRecords(client, tables, zone, query, ids, isRead)
      found.push(...(await numbersOf(rows, ['id'])))
      await turn()
    }
    return IdSet.of(...found)
  }

  /** How many there are, up to one more than `most`. */
  async #count(query: RecordFilters, most: number): Promise<number> {
    const { client, tables, zone } = this
    let total = 0
    for (const ids of await this.#steps(query)) {
      const rows = narrowedRecords(client, tables, zone, query, ids, true)
      total += await countRows(rows, most === Infinity ? undefined : most + 1 - total)
      if (total > most) break
      await turn()
    }
    return total
  }

  /** Where all records are, for a statement each; null for all of the zone, or all of the wanted type. */
  async #steps(query: RecordFilters): Promise<(IdRange[] | null)[]> {
    if (await this.#isOfRareType(query)) return [null]
    const range = await idsOfZone(this.client, this.zone, query, this.size)
    return range ? stepsOf(range) : [null]
  }

  /**
   * Whether a type is wanted that few records have: they are looked up by the index of types in less time than all are read.
   *
   * @param most so many at most
   */
  async #isOfRareType({ filters: { type } }: RecordFilters, most = Infinity): Promise<boolean> {
    if (type === undefined) return false
    const { client, tables, zone, size } = this
    const few = Math.floor(Math.min(most, size.records / SPREAD))
    const rows = narrowedRecords(client, tables, zone, { filters: { type }, q: null })
    return (await countRows(rows, few + 1)) <= few
  }

  /** Whether the database has an index of texts and finds these by it. */
  async #findsTexts(query: RecordFilters): Promise<boolean> {
    const { client, tables, zone } = this
    const isIndexed = await isIndexedByDatabase(client, tables.texts)
    const rows = narrowedRecords(client, tables, zone, query).select('id')
    return isIndexed && isPlannedWith(rows, tables.texts.index)
  }
}

/** Until when is believed what was found out since then. */
function cachedUntil(since: number): number {
  const now = performance.now()
  return now + Math.max(CACHE_TTL_MS, TTL_PER_COST * (now - since))
}

/** What tells the rows that filters leave from those that others do. */
export function narrowingOf({ filters, q }: RecordFilters): string {
  const { type, name, content } = filters
  return JSON.stringify([type?.toUpperCase(), name, content, q])
}

/** A range of ids in steps. */
function stepsOf([first, last]: IdRange): IdRange[][] {
  const steps = Math.ceil((last - first + 1) / ID_BATCH_SIZE)
  return Array.from({ length: steps }, (_, step) => {
    const from = first + step * ID_BATCH_SIZE
    return [[from, Math.min(last, from + ID_BATCH_SIZE - 1)]]
  })
}
