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
import { CACHE_TTL_MS, TTL_PER_COMPUTE_TIME } from '#lists/cache/page_positions'
import { VersionedCache } from '#lists/cache/versioned_cache'

/**
 * What filters leave of a large zone is read whole and sorted in memory up to so many. An object, so that tests can have
 * many matches in few records.
 */
export const FEW_MATCHES = { most: 10_000 }

/** Maximum number of records of a rare type, which are read without the text index. */
const FEW_OF_TYPE = 2_000

const MAX_LISTS = 20
/** Sets that need more memory are not cached: ids of a million scattered records. */
export const MAX_BYTES = 8 * 1024 * 1024
/** Maximum memory of all sets of this process, in bytes. An object, so that tests can lower it. */
export const ALL_MATCHES = { bytes: 16 * 1024 * 1024 }
/** Ids of one statement where the driver is synchronous: others get their turn in between. */
const ID_BATCH_SIZE = 100_000

/** Cached ids of records that match filters in a version of a zone; `until` is process time in ms. */
interface Known {
  matches: Promise<IdSet> | null
  /** Memory in bytes. */
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
    sizeOf: ({ bytes }) => bytes,
    get maxBytes() {
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

  /** Identifies the zone. */
  get place(): string {
    const { client, tables, zone } = this
    return `${client.connectionName} ${tables.records} ${zone.id} ${zone.name}`
  }

  /**
   * The ids of all records that match the filters: by the text index if it finds few, else by a scan of all contents and
   * names. Cached, so that pages in any order need no further scan.
   */
  of(query: RecordFilters): Promise<IdSet> {
    const known = this.#known(query)
    if (known.matches) {
      return known.matches
    }
    const now = performance.now()
    // Concurrent callers wait for one scan.
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

  /** Whether the ids are cached, or a scan runs. Sends no statement. */
  isCachedOrRunning(query: RecordFilters): boolean {
    return this.#known(query).matches !== null
  }

  /**
   * The number of matching records, if no scan cached the ids: takes a third of its time. Cached too.
   *
   * @param most stops at this number, and reports that
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
      // A scan that runs meanwhile sets the lifetime itself.
      if (known.matches === null) known.until = cachedUntil(now)
      return total > most ? { total: most, isMore: true } : { total }
    } catch (error) {
      if (Object.is(known.counted, counting)) known.counted = null
      throw error
    }
  }

  /** The matching ones of some ids, in their order; reads each row. */
  async among(query: RecordFilters, ids: readonly number[]): Promise<number[]> {
    const { client, tables, zone } = this
    const rows = recordsWithIds(client, tables, zone, ids)
    const [found] = await numbersOf(narrowed(rows, client, query, true), ['id'])
    const left = new Set(found)
    return ids.filter((id) => left.has(id))
  }

  #known(query: RecordFilters): Known {
    const list = `${this.place} ${narrowingOf(query)}`
    const known = memory.get(list, this.size.version)
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
   * Whether the filters have a rare type: an index lookup of it is faster than a scan.
   *
   * @param most maximum number of records
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

/** End of the lifetime of a result. */
function cachedUntil(since: number): number {
  const now = performance.now()
  return now + Math.max(CACHE_TTL_MS, TTL_PER_COMPUTE_TIME * (now - since))
}

/** Identifies the set of rows of the filters. */
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
