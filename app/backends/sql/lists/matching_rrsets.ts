import {
  ALL_MATCHES,
  MAX_BYTES,
  narrowingOf,
  type MatchingIds,
} from '#backends/sql/lists/matching_ids'
import type { RecordFilters } from '#backends/sql/lists/filters'
import { partsOf } from '#backends/sql/lists/rrset_filters'
import { RECORD_KEYS } from '#backends/sql/sort_keys/keys'
import { numbersOf } from '#database/rows/id_columns'
import { IdSet } from '#database/rows/id_set'
import { CACHE_TTL_MS, TTL_PER_COMPUTE_TIME } from '#lists/cache/page_positions'
import { VersionedCache } from '#lists/cache/versioned_cache'

const MAX_ZONES = 4
const MAX_LISTS = 20
/** Maximum memory of all zones in bytes: 16 for each record that is not the first of its RRset. */
const ALL_LATER_BYTES = 32 * 1024 * 1024

/** Records that are not the first of their RRset, and at the same places the first ones, by their ids. */
interface Later {
  records: Float64Array
  firsts: Float64Array
}

const zones = new VersionedCache<{ later: Later | null }>(
  () => ({ later: null }),
  MAX_ZONES,
  CACHE_TTL_MS,
  undefined,
  {
    sizeOf: ({ later }) => (later ? later.records.byteLength + later.firsts.byteLength : 0),
    maxBytes: ALL_LATER_BYTES,
  }
)
const lists = new VersionedCache<{ of: readonly IdSet[]; sets: IdSet | null }>(
  () => ({ of: [], sets: null }),
  MAX_LISTS,
  CACHE_TTL_MS,
  undefined,
  {
    sizeOf: ({ of, sets }) =>
      [...of, ...(sets ? [sets] : [])].reduce((sum, { bytes }) => sum + bytes, 0),
    get maxBytes() {
      return ALL_MATCHES.bytes
    },
  }
)

/**
 * The first records, by id, of all RRsets of a large zone that the filters leave. The sort keys of the zone have to be
 * current: they know which records are the first. Throws the driver's error.
 */
export async function matchingSets(matches: MatchingIds, query: RecordFilters): Promise<IdSet> {
  const { place, size } = matches
  const found = await Promise.all(partsOf(query).map((part) => matches.of(part)))
  const list = `${place} ${narrowingOf(query)}`
  const known = lists.get(list, size.version)
  // Its source is checked each time.
  lists.extendTtl(list, Infinity)
  const isSame = known.of.length > 0 && found.every((part, at) => part === known.of[at])
  if (!known.sets || !isSame) {
    const later = await laterOf(matches)
    const [some, ...others] = found.map((part) => firstsAmong(part, later))
    const inAll = (id: number) => others.every((other) => other.has(id))
    const sets = others.length === 0 ? some : IdSet.of(some.numbers().filter(inAll))
    if ([sets, ...found].every(({ bytes }) => bytes <= MAX_BYTES)) {
      Object.assign(known, { of: found, sets })
      lists.trim()
    }
    return sets
  }
  return known.sets
}

/** The first records of the RRsets of these. */
function firstsAmong(matches: IdSet, { records, firsts }: Later): IdSet {
  const among = records.filter((id) => matches.has(id))
  if (among.length === 0) {
    return matches
  }
  const replaced = IdSet.of(among)
  return IdSet.of(
    matches.numbers().filter((id) => !replaced.has(id)),
    firsts.filter((_first, at) => matches.has(records[at]))
  )
}

async function laterOf({ client, zone, place, size }: MatchingIds): Promise<Later> {
  const known = zones.get(place, size.version)
  if (!known.later) {
    const start = performance.now()
    const rows = client.from(RECORD_KEYS).where('zone_id', zone.id).whereNotNull('set_id')
    const [records, firsts] = await numbersOf(rows.orderBy('record_id'), ['record_id', 'set_id'])
    known.later = { records: Float64Array.from(records), firsts: Float64Array.from(firsts) }
    const { later } = known
    zones.extendTtl(place, TTL_PER_COMPUTE_TIME * (performance.now() - start))
    zones.trim()
    return later
  }
  return known.later
}
