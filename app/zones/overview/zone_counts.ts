import db from '@adonisjs/lucid/services/db'
import type { Actor } from '#access/actor'
import { VersionedCache } from '#lists/cache/versioned_cache'
import { zoneMarks } from '#lists/sql/zone_count'
import { fewVisibleZones, seesAllZones, visibilityOf } from '#zones/visibility'

/** How many zones there are of a kind. */
export interface KindCount {
  kind: string
  count: number
  /** There are more than that. */
  isCut: boolean
}

/** The zones that somebody sees; `byKind` is null where they are too many to be told apart for one page. */
export interface ZoneCounts {
  total: number | null
  byKind: KindCount[] | null
}

/** Zones of a kind that are counted; of one kind the rest of the kept total is known. */
const COUNTED = 20_000
const KINDS = ['MASTER', 'NATIVE', 'SLAVE', 'PRODUCER', 'CONSUMER']

const memory = new VersionedCache<{ counts: ZoneCounts | null }>(
  () => ({ counts: null }),
  200,
  60_000
)

/**
 * Zones by kind. For whoever sees all, by an index and at most some ten thousand entries of it for each kind; for others,
 * by their own zones, where these are few. Remembered for a version of the list.
 */
export async function zoneCounts(actor: Actor): Promise<ZoneCounts> {
  const { total, version } = await zoneMarks(db.connection())
  const known = memory.of(visibilityOf(actor), String(version))
  known.counts ??= seesAllZones(actor) ? await ofAll(total) : await ofOwn(actor)
  return known.counts
}

async function ofAll(total: number): Promise<ZoneCounts> {
  const counts: KindCount[] = []
  for (const kind of KINDS) {
    const some = db
      .from('zw_zones')
      .where('kind', kind)
      .select('id')
      .limit(COUNTED + 1)
    const [row] = (await db.from(some.as('some')).count('* as total')) as { total: number }[]
    const count = Math.min(COUNTED, Number(row.total))
    counts.push({ kind, count, isCut: Number(row.total) > COUNTED })
  }
  const cut = counts.filter(({ isCut }) => isCut)
  if (cut.length === 1) {
    const others = counts.reduce((sum, { count, isCut }) => sum + (isCut ? 0 : count), 0)
    Object.assign(cut[0], { count: Math.max(COUNTED, total - others), isCut: false })
  }
  return { total, byKind: counts.filter(({ count }) => count > 0) }
}

async function ofOwn(actor: Actor): Promise<ZoneCounts> {
  const narrow = await fewVisibleZones(actor)
  if (!narrow) {
    return { total: null, byKind: null }
  }
  const rows = db.from('zw_zones').whereNotNull('zw_zones.kind')
  narrow(rows)
  const found = (await rows
    .groupBy('zw_zones.kind')
    .select('zw_zones.kind as kind')
    .count('* as total')) as { kind: string; total: number | string }[]
  const byKind = found
    .map(({ kind, total }) => ({ kind, count: Number(total), isCut: false }))
    .sort((one, other) => other.count - one.count)
  return { total: byKind.reduce((sum, { count }) => sum + count, 0), byKind }
}
