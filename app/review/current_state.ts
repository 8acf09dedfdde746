import type { Actor } from '#access/actor'
import type { DnsBackend } from '#backends/contract/backend'
import { intentOf, type Intent } from '#changes/model/intent'
import type { ChangeRequest } from '#changes/model/change_request'
import { submitChangeSet } from '#changes/submit'
import type { ChangePlan } from '#changes/model/zone_plan'
import { serialOfSet } from '#dns/rdata/soa'
import { approvedSet } from '#review/approved_set'
import { isUnreachable, reasonOf, StaleRequest } from '#review/errors'
import { zoneIdsOf, zonesOf } from '#review/request_zones'

/** Current state of a request. */
export interface RequestStanding {
  /** Indexes of the actions whose baseline does not hold. */
  stale: number[]
  /** The serial of a zone differs from that of the baseline. */
  isSerialMoved: boolean
  /** The current plan; null if the request is not applicable. */
  plan: ChangePlan | null
  /** Why the request is not applicable. */
  problem: string | null
  /** The zones could not be read: it is unknown whether actions are stale. */
  isUnknown: boolean
}

/** The actor of the planning. Callers decide which part of the plan is shown. */
const PLANNER: Actor = {
  userId: null,
  username: 'review',
  permissions: new Set(['user_is_ueberuser']),
  groups: [],
  key: null,
  address: null,
  channel: 'job',
}

/** Plans a request as it would be applied now. Changes nothing. */
export async function standingOf(
  backend: DnsBackend,
  request: ChangeRequest
): Promise<RequestStanding> {
  const none = { stale: [], isSerialMoved: false, plan: null, problem: null, isUnknown: false }
  try {
    none.isSerialMoved = await hasMovedSerial(backend, request)
    const intent = intentOf(PLANNER, { dryRun: true })
    const set = approvedSet(intent, request, await zoneIdsOf(request))
    const outcome = await submitChangeSet(backend, ...set)
    return outcome.kind === 'planned' ? { ...none, plan: outcome.plan } : none
  } catch (error) {
    const reason = reasonOf(error)
    if (!reason) {
      throw error
    }
    const stale = error instanceof StaleRequest ? error.indexes : []
    return { ...none, stale, problem: reason.message, isUnknown: isUnreachable(error) }
  }
}

/**
 * Throws `StalePlan` if the current plan of the request has another hash than the intent, or the
 * error of the planning. Nothing without a hash.
 */
export async function comparePlan(
  backend: DnsBackend,
  { planHash }: Pick<Intent, 'planHash'>,
  request: ChangeRequest
): Promise<void> {
  if (planHash === null) {
    return
  }
  const intent = intentOf(PLANNER, { dryRun: true, planHash })
  await submitChangeSet(backend, ...approvedSet(intent, request, await zoneIdsOf(request)))
}

/** Whether the serial of a zone changed; true for a missing zone. */
async function hasMovedSerial(backend: DnsBackend, request: ChangeRequest): Promise<boolean> {
  const zones = await zonesOf(backend, request)
  for (const [index, { baseSerial }] of request.zones.entries()) {
    const zone = zones[index]
    const sets = zone ? await backend.rrsetsAt(zone, [zone.name]) : []
    const soa = sets.find(({ type, name }) => type === 'SOA' && name === zone?.name)
    if (serialOfSet(soa) !== baseSerial) {
      return true
    }
  }
  return false
}
