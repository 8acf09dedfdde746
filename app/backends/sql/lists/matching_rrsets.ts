import {
  MAX_CACHE_MEMORY,
  MAX_CACHED_SET_BYTES,
  filterKey,
  type MatchingIds,
} from '#backends/sql/lists/matching_ids'
import type { RecordFilters } from '#backends/sql/lists/filters'
import { splitFilters } from '#backends/sql/lists/rrset_filters'
import { RECORD_KEYS } from '#backends/sql/sort_keys/keys'
import { numbersOf } from '#database/rows/id_columns'
import { IdSet } from '#database/rows/id_set'
import { CACHE_TTL_MS, TTL_PER_COMPUTE_TIME } from '#lists/cache/page_positions'
import { VersionedCache } from '#lists/cache/versioned_cache'

const MAX_ZONES = 4
const MAX_LISTS = 20
/** Maximum memory of all zones in bytes: 16 for each record that is not the first of its RRset. */
const MAX_LATER_RECORDS_BYTES = 32 * 1024 * 1024

/** Records that are not the first of their RRset, and at the same places the first ones, by their ids. */
interface LaterRecords {
  records: Float64Array
  firstIds: Float64Array
}

const laterRecordsCache = new VersionedCache<{ later: LaterRecords | null }>(
  () => ({ later: null }),
  MAX_ZONES,
  CACHE_TTL_MS,
  undefined,
  {
    sizeOf: ({ later }) => (later ? later.records.byteLength + later.firstIds.byteLength : 0),
    maxBytes: MAX_LATER_RECORDS_BYTES,
  }
)
const setCache = new VersionedCache<{ of: readonly IdSet[]; sets: IdSet | null }>(
  () => ({ of: [], sets: null }),
  MAX_LISTS,
  CACHE_TTL_MS,
  undefined,
  {
    sizeOf: ({ of, sets }) =>
      [...of, ...(sets ? [sets] : [])].reduce((sum, { bytes }) => sum + bytes, 0),
    get maxBytes() {
      return MAX_CACHE_MEMORY.bytes
    },
  }
)

/**
 * The first records, by id, of all RRsets of a large zone that the filters leave. The sort keys of the zone have to be
 * current: they know which records are the first. Throws the driver's error.
 */
export async function findMatchingSets(matches: MatchingIds, query: RecordFilters): Promise<IdSet> {
  const { cacheKey, size } = matches
  const found = await Promise.all(splitFilters(query).map((part) => matches.findIds(part)))
  const listKey = `${cacheKey} ${filterKey(query)}`
  const cached = setCache.get(listKey, size.version)
  // Its source is checked each time.
  setCache.extendTtl(listKey, Infinity)
  const isSame = cached.of.length > 0 && found.every((part, at) => part === cached.of[at])
  if (!cached.sets || !isSame) {
    const later = await loadLaterRecords(matches)
    const [some, ...others] = found.map((part) => firstRecordsOf(part, later))
    const isInAll = (id: number) => others.every((other) => other.has(id))
    const sets = others.length === 0 ? some : IdSet.union(some.numbers().filter(isInAll))
    if ([sets, ...found].every(({ bytes }) => bytes <= MAX_CACHED_SET_BYTES)) {
      Object.assign(cached, { of: found, sets })
      setCache.trim()
    }
    return sets
  }
  return cached.sets
}

/** The first records of the RRsets of these. */
function firstRecordsOf(matches: IdSet, { records, firstIds }: LaterRecords): IdSet {
  const laterMatches = records.filter((id) => matches.has(id))
  if (laterMatches.length === 0) {
    return matches
  }
  const replaced = IdSet.union(laterMatches)
  return IdSet.union(
    matches.numbers().filter((id) => !replaced.has(id)),
    firstIds.filter((_first, at) => matches.has(records[at]))
  )
}

async function loadLaterRecords({
  client,
  zone,
  cacheKey,
  size,
}: MatchingIds): Promise<LaterRecords> {
  const cached = laterRecordsCache.get(cacheKey, size.version)
  if (!cached.later) {
    const start = performance.now()
    const rows = client.from(RECORD_KEYS).where('zone_id', zone.id).whereNotNull('set_id')
    const [records, firstIds] = await numbersOf(rows.orderBy('record_id'), ['record_id', 'set_id'])
    cached.later = { records: Float64Array.from(records), firstIds: Float64Array.from(firstIds) }
    const { later } = cached
    laterRecordsCache.extendTtl(cacheKey, TTL_PER_COMPUTE_TIME * (performance.now() - start))
    laterRecordsCache.trim()
    return later
  }
  return cached.later
}
