import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { AuditActor } from '#audit/event'
import { record } from '#audit/record'
import { timestampNow } from '#changes/model/clock'
import { findRequest } from '#changes/requests/store'

/**
 * Marks a request as applied, in the transaction of the recovery. It had failed because the name
 * server did not confirm the write, or its process ended before the answer.
 *
 * @param actor who applied it
 */
export async function confirmRequest(
  trx: TransactionClientContract,
  actor: AuditActor,
  id: number
): Promise<void> {
  const request = await findRequest(id, trx)
  if (!request || request.appliedAt !== null) {
    return
  }
  const { status, reviewedAt, zones } = request
  const now = timestampNow()
  const reviewerColumns = {
    reviewer_id: actor.userId,
    reviewer_name: actor.username,
    reviewed_at: now,
  }
  const updatedRows: unknown = await trx
    .from('zw_change_requests')
    .where({ id, version: request.version })
    .whereIn('status', ['pending', 'approved', 'failed'])
    .whereNull('applied_at')
    .update({
      status: 'approved',
      error: null,
      stale: null,
      applied_at: now,
      ...(reviewedAt === null ? reviewerColumns : {}),
    })
  if (Number(updatedRows) > 0) {
    const object = { kind: 'zone' as const, id: zones[0].id, name: zones[0].name }
    const action = status === 'pending' ? 'request.approved' : 'request.applied'
    await record(trx, actor, { action, object, detail: { request: id, applied: true } })
  }
}
