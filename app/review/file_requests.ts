import { approval } from '#access/approval'
import { demand, requireView } from '#access/demand'
import { authorize } from '#access/authorize'
import { loadZoneFacts } from '#access/ownership'
import type { BackendZone, DnsBackend } from '#backends/contract/backend'
import { addRefusedActions, throwActionErrors } from '#review/action_error'
import { ActionErrors, ActionRefused } from '#changes/model/action_error'
import type { ChangeSet, RecordAction, ZoneChangeSet } from '#changes/model/change_set'
import type { Intent } from '#changes/model/intent'
import { planHash, planParts } from '#changes/model/plan_hash'
import { recordApplied } from '#changes/idempotency/requests'
import { checkApplyAt, fileRequest } from '#changes/requests/create'
import { findRequest } from '#changes/requests/store'
import type { ChangeRequest } from '#changes/model/change_request'
import { planAll } from '#changes/submit'
import {
  appliedResult,
  DryRunRollback,
  mapOutcome,
  outcomeOf,
  type Outcome,
} from '#changes/model/outcome'
import type { ZonePlan } from '#changes/model/zone_plan'
import { writeZones } from '#changes/recovery/write_zones'
import { Refusal } from '#exceptions/refusal'
import { applyRequest } from '#review/approve'
import { RequestFailed } from '#review/errors'
import { requireReviewEnabled } from '#review/open_request'
import type { OpenZone } from '#zones/directory'

/** Maximum of requests that one call files. */
const MAX_FILED_REQUESTS = 200

/** Actions of a request to file, in the order of the body; null is the deletion of the zone. */
export interface FiledAction {
  recordActions: RecordAction[] | null
  /** Equal groups become one request. */
  group: string
  /** Index of the action in the body, from 0. */
  index: number
  comment?: string
}

/** Further members of a request to file. */
export interface FilingOptions {
  /** Scheduled time, as Zonewright tables store timestamps. */
  applyAt: string | null
  /** Actions of the same call that an earlier stage refused: nothing is filed then. */
  errors?: ActionErrors
}

/**
 * Files requests for a zone: all or none. Each is planned as its change would be, so that no
 * invalid request is filed.
 *
 * @throws Refusal 413 for more than 200 requests, 403 if the actor may neither edit the zone nor
 *   request changes
 * @throws Refusal with the errors of all actions, with their numbers: those of `errors` and of the planning
 */
export async function fileRequests(
  backend: DnsBackend,
  intent: Intent,
  { zone, facts }: OpenZone,
  filedActions: FiledAction[],
  { applyAt, errors = new ActionErrors() }: FilingOptions
): Promise<Outcome<ChangeRequest[]>> {
  requireReviewEnabled()
  checkApplyAt(applyAt)
  const isDeletion = filedActions.some((one) => one.recordActions === null)
  const action = isDeletion ? 'zone.request_deletion' : 'zone.request_changes'
  demand(intent.actor, { action, zone: facts })
  if (intent.dryRun) {
    requireView(intent.actor, facts)
  }
  const groups = [...Map.groupBy(filedActions, (it) => it.group)]
  const hasEarlierErrors = !errors.isEmpty
  if (groups.length > MAX_FILED_REQUESTS) {
    throw new Refusal(
      413,
      `The actions require ${groups.length} change requests; at most ${MAX_FILED_REQUESTS} can be submitted at once`
    )
  }
  const outcome = await outcomeOf(() =>
    writeZones(backend, async (write) => {
      const locked = await write.session.lockZones([zone.id])
      const requests: ChangeRequest[] = []
      const plans: ZonePlan[] = []
      for (const [, groupActions] of groups) {
        const expectedHash = errors.isEmpty ? intent.planHash : null
        const filedSet = changeSet({ ...intent, planHash: expectedHash }, zone, groupActions)
        const context = { set: filedSet, ...write }
        const indexes = groupActions.flatMap(({ recordActions: actions, index }) =>
          (actions ?? [null]).map(() => index)
        )
        const planned = await planAll(context, locked).catch((error: unknown) => {
          // The other requests are planned, too, so that one answer has the errors of all.
          if (!(error instanceof ActionRefused)) throw error
          addRefusedActions(errors, error, indexes)
        })
        if (errors.isFull) break
        if (!planned || !errors.isEmpty) continue
        plans.push(...planned)
        if (!intent.dryRun) {
          const comments = new Map(
            groupActions.flatMap(({ comment }, at) => (comment ? [[at, comment] as const] : []))
          )
          requests.push(await fileRequest(context, locked, planned, { applyAt, comments }))
        }
      }
      throwActionErrors(errors, hasEarlierErrors)
      if (intent.dryRun) {
        plans.forEach((plan) => (plan.needsReview = true))
        throw new DryRunRollback({ hash: planHash(await planParts(plans)), zones: plans })
      }
      if (intent.repeatId !== null) {
        await recordApplied(write.trx, intent.repeatId)
      }
      return requests.map((request, index) => ({ request, plan: plans[index] }))
    })
  )
  return mapOutcome(outcome, async (all) => {
    const requests: ChangeRequest[] = []
    for (const { request, plan } of all) {
      requests.push(await applyIfExempt(backend, intent, zone, request, plan))
    }
    return requests
  })
}

/**
 * The change set of a request to file. Restrictions of the API key on operations do not apply to a
 * request.
 */
function changeSet(intent: Intent, zone: BackendZone, groupActions: FiledAction[]): ChangeSet {
  const { key } = intent.actor
  const actor = { ...intent.actor, key: key && { ...key, operations: null } }
  const change: ZoneChangeSet = groupActions.some(
    ({ recordActions: filedActions }) => filedActions === null
  )
    ? { op: 'delete', zoneId: zone.id }
    : {
        op: 'edit',
        zoneId: zone.id,
        actions: groupActions.flatMap(({ recordActions: filedActions }) => filedActions ?? []),
      }
  return { intent: { ...intent, actor }, origin: null, zones: [change], isFiling: true }
}

/**
 * Applies a request at once if its records are exempt from review, with its author as the actor.
 */
async function applyIfExempt(
  backend: DnsBackend,
  intent: Intent,
  zone: BackendZone,
  request: ChangeRequest,
  { changes }: ZonePlan
): Promise<ChangeRequest> {
  const facts = await loadZoneFacts(zone)
  const isExempt =
    request.kind === 'records' &&
    request.applyAt === null &&
    changes.length > 0 &&
    changes.every(({ name, type }) => {
      const write = { action: 'rrset.write' as const, zone: facts, name, type }
      const { allowed, review } = authorize(intent.actor, write)
      return allowed && !review && approval.exemptionOf(name, type) !== undefined
    })
  if (!isExempt) {
    return request
  }
  try {
    const applyOutcome = applyRequest(backend, { ...intent, repeatId: null }, request, {
      to: 'approved',
      action: 'request.approved',
      comment: 'Needs no approval (approval.auto_approve)',
      applied: true,
      detail: { applied: true, policy: 'auto_approve' },
    })
    return await appliedResult(applyOutcome)
  } catch (error) {
    // The request is filed in any case, and stores why it failed.
    if (error instanceof RequestFailed) return error.request
    if (error instanceof Refusal) return (await findRequest(request.id)) ?? request
    throw error
  }
}
