import { setImmediate as turn } from 'node:timers/promises'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { BackendZone } from '#backends/contract/backend'
import {
  findCandidateRanges,
  applyFilters,
  filteredRecords,
  recordsWithIds,
  type RecordFilters,
} from '#backends/sql/lists/filters'
import { findIdRange, SCANNED_ROWS_PER_LOOKUP } from '#backends/sql/lists/zone_ids'
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
 * Up to this number, the matches in a large zone are read completely and sorted in memory. An object, so that tests can
 * lower it.
 */
export const MAX_MATCHES_READ_WHOLE = { count: 10_000 }

/** Maximum number of records of a rare type, which are read without the text index. */
const MAX_RARE_TYPE_RECORDS = 2_000

const MAX_LISTS = 20
/** Sets that need more memory are not cached: ids of a million scattered records. */
export const MAX_CACHED_SET_BYTES = 8 * 1024 * 1024
/** Maximum memory of all sets of this process, in bytes. An object, so that tests can lower it. */
export const MAX_CACHE_MEMORY = { bytes: 16 * 1024 * 1024 }
/** Ids per statement if the driver is synchronous: other requests run in between. */
const ID_BATCH_SIZE = 100_000

/** Cached ids of records that match filters in a version of a zone; `expiresAt` is process time in ms. */
interface CachedMatches {
  matches: Promise<IdSet> | null
  /** Memory in bytes. */
  bytes: number
  expiresAt: number
  /** Count without ids: `total` is exact up to `maxCount`, and above it if there are more. */
  counted: { maxCount: number; total: Promise<number> } | null
}

const matchCache = new VersionedCache<CachedMatches>(
  () => ({ matches: null, bytes: 0, expiresAt: Infinity, counted: null }),
  MAX_LISTS,
  CACHE_TTL_MS,
  undefined,
  {
    sizeOf: ({ bytes }) => bytes,
    get maxBytes() {
      return MAX_CACHE_MEMORY.bytes
    },
  }
)

/** Ids of the matches in one large zone, cached for a version of it. Methods throw the error of the driver. */
export class MatchingIds {
  constructor(
    readonly client: QueryClientContract,
    readonly tables: ZoneTables,
    readonly zone: BackendZone,
    readonly size: ZoneSize
  ) {}

  /** Identifies the zone. */
  get cacheKey(): string {
    const { client, tables, zone } = this
    return `${client.connectionName} ${tables.records} ${zone.id} ${zone.name}`
  }

