import db from '@adonisjs/lucid/services/db'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { Actor } from '#access/actor'
import { approval } from '#access/approval'
import { authorize, type ZoneFacts } from '#access/authorize'
import { requireView } from '#access/demand'
import type { DnsBackend } from '#backends/contract/backend'
import { BackendUnavailable, WriteUnconfirmed } from '#backends/contract/errors'
import { findActorOfUser } from '#accounts/authenticate'
import { timestampNow } from '#changes/model/clock'
import type { Intent } from '#changes/model/intent'
import { checkPlanHashFormat } from '#changes/planning/plan_store'
import { recordApplied } from '#changes/idempotency/requests'
import { isScheduled, type ChangeRequest, type RecordedUser } from '#changes/model/change_request'
import { findRequest } from '#changes/requests/store'
import { mapOutcome, type Outcome } from '#changes/model/outcome'
import { submitChangeSet } from '#changes/submit'
import { holdRow } from '#database/rows/row_lock'
import { inTransaction } from '#database/transaction'
import { conflict, forbidden } from '#exceptions/refusal'
import { buildApprovedSet, journalReason } from '#review/approved_set'
import { demandReviewer } from '#review/decide'
import {
  AlreadyDecided,
  isBackendError,
  isUnreachable,
  OrphanedRequest,
  failureReasonOf,
  RequestFailed,
  StaleRequest,
} from '#review/errors'
import type { OpenRequest } from '#review/open_request'
import { findRequestZoneIds } from '#review/request_zones'
import { requireSamePlan, readRequestState } from '#review/current_state'
import { applyTransitionAlone, applyTransition, type Transition } from '#review/transitions'

/** An approval with the request after it. */
export interface Approval {
  request: ChangeRequest
  /** Set if more approvals are needed: current and required number. */
  waiting?: { current: number; needed: number }
}

/**
 * Approves a request, and applies it if no further approval is needed. It is applied like any change
 * set, with its baseline as the precondition. Of concurrent approvals, one applies it.
 *
 * @throws Refusal 403 without the right to review or to view the plan, 400 for an invalid plan hash
 * @throws AlreadyDecided, `OrphanedRequest` or `StalePlan`; the request is not decided
 * @throws RequestFailed if it could not be applied; the request is failed, and nothing was written
 */
export async function approve(
  backend: DnsBackend,
  intent: Intent,
  { request, facts, isRequester }: OpenRequest,
  comment: string | null
): Promise<Outcome<Approval>> {
  const { actor } = intent
  demandReviewer(actor, { facts })
  if (isRequester && approval.settings.separation_of_duties) {
    throw forbidden('You cannot approve your own change request (approval.separation_of_duties)')
  }
  if (request.status !== 'pending') {
    throw new AlreadyDecided(request)
  }
  if (!(await loadRequester(request))) {
    throw new OrphanedRequest(request)
  }
  if (intent.planHash !== null) {
    // Errors of the call do not decide the request.
    checkPlanHashFormat(intent.planHash)
    facts.forEach((zone) => requireView(actor, zone))
  }
  const needed = approval.settings.approvals_needed
  if (needed > 1 && !intent.dryRun) {
    await requireSamePlan(backend, intent, request)
    const reviewers = await findPastApprovers(request, facts)
    const count = await storeApproval(intent, request, reviewers, { comment, needed })
    if (count < needed) {
      const result = { request: await reload(request), waiting: { current: count, needed } }
      return { kind: 'applied', result }
    }
  }
  const isForLater = request.applyAt !== null && request.applyAt > timestampNow()
  const reviewer = { id: actor.userId, username: actor.username }
  const transition: Transition = {
    to: 'approved',
    action: 'request.approved',
    reviewer,
    comment,
    applied: !isForLater,
    detail: { applied: !isForLater },
  }
  if (isForLater && !intent.dryRun) {
    // A request that cannot be applied now fails at once; all is checked again at the scheduled
    // time.
    const { stale, problem, isUnknown } = await readRequestState(backend, request)
    if (isUnknown) {
      throw new BackendUnavailable('The zones of the change request cannot be read')
    }
    if (problem !== null) {
      const failureReason = { status: 409, message: problem }
      throw new RequestFailed(
        await failRequest(actor, request, reviewer, failureReason, stale),
        stale,
        failureReason
      )
    }
    await requireSamePlan(backend, intent, request)
    const scheduledRequest = await applyTransitionAlone(actor, request, transition, intent)
    return { kind: 'applied', result: { request: scheduledRequest } }
  }
  return mapOutcome(applyRequest(backend, intent, request, transition), (applied) => ({
    request: applied,
  }))
}

/** Applies a scheduled request, with the rights of its reviewer. Throws as `approve`. */
export function applyScheduled(
  backend: DnsBackend,
  intent: Intent,
  request: ChangeRequest
): Promise<Outcome<ChangeRequest>> {
  if (!isScheduled(request)) {
    throw new AlreadyDecided()
  }
  const transition: Transition = { to: 'approved', action: 'request.applied', applied: true }
  return applyRequest(backend, intent, request, transition)
}

