import db from '@adonisjs/lucid/services/db'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { approval } from '#access/approval'
import type { AuditActor } from '#audit/event'
import { record } from '#audit/record'
import { inTransaction } from '#database/transaction'

/** Decided requests that one transaction deletes. */
const DELETE_BATCH_SIZE = 200
const DAY_MS = 86_400_000

/**
 * Deletes decided requests after their retention; applied changes stay in the journal. Returns
 * their number.
 */
export async function removeDecided(sweeper: AuditActor, signal?: AbortSignal): Promise<number> {
  const days = approval.settings.retention_days
  const before = new Date(Date.now() - days * DAY_MS).toISOString()
  let removed = 0
  for (
    let found = days > 0 ? DELETE_BATCH_SIZE : 0;
    found === DELETE_BATCH_SIZE && !signal?.aborted;
  ) {
    const batch = await inTransaction(db.connection(), (trx) => removeBatch(trx, before))
    found = batch.found
    removed += batch.removed
  }
  if (removed > 0) {
    await record(db.connection(), sweeper, {
      action: 'request.pruned',
      detail: { requests: removed },
    })
  }
  return removed
}

async function removeBatch(
  trx: TransactionClientContract,
  time: string
): Promise<{ found: number; removed: number }> {
  const rows: { id: number }[] = await decidedBefore(trx, time)
    .orderBy('id')
    .limit(DELETE_BATCH_SIZE)
    .select('id')
  const ids: number[] = []
  for (const { id } of rows) {
    // A request that was rebased in between is not deleted.
    const gone: unknown = await decidedBefore(trx, time).where('id', id).delete()
    if (Number(gone) > 0) ids.push(id)
  }
  if (ids.length > 0) {
    for (const part of ['zones', 'actions', 'approvals', 'comments']) {
      await trx.from(`zw_change_request_${part}`).whereIn('request_id', ids).delete()
    }
  }
  return { found: rows.length, removed: ids.length }
}

/** Requests that were decided, or applied, before a time. */
function decidedBefore(trx: TransactionClientContract, time: string) {
  const query = trx.from('zw_change_requests').whereNot('status', 'pending')
  for (const column of ['created_at', 'reviewed_at', 'applied_at']) {
    query.where((some) => some.whereNull(column).orWhere(column, '<', time))
  }
  return query
    .where((some) => some.whereNot('status', 'approved').orWhereNotNull('applied_at'))
    .where((some) => {
      // A scheduled request may have ended before its time.
      some.whereNotIn('status', ['failed', 'cancelled'])
      some.orWhereNull('apply_at').orWhere('apply_at', '<', time)
    })
}
