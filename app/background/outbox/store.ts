import db from '@adonisjs/lucid/services/db'
import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import type { AuditActor } from '#audit/event'
import { record } from '#audit/record'
import { outbox, type OutboxKind } from '#changes/transaction/outbox'
import { retryOnConflict } from '#database/conflicts'
import { chunks } from '#database/statements/chunks'
import { inTransaction } from '#database/transaction'

const HOUR_MS = 60 * 60 * 1000

/** Events are retried for this time. Later, every cache of PowerDNS has expired, so the change is visible. */
export const MAX_RETRY_MS = 24 * HOUR_MS

/** Retention of delivered and of abandoned rows. */
export const DELIVERED_RETENTION_MS = 24 * HOUR_MS
export const ABANDONED_RETENTION_MS = 7 * 24 * HOUR_MS

/** Zones whose events are leased together. */
const ZONE_BATCH_SIZE = 50

/** Rows of one statement. */
const UPDATE_BATCH_SIZE = 500

/** A row of zw_outbox. */
export interface OutboxRow {
  id: number
  kind: OutboxKind
  zone_id: number | null
  zone_name: string
  /** JSON. */
  payload: string | null
  created_at: string
  attempts: number
  next_at: string
  lease: string | null
  leased_until: string | null
  done_at: string | null
  last_error: string | null
}

/** The time `offset` milliseconds from now, as Zonewright's tables store it. */
export function timestampIn(offset: number): string {
  return new Date(Date.now() + offset).toISOString()
}

/**
 * Leases due events for `milliseconds`, and all waiting events of the same zones: one delivery settles them too. No other
 * worker gets these rows until the lease is over, settled or released. Returns rows in the order of their ids.
 */
export async function leaseDueEvents(
  lease: string,
  kinds: string[],
  milliseconds: number
): Promise<OutboxRow[]> {
  const due: Pick<OutboxRow, 'zone_name'>[] = await selectUnleased(kinds)
    .where('next_at', '<=', timestampIn(0))
    .orderBy('next_at')
    .limit(ZONE_BATCH_SIZE)
    .select('zone_name')
  if (due.length === 0) {
    return []
  }
  const zones = [...new Set(due.map((row) => row.zone_name))]
  await retryOnConflict(() =>
    selectUnleased(kinds)
      .whereIn('zone_name', zones)
      .update({ lease, leased_until: timestampIn(milliseconds) })
  )
  const rows: OutboxRow[] = await db.from('zw_outbox').where('lease', lease).orderBy('id')
  return rows.map((row) => ({ ...row, id: Number(row.id), attempts: Number(row.attempts) }))
}

/** Selects rows that are not done and have no valid lease. */
function selectUnleased(kinds: string[]) {
  return db
    .from('zw_outbox')
    .whereNull('done_at')
    .whereIn('kind', kinds)
    .where((condition) =>
      condition.whereNull('leased_until').orWhere('leased_until', '<=', timestampIn(0))
    )
}

/** Marks leased rows as delivered. */
export async function markDelivered(lease: string, ids: number[]): Promise<void> {
  const deliveredColumns = {
    lease: null,
    leased_until: null,
    done_at: timestampIn(0),
    last_error: null,
  }
  await updateLeased(lease, ids, (rows) => rows.update(deliveredColumns))
}

/**
 * Releases leased rows after a failure: they are retried at `nextAt`, or abandoned if they are older than a day.
 * `error` is for users and contains no secrets.
 */
export async function postponeEvents(
  lease: string,
  ids: number[],
  failure: { attempts: number; nextAt: string; error: string }
): Promise<void> {
  const retryCutoff = timestampIn(-MAX_RETRY_MS)
  const { attempts, nextAt } = failure
  const releasedColumns = { attempts, lease: null, leased_until: null, last_error: failure.error }
  await updateLeased(lease, ids, (rows) =>
    rows
      .where('created_at', '<=', retryCutoff)
      .update({ ...releasedColumns, done_at: timestampIn(0) })
  )
  await updateLeased(lease, ids, (rows) => rows.update({ ...releasedColumns, next_at: nextAt }))
}

