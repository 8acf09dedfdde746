import db from '@adonisjs/lucid/services/db'
import type { Actor } from '#access/actor'
import { chunks } from '#database/statements/chunks'
import { VersionedCache } from '#lists/cache/versioned_cache'
import { fewVisibleZones, seesAllZones, visibilityOf } from '#zones/visibility'

/** Number of changes on one day. */
export interface DayCount {
  /** Date in UTC, such as 2026-05-31. */
  day: string
  count: number
  /** Whether counting stopped at the limit. */
  isCut: boolean
}

const DAY_COUNT = 14
const DAY_MS = 86_400_000
/** Maximum count per day. */
const MAX_COUNTED = 10_000
/** Maximum number of owned zones whose entries are counted by zone. */
const MAX_ZONES = 1_000
const CACHE_TTL_MS = 60_000

const memory = new VersionedCache<{ days: DayCount[] | null | undefined }>(
  () => ({ days: undefined }),
  200,
  CACHE_TTL_MS
)

/**
 * Counts changes of the last days, oldest first, in zones whose history the actor may view. null
 * for actors with many but not all zones. Cached for a minute.
 */
export async function dailyChanges(actor: Actor, now = Date.now()): Promise<DayCount[] | null> {
  const days = Array.from({ length: DAY_COUNT }, (_, index) => {
    return new Date(now - (DAY_COUNT - 1 - index) * DAY_MS).toISOString().slice(0, 10)
  })
  const known = memory.get(visibilityOf(actor, 'history'), days[0])
  if (known.days === undefined) {
    known.days = seesAllZones(actor, 'history')
      ? await ofAll(days)
      : await ofOwnedZones(actor, days)
  }
  return known.days
}

async function ofAll(days: string[]): Promise<DayCount[]> {
  const counts: DayCount[] = []
  for (const day of days) {
    const entries = db
      .from('zw_journal')
      .where('time', '>=', day)
      // 'U' sorts after the 'T' of every time of that day.
      .where('time', '<', `${day}U`)
      .select('time')
      .limit(MAX_COUNTED + 1)
    const [{ total }] = (await db.from(entries.as('some')).count('* as total')) as {
      total: number
    }[]
    counts.push({
      day,
      count: Math.min(MAX_COUNTED, Number(total)),
      isCut: Number(total) > MAX_COUNTED,
    })
  }
  return counts
}

async function ofOwnedZones(actor: Actor, days: string[]): Promise<DayCount[] | null> {
  const filterRows = await fewVisibleZones(actor, 'history')
  if (!filterRows) {
    return null
  }
  const zones = db
    .from('zw_zones')
    .select('zw_zones.uid as uid')
    .limit(MAX_ZONES + 1)
  filterRows(zones)
  const rows = (await zones) as { uid: string }[]
  if (rows.length > MAX_ZONES) {
    return null
  }
  const counts = new Map(days.map((day) => [day, 0]))
  for (const part of chunks(rows.map(({ uid }) => uid))) {
    const entries = db
      .from('zw_journal')
      .whereIn('zone_uid', part)
      .where('time', '>=', days[0])
      .select(db.raw('substr(time, 1, 10) as day'))
      .limit(DAY_COUNT * MAX_COUNTED)
    const dayRows = (await db
      .from(entries.as('some'))
      .groupBy('day')
      .select('day')
      .count('* as total')) as {
      day: string
      total: number | string
    }[]
    dayRows.forEach(({ day, total }) => {
      if (counts.has(day)) counts.set(day, counts.get(day)! + Number(total))
    })
  }
  return days.map((day) => {
    const count = counts.get(day)!
    return { day, count: Math.min(count, MAX_COUNTED), isCut: count > MAX_COUNTED }
  })
}
