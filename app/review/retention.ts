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
export async function deleteDecidedRequests(
  sweeper: AuditActor,
  signal?: AbortSignal
): Promise<number> {
  const days = approval.settings.retention_days
  const before = new Date(Date.now() - days * DAY_MS).toISOString()
  let removed = 0
  for (
    let found = days > 0 ? DELETE_BATCH_SIZE : 0;
    found === DELETE_BATCH_SIZE && !signal?.aborted;
  ) {
    const batchResult = await inTransaction(db.connection(), (trx) => removeBatch(trx, before))
    found = batchResult.found
    removed += batchResult.removed
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
  cutoff: string
): Promise<{ found: number; removed: number }> {
  const rows: { id: number }[] = await selectDecidedBefore(trx, cutoff)
    .orderBy('id')
    .limit(DELETE_BATCH_SIZE)
    .select('id')
  const ids: number[] = []
  for (const { id } of rows) {
    // A request that was rebased in between is not deleted.
    const deletedRows: unknown = await selectDecidedBefore(trx, cutoff).where('id', id).delete()
    if (Number(deletedRows) > 0) ids.push(id)
  }
  if (ids.length > 0) {
    for (const part of ['zones', 'actions', 'approvals', 'comments']) {
      await trx.from(`zw_change_request_${part}`).whereIn('request_id', ids).delete()
    }
  }
  return { found: rows.length, removed: ids.length }
}

/** Requests that were decided, or applied, before a time. */
function selectDecidedBefore(trx: TransactionClientContract, cutoff: string) {
  const query = trx.from('zw_change_requests').whereNot('status', 'pending')
  for (const column of ['created_at', 'reviewed_at', 'applied_at']) {
    query.where((condition) => condition.whereNull(column).orWhere(column, '<', cutoff))
  }
  return query
    .where((condition) => condition.whereNot('status', 'approved').orWhereNotNull('applied_at'))
    .where((condition) => {
      // A scheduled request may have ended before its time.
      condition.whereNotIn('status', ['failed', 'cancelled'])
      condition.orWhereNull('apply_at').orWhere('apply_at', '<', cutoff)
    })
}