/** Extends the lease of its rows. Rows that another worker leased in the meantime do not change. */
export async function renewLease(lease: string, milliseconds: number): Promise<void> {
  await retryOnConflict(() =>
    db
      .from('zw_outbox')
      .where('lease', lease)
      .update({ leased_until: timestampIn(milliseconds) })
  )
}

/** Releases all rows of a lease without a change. */
export async function releaseLease(lease: string): Promise<void> {
  await retryOnConflict(() =>
    db.from('zw_outbox').where('lease', lease).update({ lease: null, leased_until: null })
  )
}

/** Updates rows that are still leased: a worker whose lease has ended changes nothing. */
async function updateLeased(
  lease: string,
  ids: number[],
  update: (rows: DatabaseQueryBuilderContract) => PromiseLike<unknown>
): Promise<void> {
  for (const idBatch of chunks(ids)) {
    await retryOnConflict(() =>
      update(db.from('zw_outbox').where('lease', lease).whereIn('id', idBatch))
    )
  }
}

/** Deletes rows whose retention has ended, up to a limit. */
export async function purgeOutbox(): Promise<void> {
  for (const [isAbandoned, retentionMs] of [
    [false, DELIVERED_RETENTION_MS],
    [true, ABANDONED_RETENTION_MS],
  ] as const) {
    const rows = db.from('zw_outbox').where('done_at', '<=', timestampIn(-retentionMs))
    const expiredRows: { id: number }[] = await (
      isAbandoned ? rows.whereNotNull('last_error') : rows.whereNull('last_error')
    )
      .orderBy('done_at')
      .limit(UPDATE_BATCH_SIZE)
      .select('id')
    const ids = expiredRows.map(({ id }) => id)
    await retryOnConflict(() => db.from('zw_outbox').whereIn('id', ids).delete())
  }
}

/** Numbers of waiting and abandoned events, and the oldest rows of both, at most `limit`. */
export async function readUnsettledEvents(
  limit: number
): Promise<{ waiting: number; abandoned: number; rows: OutboxRow[] }> {
  const selectWaiting = () => db.from('zw_outbox').whereNull('done_at')
  const selectAbandoned = () =>
    db.from('zw_outbox').whereNotNull('done_at').whereNotNull('last_error')
  const [waitingCount] = await selectWaiting().count('* as total')
  const [abandonedCount] = await selectAbandoned().count('* as total')
  const rows: OutboxRow[] = [
    ...(await selectAbandoned().orderBy('id').limit(limit)),
    ...(await selectWaiting().orderBy('id').limit(limit)),
  ]
  return {
    waiting: Number(waitingCount.total),
    abandoned: Number(abandonedCount.total),
    rows: rows.sort((a, b) => Number(a.id) - Number(b.id)).slice(0, limit),
  }
}

/** Maximum number of events that one call repeats. */
const MAX_RETRIED_EVENTS = 1_000

/**
 * Makes one event due now, or all failed events (the oldest up to a maximum), and audits that. Leased events do not change.
 * Returns the number of events.
 */
export async function retryEvents(actor: AuditActor, id: number | null): Promise<number> {
  const count = await inTransaction(db.connection(), async (trx) => {
    const now = timestampIn(0)
    const failed = trx
      .from('zw_outbox')
      .whereNotNull('last_error')
      .where((condition) => condition.whereNull('leased_until').orWhere('leased_until', '<=', now))
    const rows: { id: number | string }[] = await (id === null ? failed : failed.where('id', id))
      .orderBy('id')
      .limit(MAX_RETRIED_EVENTS)
      .select('id')
    if (rows.length === 0) {
      return 0
    }
    for (const idBatch of chunks(rows.map((row) => Number(row.id)))) {
      await trx.from('zw_outbox').whereIn('id', idBatch).update({ done_at: null, next_at: now })
    }
    await record(trx, actor, { action: 'outbox.retried', detail: { events: rows.length } })
    return rows.length
  })
  outbox.wake()
  return count
}
