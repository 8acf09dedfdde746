import type { Actor } from '#access/actor'
import type { DnsBackend } from '#backends/contract/backend'
import { intentOf, type Intent } from '#changes/model/intent'
import type { ChangeRequest } from '#changes/model/change_request'
import { submitChangeSet } from '#changes/submit'
import type { ChangePlan } from '#changes/model/zone_plan'
import { serialOfSet } from '#dns/rdata/soa'
import { buildApprovedSet } from '#review/approved_set'
import { isUnreachable, failureReasonOf, StaleRequest } from '#review/errors'
import { findRequestZoneIds, findRequestZones } from '#review/request_zones'

/** Current state of a request. */
export interface RequestState {
  /** Indexes of the actions whose baseline does not hold. */
  stale: number[]
  /** The serial of a zone differs from that of the baseline. */
  hasSerialChanged: boolean
  /** The current plan; null if the request is not applicable. */
  plan: ChangePlan | null
  /** Why the request is not applicable. */
  problem: string | null
  /** The zones could not be read: it is unknown whether actions are stale. */
  isUnknown: boolean
}

/** The actor of the planning. Callers decide which part of the plan is shown. */
const PLANNING_ACTOR: Actor = {
  userId: null,
  username: 'review',
  permissions: new Set(['user_is_ueberuser']),
  groups: [],
  key: null,
  address: null,
  channel: 'job',
}

/** Plans a request as it would be applied now. Changes nothing. */
export async function readRequestState(
  backend: DnsBackend,
  request: ChangeRequest
): Promise<RequestState> {
  const emptyState = {
    stale: [],
    hasSerialChanged: false,
    plan: null,
    problem: null,
    isUnknown: false,
  }
  try {
    emptyState.hasSerialChanged = await hasChangedSerial(backend, request)
    const intent = intentOf(PLANNING_ACTOR, { dryRun: true })
    const changeSet = buildApprovedSet(intent, request, await findRequestZoneIds(request))
    const outcome = await submitChangeSet(backend, ...changeSet)
    return outcome.kind === 'planned' ? { ...emptyState, plan: outcome.plan } : emptyState
  } catch (error) {
    const reason = failureReasonOf(error)
    if (!reason) {
      throw error
    }
    const stale = error instanceof StaleRequest ? error.indexes : []
    return { ...emptyState, stale, problem: reason.message, isUnknown: isUnreachable(error) }
  }
}

/**
 * Throws `StalePlan` if the current plan of the request has another hash than the intent, or the
 * error of the planning. Nothing without a hash.
 */
export async function requireSamePlan(
  backend: DnsBackend,
  { planHash }: Pick<Intent, 'planHash'>,
  request: ChangeRequest
): Promise<void> {
  if (planHash === null) {
    return
  }
  const intent = intentOf(PLANNING_ACTOR, { dryRun: true, planHash })
  await submitChangeSet(
    backend,
    ...buildApprovedSet(intent, request, await findRequestZoneIds(request))
  )
}

/** Whether the serial of a zone changed; true for a missing zone. */
async function hasChangedSerial(backend: DnsBackend, request: ChangeRequest): Promise<boolean> {
  const zones = await findRequestZones(backend, request)
  for (const [index, { baseSerial }] of request.zones.entries()) {
    const zone = zones[index]
    const apexSets = zone ? await backend.rrsetsAt(zone, [zone.name]) : []
    const soa = apexSets.find(({ type, name }) => type === 'SOA' && name === zone?.name)
    if (serialOfSet(soa) !== baseSerial) {
      return true
    }
  }
  return false
}
