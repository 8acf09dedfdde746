import db from '@adonisjs/lucid/services/db'
import { momentBefore } from '#changes/model/clock'
import { inTransaction } from '#database/transaction'

/** Which entries of the journal may go; at least one of the first two members is given. */
export interface PrunePolicy {
  /** Entries older than this many days go. */
  olderThanDays?: number
  /** Of each zone, entries beyond this many go. */
  keep?: number
  /** These newest entries of each zone stay, whatever the other members say; at least 1. */
  newest: number
}

/** What was removed, or would be. */
export interface Pruned {
  entries: number
  /** How many zones they are of. */
  zones: number
}

/** Zones that are looked at together, and entries that go in one transaction. */
const CHUNK = 500

interface Extent {
  zone_uid: string
  newest: number | string
}

/**
 * Removes old entries of the journal. What goes is the oldest part of a zone's entries without a gap, so
 * that the zone can still be told at every point from there on. The newest entry of each zone stays in any
 * case, deleted zones included: it brings a zone in the trash back, and keeps its id from coming again.
 *
 * @param dryRun only count
 * @param onStep is told after each zone what was removed so far
 */
export async function pruneJournal(
  policy: PrunePolicy,
  dryRun: boolean,
  onStep: (pruned: Pruned) => void = () => {}
): Promise<Pruned> {
  const pruned: Pruned = { entries: 0, zones: 0 }
  for await (const extent of extents()) {
    const last = await lastToGo(extent, policy)
    const entries = last < 1 ? 0 : await countUntil(extent.zone_uid, last)
    if (entries === 0) {
      continue
    }
    pruned.entries += dryRun ? entries : await removeUntil(extent.zone_uid, last)
    pruned.zones++
    onStep(pruned)
  }
  return pruned
}

/** Every zone that the journal tells of, with the number of its newest entry. */
async function* extents(): AsyncGenerator<Extent> {
  for (let after = ''; ;) {
    const rows: Extent[] = await db
      .from('zw_journal')
      .where('zone_uid', '>', after)
      .groupBy('zone_uid')
      .orderBy('zone_uid')
      .limit(CHUNK)
      .select('zone_uid')
      .max('entry as newest')
    yield* rows
    if (rows.length < CHUNK) {
      return
    }
    after = rows[rows.length - 1].zone_uid
  }
}

/** Number of the last entry that the policy lets go; below 1 for none. */
async function lastToGo({ zone_uid: uid, newest }: Extent, policy: PrunePolicy): Promise<number> {
  const byCount = policy.keep === undefined ? 0 : Number(newest) - policy.keep
  const byAge = policy.olderThanDays === undefined ? 0 : await lastBefore(uid, policy.olderThanDays)
  const trashed: { entry: number } | null = await db
    .from('zw_trash')
    .where('zone_uid', uid)
    .select('entry')
    .first()
  const needed = Math.min(
    Number(newest) - Math.max(policy.newest, 1),
    (trashed?.entry ?? Infinity) - 1
  )
  return Math.min(Math.max(byCount, byAge), needed)
}

/** The last of the entries at the start that are all older than this: clocks may have gone back. */
async function lastBefore(uid: string, days: number): Promise<number> {
  const [row] = await db
    .from('zw_journal')
    .where('zone_uid', uid)
    .where('time', '>=', momentBefore(days * 24))
    .min('entry as first')
  const { first } = row as unknown as { first: number | string | null }
  return first === null ? Infinity : Number(first) - 1
}

async function countUntil(uid: string, last: number): Promise<number> {
  const [row] = await entriesUntil(uid, last).count('* as total')
  const { total } = row as unknown as { total: number | string }
  return Number(total)
}

/** The oldest first, in transactions of their own: whatever ends this, no gap is left. */
async function removeUntil(uid: string, last: number): Promise<number> {
  for (let removed = 0; ;) {
    const count = await inTransaction(db.connection(), async (trx) => {
      const rows: { id: number | string }[] = await trx
        .from('zw_journal')
        .where('zone_uid', uid)
        .where('entry', '<=', last)
        .orderBy('entry')
        .limit(CHUNK)
        .select('id')
      const ids = rows.map(({ id }) => Number(id))
      await trx.from('zw_journal_changes').whereIn('journal_id', ids).delete()
      await trx.from('zw_journal').whereIn('id', ids).delete()
      return ids.length
    })
    removed += count
    if (count < CHUNK) {
      await db.from('zw_clock_jumps').where('zone_uid', uid).where('entry', '<=', last).delete()
      return removed
    }
  }
}

function entriesUntil(uid: string, last: number) {
  return db.from('zw_journal').where('zone_uid', uid).where('entry', '<=', last)
}
