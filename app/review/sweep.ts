import logger from '@adonisjs/core/services/logger'
import db from '@adonisjs/lucid/services/db'
import type { Actor } from '#access/actor'
import { approval } from '#access/approval'
import { authorize } from '#access/authorize'
import { findActorOfUser } from '#accounts/authenticate'
import type { DnsBackend } from '#backends/contract/backend'
import { BackendUnavailable } from '#backends/contract/errors'
import { timestampNow } from '#changes/model/clock'
import { intentOf } from '#changes/model/intent'
import { appliedResult } from '#changes/model/outcome'
import { isScheduled, type ChangeRequest } from '#changes/model/change_request'
import { withParts, type RequestRow } from '#changes/requests/store'
import { inTransaction } from '#database/transaction'
import { withoutValues } from '#exceptions/database_errors'
import { applyScheduled } from '#review/approve'
import { AlreadyDecided, RequestFailed } from '#review/errors'
import { loadRequestFacts } from '#review/request_zones'
import { deleteDecidedRequests } from '#review/retention'
import { readRequestState } from '#review/current_state'
import { applyTransitionAlone, applyTransition } from '#review/transitions'

/** Requests per query. */
const REQUEST_BATCH_SIZE = 50
const DAY_MS = 86_400_000

/** Result of the sweep for one request. */
export interface SweptRequest {
  id: number
  zone: string
  outcome: 'applied' | 'failed' | 'expired' | 'stale' | 'cancelled' | 'current'
}

/** Result of a sweep. */
export interface SweepResult {
  /** Number of checked requests. */
  checked: number
  removed: number
}

/** The actor of the sweep. */
const SWEEP_ACTOR: Actor = {
  userId: null,
  username: 'change-requests:sweep',
  permissions: new Set(['user_is_ueberuser']),
  groups: [],
  key: null,
  address: null,
  channel: 'job',
}

/**
 * Sweeps waiting change requests: applies those that are due, cancels expired ones, stores stale
 * actions (and cancels such requests, if configured), deletes decided ones after their retention.
 * Yields each changed request. May be stopped at any time, and several sweeps may overlap. Does
 * nothing if review is disabled.
 *
 * @throws the first error, after all requests were tried
 */
export async function* sweepRequests(
  backend: DnsBackend,
  signal?: AbortSignal
): AsyncGenerator<SweptRequest, SweepResult> {
  const result = { checked: 0, removed: 0 }
  const errors: unknown[] = []
  if (!approval.isEnabled) {
    return result
  }
  for await (const request of requestsToSweep(signal)) {
    result.checked++
    try {
      const outcome = await sweepRequest(backend, request)
      if (outcome) {
        yield { id: request.id, zone: request.zones[0].name, outcome }
      }
    } catch (error) {
      // Another process has decided the request.
      if (error instanceof AlreadyDecided) continue
      logger.error(
        { err: withoutValues(error), request: request.id },
        'Sweep of a change request failed'
      )
      errors.push(error)
    }
  }
  result.removed = await deleteDecidedRequests(SWEEP_ACTOR, signal)
  if (errors.length > 0) {
    throw errors[0]
  }
  return result
}

/** Pending requests, and scheduled ones that are due, in batches. */
async function* requestsToSweep(signal?: AbortSignal): AsyncGenerator<ChangeRequest, void> {
  for (let after = 0; !signal?.aborted;) {
    const rows: RequestRow[] = await db
      .from('zw_change_requests')
      .where('id', '>', after)
      .where((condition) => {
        condition.where('status', 'pending').orWhere((due) => {
          due.where('status', 'approved').whereNull('applied_at')
          due.where('apply_at', '<=', timestampNow())
        })
      })
      .orderBy('id')
      .limit(REQUEST_BATCH_SIZE)
    for (const request of await withParts(rows)) {
      if (signal?.aborted) return
      yield request
    }
    if (rows.length < REQUEST_BATCH_SIZE) return
    after = Number(rows[rows.length - 1].id)
  }
}

async function sweepRequest(
  backend: DnsBackend,
  request: ChangeRequest
): Promise<SweptRequest['outcome'] | null> {
  if (isScheduled(request)) {
    return applyDue(backend, request)
  }
  const { expire_days: expireDays, cancel_stale: mustCancelStale } = approval.settings
  if (expireDays > 0 && request.createdAt < daysAgo(expireDays)) {
    await cancelRequest(request, 'expired', `Expired: not reviewed within ${expireDays} days.`)
    return 'expired'
  }
  const { stale, isUnknown } = await readRequestState(backend, request)
  if (isUnknown) {
    throw new BackendUnavailable('The zones of the change request cannot be read')
  }
  if (stale.length > 0 && mustCancelStale) {
    const error = 'Cancelled: the zone differs from the base of the change request.'
    await cancelRequest(request, 'stale', error, stale)
    return 'cancelled'
  }
  return storeStale(request, stale)
}

/** Applies a request that is due, with the current rights of its reviewer. */
async function applyDue(
  backend: DnsBackend,
  request: ChangeRequest
): Promise<SweptRequest['outcome']> {
  const id = request.reviewer?.id ?? null
  const user = id === null ? null : await findActorOfUser(id, 'job')
  if (!user?.active) {
    return failWithoutReviewer(request, 'The reviewer is deactivated or deleted')
  }
  const facts = await loadRequestFacts(backend, request)
  if (!facts.every((zone) => authorize(user.actor, { action: 'zone.review', zone }).allowed)) {
    return failWithoutReviewer(
      request,
      'The reviewer can no longer review change requests for this zone'
    )
  }
  try {
    await appliedResult(applyScheduled(backend, intentOf(user.actor), request))
    return 'applied'
  } catch (error) {
    if (!(error instanceof RequestFailed)) throw error
    return 'failed'
  }
}

/** Fails a request whose reviewer has lost the right to review. */
async function failWithoutReviewer(request: ChangeRequest, reason: string): Promise<'failed'> {
  const transition = { to: 'failed' as const, action: 'request.failed' as const }
  const error = `${reason}. Nothing was applied.`
  await applyTransitionAlone(SWEEP_ACTOR, request, {
    ...transition,
    error,
    detail: { status: 403 },
  })
  return 'failed'
}

async function cancelRequest(
  request: ChangeRequest,
  reason: string,
  error: string,
  stale?: number[]
): Promise<void> {
  await applyTransitionAlone(SWEEP_ACTOR, request, {
    to: 'cancelled',
    action: 'request.cancelled',
    error,
    stale,
    detail: { why: reason },
  })
}

/** Stores the stale actions if they changed. */
async function storeStale(
  request: ChangeRequest,
  stale: number[]
): Promise<'stale' | 'current' | null> {
  const isKnown = JSON.stringify(request.stale ?? []) === JSON.stringify(stale)
  if (isKnown) {
    return null
  }
  const isStale = stale.length > 0
  await inTransaction(db.connection(), async (trx) => {
    if (isStale) {
      const action = 'request.stale' as const
      await applyTransition(trx, SWEEP_ACTOR, request, {
        to: 'pending',
        action,
        stale,
        detail: { stale },
      })
    } else {
      const { id, version } = request
      await trx
        .from('zw_change_requests')
        .where({ id, version, status: 'pending' })
        .update({ stale: '[]' })
    }
  })
  return isStale ? 'stale' : 'current'
}

function daysAgo(expireDays: number): string {
  return new Date(Date.now() - expireDays * DAY_MS).toISOString()
}