/**
 * Applies the request and takes the step; on an error, the request fails. A scheduled request stays
 * as it is if the name server cannot be reached.
 */
export async function applyRequest(
  backend: DnsBackend,
  intent: Intent,
  request: ChangeRequest,
  transition: Transition
): Promise<Outcome<ChangeRequest>> {
  const reason = journalReason(request, transition.comment ?? request.reviewComment)
  const requester = await loadRequester(request)
  let isDecided = false
  let outcome: Outcome<unknown>
  try {
    const changeSet = buildApprovedSet(
      { ...intent, reason },
      request,
      await findRequestZoneIds(request),
      {
        requester,
        begin: () => (isDecided = false),
        claim: async ({ trx }) => {
          await applyTransition(trx, intent.actor, request, transition)
          isDecided = true
        },
      }
    )
    outcome = await submitChangeSet(backend, ...changeSet)
  } catch (error) {
    const failureReason = isDecided && !isBackendError(error) ? null : failureReasonOf(error)
    const isForLater = isScheduled(request) && isUnreachable(error)
    if (!failureReason || intent.dryRun || isForLater) {
      throw error
    }
    const staleIndexes = error instanceof StaleRequest ? error.indexes : []
    throw new RequestFailed(
      await failRequest(
        intent.actor,
        request,
        transition.reviewer,
        failureReason,
        staleIndexes,
        isNotWritten(error)
      ),
      staleIndexes,
      failureReason
    )
  }
  return mapOutcome(outcome, () => reload(request))
}

/** Whether it is certain that nothing was written. */
function isNotWritten(error: unknown): boolean {
  return !(error instanceof WriteUnconfirmed)
}

async function failRequest(
  actor: Actor,
  request: ChangeRequest,
  reviewer: RecordedUser | undefined,
  { status, message }: { status: number; message: string },
  staleIndexes: number[],
  isNothingApplied = true
): Promise<ChangeRequest> {
  const error = `${message.replace(/[.]$/, '')}.${isNothingApplied ? ' Nothing was applied.' : ''}`
  const detail = { status, ...(staleIndexes.length > 0 ? { stale: staleIndexes } : {}) }
  return applyTransitionAlone(actor, request, {
    to: 'failed',
    action: 'request.failed',
    reviewer,
    error,
    stale: staleIndexes,
    detail,
  })
}

/** The author of the request with current rights; null if that user is deactivated or deleted. */
export async function loadRequester({ requester }: ChangeRequest): Promise<Actor | null> {
  const user = requester.id === null ? null : await findActorOfUser(requester.id, 'api')
  return user?.active ? user.actor : null
}

/** Users who approved before, and who may still review. */
async function findPastApprovers(
  { approvals }: ChangeRequest,
  facts: ZoneFacts[]
): Promise<Set<number>> {
  const reviewers = new Set<number>()
  for (const { id } of approvals) {
    const user = id === null ? null : await findActorOfUser(id, 'api')
    const isAllowed = facts.every(
      (zone) => user?.active && authorize(user.actor, { action: 'zone.review', zone }).allowed
    )
    if (isAllowed && id !== null) reviewers.add(id)
  }
  return reviewers
}

/** Stores the approval of the actor. Returns the number of approvals, including this one. */
async function storeApproval(
  { actor, repeatId }: Intent,
  request: ChangeRequest,
  reviewers: ReadonlySet<number>,
  { comment, needed }: { comment: string | null; needed: number }
): Promise<number> {
  if (actor.userId === null) {
    return needed
  }
  const { userId, username } = actor
  return inTransaction(db.connection(), async (trx) => {
    await holdRow(trx, 'zw_change_requests', request.id)
    const current = await findRequest(request.id, trx)
    if (current?.status !== 'pending' || current.version !== request.version) {
      throw new AlreadyDecided()
    }
    const knownApprovers = new Set(request.approvals.map(({ id }) => id))
    const otherApprovals = current.approvals.filter(
      ({ id }) => id !== userId && (!knownApprovers.has(id) || reviewers.has(id ?? 0))
    )
    const count = otherApprovals.length + 1
    const hasApproved = current.approvals.some(({ id }) => id === userId)
    if (hasApproved && count < needed) {
      throw conflict(
        'You have already approved this change request; it needs more approvals by other users'
      )
    }
    if (!hasApproved) {
      await insertApproval(trx, request.id, { id: userId, username }, comment)
    }
    if (count < needed && repeatId !== null) {
      await recordApplied(trx, repeatId)
    }
    return count
  })
}

async function insertApproval(
  trx: TransactionClientContract,
  id: number,
  { id: userId, username }: RecordedUser,
  comment: string | null
): Promise<void> {
  await trx.table('zw_change_request_approvals').insert({
    request_id: id,
    user_id: userId,
    username,
    comment,
    created_at: timestampNow(),
  })
}

async function reload(request: ChangeRequest): Promise<ChangeRequest> {
  return (await findRequest(request.id)) ?? request
}
