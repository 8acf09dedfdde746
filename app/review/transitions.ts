import db from '@adonisjs/lucid/services/db'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { AuditActor, Detail } from '#audit/event'
import type { AuditAction } from '#audit/actions'
import { record } from '#audit/record'
import { timestampNow } from '#changes/model/clock'
import type { Intent } from '#changes/model/intent'
import type { ChangeRequest, RequestStatus, RecordedUser } from '#changes/model/change_request'
import { enqueueNotification, type RequestNotification } from '#changes/requests/notifications'
import { findRequest } from '#changes/requests/store'
import { finishWrite } from '#changes/idempotency/finish_write'
import { inTransaction } from '#database/transaction'
import { AlreadyDecided } from '#review/errors'

/** A step from the status and version of the request that the caller has read. */
export interface Transition {
  to: RequestStatus
  action: AuditAction
  /** The reviewer; absent for a step without one. */
  reviewer?: RecordedUser
  comment?: string | null
  error?: string | null
  applied?: boolean
  stale?: number[]
  detail?: Detail
}

/** Steps that the author of a request is notified of. */
const NOTIFIED_EVENTS: Partial<Record<AuditAction, RequestNotification['what']>> = {
  'request.approved': 'approved',
  'request.applied': 'applied',
  'request.rejected': 'rejected',
  'request.cancelled': 'cancelled',
  'request.failed': 'failed',
}

/**
 * Takes a step in a transaction, and logs it. Throws `AlreadyDecided` if status or version have
 * changed, so that one of two concurrent decisions wins.
 */
export async function applyTransition(
  trx: TransactionClientContract,
  actor: AuditActor,
  { id, version, status, appliedAt, reviewedAt, zones }: ChangeRequest,
  { to, action, reviewer, comment, error, applied, stale, detail }: Transition
): Promise<void> {
  const now = timestampNow()
  const reviewerColumns = reviewer && { reviewer_id: reviewer.id, reviewer_name: reviewer.username }
  const isDecision = to !== 'pending' && reviewedAt === null
  const rows = trx.from('zw_change_requests').where({ id, version, status })
  const unappliedRows = appliedAt === null ? rows.whereNull('applied_at') : rows
  const updatedRows: unknown = await unappliedRows.update({
    status: to,
    ...reviewerColumns,
    ...(reviewerColumns || isDecision ? { reviewed_at: now } : {}),
    ...(comment === undefined ? {} : { review_comment: comment }),
    ...(error === undefined ? {} : { error }),
    ...(applied ? { applied_at: now } : {}),
    ...(to === 'cancelled' ? { cancelled_at: now } : {}),
    ...(stale ? { stale: JSON.stringify(stale) } : {}),
  })
  // Some drivers return the number of rows in a list.
  if (Number(updatedRows) === 0) {
    throw new AlreadyDecided()
  }
  const [zone] = zones
  const object = { kind: 'zone' as const, id: zone.id, name: zone.name }
  const outcome = to === 'failed' ? 'failed' : 'success'
  await record(trx, actor, { action, object, outcome, detail: { request: id, ...detail } })
  const notifiedEvent = NOTIFIED_EVENTS[action]
  if (notifiedEvent) {
    await enqueueNotification(trx, { id, zones }, { what: notifiedEvent, by: actor.userId })
  }
}

/**
 * Takes a step that changes no zone, in its own transaction. Returns the request after it. Throws
 * as `finishWrite`.
 */
export async function applyTransitionAlone(
  actor: AuditActor,
  request: ChangeRequest,
  transition: Transition,
  terms: Pick<Intent, 'dryRun' | 'repeatId'> = { dryRun: false, repeatId: null }
): Promise<ChangeRequest> {
  await inTransaction(db.connection(), async (trx) => {
    await applyTransition(trx, actor, request, transition)
    await finishWrite(trx, terms)
  })
  return (await findRequest(request.id)) ?? request
}
