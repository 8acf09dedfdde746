import db from '@adonisjs/lucid/services/db'
import { timestampBefore } from '#changes/model/clock'
import { inTransaction } from '#database/transaction'

/** Which journal entries are deleted; at least one of the first two members is set. */
export interface PrunePolicy {
  /** Deletes entries older than this many days. */
  olderThanDays?: number
  /** Deletes entries of each zone beyond this many. */
  maxEntries?: number
  /** Never deletes this many newest entries of each zone; at least 1. */
  minNewest: number
}

/** What was deleted, or would be in a dry run. */
export interface PruneResult {
  entries: number
  /** Number of zones that the entries belong to. */
  zones: number
}

/** Zones per query, and entries per transaction. */
const DELETE_BATCH_SIZE = 500

interface JournalExtent {
  zone_uid: string
  newest: number | string
}

/**
 * Deletes old journal entries. Only the oldest entries of a zone are deleted, without a gap, so
 * that every later state can be restored. The newest entry always stays: it restores a zone from
 * the trash, and prevents reuse of its id.
 *
 * @param dryRun only count
 * @param onStep called after each zone with the sum so far
 */
export async function pruneJournal(
  policy: PrunePolicy,
  dryRun: boolean,
  onStep: (pruned: PruneResult) => void = () => {}
): Promise<PruneResult> {
  const pruned: PruneResult = { entries: 0, zones: 0 }
  for await (const extent of extents()) {
    const last = await findLastToDelete(extent, policy)
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

/** Every zone that has journal entries, with the number of its newest entry. */
async function* extents(): AsyncGenerator<JournalExtent> {
  for (let after = ''; ;) {
    const rows: JournalExtent[] = await db
      .from('zw_journal')
      .where('zone_uid', '>', after)
      .groupBy('zone_uid')
      .orderBy('zone_uid')
      .limit(DELETE_BATCH_SIZE)
      .select('zone_uid')
      .max('entry as newest')
    yield* rows
    if (rows.length < DELETE_BATCH_SIZE) {
      return
    }
    after = rows[rows.length - 1].zone_uid
  }
}

/** Number of the last entry that the policy deletes; below 1 for none. */
async function findLastToDelete(
  { zone_uid: uid, newest }: JournalExtent,
  policy: PrunePolicy
): Promise<number> {
  const byCount = policy.maxEntries === undefined ? 0 : Number(newest) - policy.maxEntries
  const byAge =
    policy.olderThanDays === undefined ? 0 : await findLastBefore(uid, policy.olderThanDays)
  const trashed: { entry: number } | null = await db
    .from('zw_trash')
    .where('zone_uid', uid)
    .select('entry')
    .first()
  const lastDeletable = Math.min(
    Number(newest) - Math.max(policy.minNewest, 1),
    (trashed?.entry ?? Infinity) - 1
  )
  return Math.min(Math.max(byCount, byAge), lastDeletable)
}

/** The last of the leading entries that are all older than this: a clock may have been set back. */
async function findLastBefore(uid: string, days: number): Promise<number> {
  const [row] = await db
    .from('zw_journal')
    .where('zone_uid', uid)
    .where('time', '>=', timestampBefore(days * 24))
    .min('entry as first')
  const { first } = row as unknown as { first: number | string | null }
  return first === null ? Infinity : Number(first) - 1
}

async function countUntil(uid: string, last: number): Promise<number> {
  const [row] = await entriesUntil(uid, last).count('* as total')
  const { total } = row as unknown as { total: number | string }
  return Number(total)
}

/** Oldest entries first, in separate transactions, so that an abort leaves no gap. */
async function removeUntil(uid: string, last: number): Promise<number> {
  for (let removed = 0; ;) {
    const count = await inTransaction(db.connection(), async (trx) => {
      const rows: { id: number | string }[] = await trx
        .from('zw_journal')
        .where('zone_uid', uid)
        .where('entry', '<=', last)
        .orderBy('entry')
        .limit(DELETE_BATCH_SIZE)
        .select('id')
      const ids = rows.map(({ id }) => Number(id))
      await trx.from('zw_journal_changes').whereIn('journal_id', ids).delete()
      await trx.from('zw_journal').whereIn('id', ids).delete()
      return ids.length
    })
    removed += count
    if (count < DELETE_BATCH_SIZE) {
      await db.from('zw_clock_jumps').where('zone_uid', uid).where('entry', '<=', last).delete()
      return removed
    }
  }
}

function entriesUntil(uid: string, last: number) {
  return db.from('zw_journal').where('zone_uid', uid).where('entry', '<=', last)
}