  /**
   * The ids of all records that match the filters: by the text index if it finds few, else by a scan of all contents and
   * names. Cached, so that pages in any order need no further scan.
   */
  findIds(query: RecordFilters): Promise<IdSet> {
    const cached = this.#cachedMatches(query)
    if (cached.matches) {
      return cached.matches
    }
    const now = performance.now()
    // Concurrent callers wait for one scan.
    cached.expiresAt = Infinity
    cached.matches = this.#readIds(query).then(
      (ids) => {
        cached.expiresAt = cachedUntil(now)
        cached.counted = { maxCount: Infinity, total: Promise.resolve(ids.size) }
        if (ids.bytes > MAX_CACHED_SET_BYTES) cached.matches = null
        else cached.bytes = ids.bytes
        matchCache.trim()
        return ids
      },
      (error: unknown) => {
        cached.matches = null
        throw error
      }
    )
    return cached.matches
  }

  /** Whether the ids are cached, or a scan runs. Sends no statement. */
  isCachedOrRunning(query: RecordFilters): boolean {
    return this.#cachedMatches(query).matches !== null
  }

  /**
   * The number of matching records, if no scan cached the ids: takes a third of its time. Cached too.
   *
   * @param maxCount stops at this number, and reports that
   */
  async count(
    query: RecordFilters,
    maxCount = Infinity
  ): Promise<{ total: number; isMore?: true }> {
    const cached = this.#cachedMatches(query)
    const { counted } = cached
    const before = counted && (await counted.total)
    if (counted && before !== null && before <= counted.maxCount) {
      return { total: before }
    }
    if (counted && counted.maxCount >= maxCount) {
      return { total: maxCount, isMore: true }
    }
    const now = performance.now()
    const counting = { maxCount, total: this.#count(query, maxCount) }
    cached.counted = counting
    try {
      const total = await counting.total
      // A scan that runs meanwhile sets the lifetime itself.
      if (cached.matches === null) cached.expiresAt = cachedUntil(now)
      return total > maxCount ? { total: maxCount, isMore: true } : { total }
    } catch (error) {
      if (Object.is(cached.counted, counting)) cached.counted = null
      throw error
    }
  }

  /** The matching ids among these, in their order; reads each row. */
  async filterIds(query: RecordFilters, ids: readonly number[]): Promise<number[]> {
    const { client, tables, zone } = this
    const rows = recordsWithIds(client, tables, zone, ids)
    const [found] = await numbersOf(applyFilters(rows, client, query, true), ['id'])
    const matching = new Set(found)
    return ids.filter((id) => matching.has(id))
  }

  #cachedMatches(query: RecordFilters): CachedMatches {
    const list = `${this.cacheKey} ${filterKey(query)}`
    const cached = matchCache.get(list, this.size.version)
    matchCache.extendTtl(list, Infinity)
    if (cached.expiresAt <= performance.now()) {
      Object.assign(cached, { matches: null, bytes: 0, expiresAt: Infinity, counted: null })
    }
    return cached
  }

  async #readIds(query: RecordFilters): Promise<IdSet> {
    const { client, tables, zone } = this
    const isRareType = await this.#isOfRareType(query, MAX_RARE_TYPE_RECORDS)
    const candidateRanges = isRareType
      ? null
      : await findCandidateRanges(client, tables, zone, query)
    const readsEachRow =
      candidateRanges === null && (isRareType || !(await this.#canFindTexts(query)))
    const found: number[][] = []
    for (const ids of readsEachRow ? await this.#scanRanges(query) : [candidateRanges]) {
      const rows = filteredRecords(client, tables, zone, query, ids, readsEachRow)
      found.push(...(await numbersOf(rows, ['id'])))
      await turn()
    }
    return IdSet.union(...found)
  }

  /** Counts the matches, up to one more than `maxCount`. */
  async #count(query: RecordFilters, maxCount: number): Promise<number> {
    const { client, tables, zone } = this
    let total = 0
    for (const ids of await this.#scanRanges(query)) {
      const rows = filteredRecords(client, tables, zone, query, ids, true)
      total += await countRows(rows, maxCount === Infinity ? undefined : maxCount + 1 - total)
      if (total > maxCount) break
      await turn()
    }
    return total
  }

  /** Ranges of ids, one per statement; null stands for the whole zone or all records of the type. */
  async #scanRanges(query: RecordFilters): Promise<(IdRange[] | null)[]> {
    if (await this.#isOfRareType(query)) return [null]
    const range = await findIdRange(this.client, this.zone, query, this.size)
    return range ? splitRange(range) : [null]
  }

  /**
   * Whether the filters have a rare type: an index lookup of it is faster than a scan.
   *
   * @param maxCount maximum number of records
   */
  async #isOfRareType({ filters: { type } }: RecordFilters, maxCount = Infinity): Promise<boolean> {
    if (type === undefined) return false
    const { client, tables, zone, size } = this
    const maxRareRecords = Math.floor(Math.min(maxCount, size.records / SCANNED_ROWS_PER_LOOKUP))
    const rows = filteredRecords(client, tables, zone, { filters: { type }, q: null })
    return (await countRows(rows, maxRareRecords + 1)) <= maxRareRecords
  }

  /** Whether the database has a text index that finds these texts. */
  async #canFindTexts(query: RecordFilters): Promise<boolean> {
    const { client, tables, zone } = this
    const isIndexed = await isIndexedByDatabase(client, tables.texts)
    const rows = filteredRecords(client, tables, zone, query).select('id')
    return isIndexed && isPlannedWith(rows, tables.texts.index)
  }
}

/** End of the lifetime of a result. */
function cachedUntil(since: number): number {
  const now = performance.now()
  return now + Math.max(CACHE_TTL_MS, TTL_PER_COMPUTE_TIME * (now - since))
}

/** Identifies the set of rows of the filters. */
export function filterKey({ filters, q }: RecordFilters): string {
  const { type, name, content } = filters
  return JSON.stringify([type?.toUpperCase(), name, content, q])
}

/** A range of ids in steps. */
function splitRange([first, last]: IdRange): IdRange[][] {
  const steps = Math.ceil((last - first + 1) / ID_BATCH_SIZE)
  return Array.from({ length: steps }, (_, step) => {
    const from = first + step * ID_BATCH_SIZE
    return [[from, Math.min(last, from + ID_BATCH_SIZE - 1)]]
  })
}
