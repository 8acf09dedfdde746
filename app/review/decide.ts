import db from '@adonisjs/lucid/services/db'
import type { Actor } from '#access/actor'
import { demand } from '#access/demand'
import { record } from '#audit/record'
import { timestampNow } from '#changes/model/clock'
import type { Intent } from '#changes/model/intent'
import { isScheduled, type ChangeRequest, type RequestComment } from '#changes/model/change_request'
import { finishWrite } from '#changes/idempotency/finish_write'
import { inTransaction } from '#database/transaction'
import { invalid } from '#exceptions/refusal'
import { AlreadyDecided } from '#review/errors'
import type { OpenRequest } from '#review/open_request'
import { applyTransitionAlone } from '#review/transitions'

/** Requires the right to review the request. Throws as `demand` does. */
export function demandReviewer(actor: Actor, { facts }: Pick<OpenRequest, 'facts'>): void {
  facts.forEach((zone) => demand(actor, { action: 'zone.review', zone }))
}

/**
 * Rejects a request without any change. Throws a 403 `Refusal` without the right to review, and
 * `AlreadyDecided`.
 */
export async function reject(
  intent: Intent,
  { request, facts }: OpenRequest,
  comment: string | null
): Promise<ChangeRequest> {
  const { actor } = intent
  demandReviewer(actor, { facts })
  checkOpen(request)
  const reviewer = { id: actor.userId, username: actor.username }
  const transition = {
    to: 'rejected' as const,
    action: 'request.rejected' as const,
    reviewer,
    comment,
  }
  return applyTransitionAlone(actor, request, transition, intent)
}

/**
 * Cancels a request. Throws a 403 `Refusal` if the actor is not its author, and `AlreadyDecided`.
 */
export async function cancel(intent: Intent, { request }: OpenRequest): Promise<ChangeRequest> {
  demand(intent.actor, { action: 'request.cancel', requesterId: request.requester.id })
  checkOpen(request)
  const transition = { to: 'cancelled' as const, action: 'request.cancelled' as const }
  return applyTransitionAlone(
    intent.actor,
    request,
    { ...transition, detail: { why: 'withdrawn' } },
    intent
  )
}

/**
 * Adds a comment to a request or to one of its actions. Throws a 400 `Refusal` for an unknown
 * action.
 */
export async function addComment(
  intent: Intent,
  { request }: OpenRequest,
  { text, action = null }: { text: string; action?: number | null }
): Promise<void> {
  if (action !== null && !request.actions[action]) {
    throw invalid(
      `Field 'action' must be the index of an action of the request (0 to ${request.actions.length - 1}), found ${action}`
    )
  }
  const { actor } = intent
  await inTransaction(db.connection(), async (trx) => {
    await trx.table('zw_change_request_comments').insert({
      request_id: request.id,
      user_id: actor.userId,
      username: actor.username,
      action,
      text,
      created_at: timestampNow(),
    })
    const [{ id, name }] = request.zones
    const object = { kind: 'zone' as const, id, name }
    const detail = { request: request.id }
    await record(trx, actor, { action: 'request.commented', object, detail })
    await finishWrite(trx, intent)
  })
}

/** The comments on a request, the oldest first. */
export async function readComments({ id }: Pick<ChangeRequest, 'id'>): Promise<RequestComment[]> {
  const rows: CommentRow[] = await db
    .from('zw_change_request_comments')
    .where('request_id', id)
    .orderBy('id')
  return rows.map((row) => ({
    number: Number(row.id),
    id: row.user_id,
    username: row.username,
    action: row.action,
    text: row.text,
    createdAt: row.created_at,
  }))
}

interface CommentRow {
  id: number | string
  user_id: number | null
  username: string
  action: number | null
  text: string
  created_at: string
}

/** A scheduled request can still be rejected or cancelled. */
function checkOpen(request: ChangeRequest): void {
  if (request.status !== 'pending' && !isScheduled(request)) {
    throw new AlreadyDecided(request)
  }
}
