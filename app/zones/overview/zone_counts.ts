import db from '@adonisjs/lucid/services/db'
import type { Actor } from '#access/actor'
import { VersionedCache } from '#lists/cache/versioned_cache'
import { zoneListState } from '#lists/sql/zone_count'
import { fewVisibleZones, seesAllZones, visibilityOf } from '#zones/visibility'

/** Number of zones of a kind. */
export interface KindCount {
  kind: string
  count: number
  /** Whether counting stopped at the limit. */
  isCut: boolean
}

/** Numbers of visible zones; `byKind` is null if they are too many to count for one page. */
export interface ZoneCounts {
  total: number | null
  byKind: KindCount[] | null
}

/** Maximum count per kind. The count of one kind can follow from the stored total. */
const MAX_COUNTED = 20_000
const KINDS = ['MASTER', 'NATIVE', 'SLAVE', 'PRODUCER', 'CONSUMER']

const memory = new VersionedCache<{ counts: ZoneCounts | null }>(
  () => ({ counts: null }),
  200,
  60_000
)

/**
 * Counts zones by kind: for actors who see all zones, by a bounded index scan per kind; for others,
 * from their own zones if these are few. Cached per version of the list.
 */
export async function zoneCounts(actor: Actor): Promise<ZoneCounts> {
  const { total, version } = await zoneListState(db.connection())
  const known = memory.get(visibilityOf(actor), String(version))
  known.counts ??= seesAllZones(actor) ? await ofAll(total) : await ofOwnedZones(actor)
  return known.counts
}

async function ofAll(total: number): Promise<ZoneCounts> {
  const counts: KindCount[] = []
  for (const kind of KINDS) {
    const zonesOfKind = db
      .from('zw_zones')
      .where('kind', kind)
      .select('id')
      .limit(MAX_COUNTED + 1)
    const [row] = (await db.from(zonesOfKind.as('some')).count('* as total')) as { total: number }[]
    const count = Math.min(MAX_COUNTED, Number(row.total))
    counts.push({ kind, count, isCut: Number(row.total) > MAX_COUNTED })
  }
  const limitedCounts = counts.filter(({ isCut }) => isCut)
  if (limitedCounts.length === 1) {
    const secondaryCount = counts.reduce((sum, { count, isCut }) => sum + (isCut ? 0 : count), 0)
    Object.assign(limitedCounts[0], {
      count: Math.max(MAX_COUNTED, total - secondaryCount),
      isCut: false,
    })
  }
  return { total, byKind: counts.filter(({ count }) => count > 0) }
}

async function ofOwnedZones(actor: Actor): Promise<ZoneCounts> {
  const filterRows = await fewVisibleZones(actor)
  if (!filterRows) {
    return { total: null, byKind: null }
  }
  const rows = db.from('zw_zones').whereNotNull('zw_zones.kind')
  filterRows(rows)
  const kindRows = (await rows
    .groupBy('zw_zones.kind')
    .select('zw_zones.kind as kind')
    .count('* as total')) as { kind: string; total: number | string }[]
  const byKind = kindRows
    .map(({ kind, total }) => ({ kind, count: Number(total), isCut: false }))
    .sort((one, other) => other.count - one.count)
  return { total: byKind.reduce((sum, { count }) => sum + count, 0), byKind }
}
