import { demand } from '#access/demand'
import { authorize } from '#access/authorize'
import { record } from '#audit/record'
import { RRsetActionRefused } from '#changes/model/action_error'
import type { BackendZone, DnsBackend } from '#backends/contract/backend'
import type { Intent } from '#changes/model/intent'
import { addBaselines, readActionStates, zoneDigest } from '#changes/requests/baseline'
import type {
  ChangeRequest,
  RequestAction,
  RequestZone,
  ZoneParts,
} from '#changes/model/change_request'
import { findRequest, replaceParts } from '#changes/requests/store'
import { finishWrite } from '#changes/idempotency/finish_write'
import { writeZones } from '#changes/recovery/write_zones'
import type { ZoneWrite } from '#changes/transaction/zone_transaction'
import { serialOfSet } from '#dns/rdata/soa'
import { conflict, forbidden } from '#exceptions/refusal'
import { AlreadyDecided } from '#review/errors'
import type { OpenRequest } from '#review/open_request'
import { rebaseTerms } from '#review/request_terms'
import { findRequestZoneIds } from '#review/request_zones'

/**
 * Sets the baseline of a pending or failed request to the current state. It is pending again, and
 * needs new approvals. Actions without effect are skipped when it is applied, such as the deletion
 * of a missing record.
 *
 * @throws Refusal 403 if the actor is neither its author nor a reviewer, 409 for a missing zone or
 *   a missing record to edit
 * @throws AlreadyDecided
 */
export async function rebase(
  backend: DnsBackend,
  intent: Intent,
  { request, facts, isRequester }: OpenRequest
): Promise<ChangeRequest> {
  const { actor } = intent
  const isReviewer = facts.every(
    (zone) => authorize(actor, { action: 'zone.review', zone }).allowed
  )
  if (!isRequester && !isReviewer) {
    throw forbidden('Only the requester and reviewers can update a change request')
  }
  if (isRequester && !isReviewer) {
    const action = request.kind === 'zone_delete' ? 'zone.request_deletion' : 'zone.request_changes'
    facts.forEach((zone) => demand(actor, { action, zone }))
  }
  if (request.status !== 'pending' && request.status !== 'failed') {
    throw new AlreadyDecided()
  }
  await writeZones(backend, async (write) => {
    const ids = await findRequestZoneIds(request, write.trx)
    const locked = await write.session.lockZones(ids.flatMap((id) => id ?? []))
    const rebasedParts = await rebaseParts(
      request,
      write,
      ids.map((id) => locked.get(id ?? 0))
    )
    if (!(await replaceParts(write.trx, request, rebasedParts))) {
      throw new AlreadyDecided()
    }
    const [{ id, name }] = rebasedParts.zones
    const object = { kind: 'zone' as const, id, name }
    const detail = { request: request.id }
    await record(write.trx, actor, { action: 'request.rebased', object, detail })
    await finishWrite(write.trx, intent)
  })
  return (await findRequest(request.id)) ?? request
}

async function rebaseParts(
  request: ChangeRequest,
  write: ZoneWrite,
  zones: (BackendZone | undefined)[]
): Promise<Pick<ChangeRequest, 'zones' | 'actions'>> {
  const { session } = write
  const rebasedZones: RequestZone[] = []
  const actions = new Map<number, RequestAction>()
  for (const [position, oldZone] of request.zones.entries()) {
    const zone = zones[position]
    if (!zone) {
      throw conflict(
        `The zone '${oldZone.name}' no longer exists: the change request cannot be updated`
      )
    }
    const soa = await session.rrsetsAt(zone, [zone.name])
    const baseSerial = serialOfSet(soa.find(({ type }) => type === 'SOA'))
    const zoneTerms = await rebaseTerms(write, zone, oldZone)
    rebasedZones.push({ ...oldZone, id: zone.id, name: zone.name, baseSerial, terms: zoneTerms })
    const zoneActions = request.actions.flatMap((action, index) =>
      action.zone === position ? [{ action, index }] : []
    )
    for (const { action, index } of zoneActions.filter(
      ({ action: { base } }) => base.kind === 'zone'
    )) {
      const digest = zoneDigest(await session.allRRsets(zone))
      actions.set(index, { ...action, base: { kind: 'zone', digest } })
    }
    const requested = zoneActions.filter(({ action: { base } }) => base.kind !== 'zone')
    const rebased = await rebaseActions(write, zone, requested, zoneTerms)
    rebased.forEach((action, at) => actions.set(requested[at].index, action))
  }
  return {
    zones: rebasedZones,
    actions: request.actions.map((action, index) => actions.get(index) ?? action),
  }
}

interface IndexedAction {
  action: RequestAction
  index: number
}

/** The actions of a zone with the current state as baseline. */
async function rebaseActions(
  write: ZoneWrite,
  zone: BackendZone,
  indexed: IndexedAction[],
  zoneTerms: ZoneParts
): Promise<RequestAction[]> {
  const { session } = write
  const openActions = indexed.map(({ action }) => ({ ...action, done: false }))
  // Only records decide whether an action is done, not comments.
  const states = await readActionStates(session, zone, openActions, null)
  const ids = openActions.flatMap(({ requestedAction }) =>
    requestedAction && 'id' in requestedAction ? [requestedAction.id] : []
  )
  const knownRecords = ids.length > 0 ? await session.findRecords(zone, ids) : []
  const knownIds = new Set(knownRecords.map(({ id }) => String(id)))
  const result: RequestAction[] = openActions.map((action, at) => {
    const { wish, isStale } = states[at]
    const isMissing = wish && 'id' in wish && isStale && !knownIds.has(String(wish.id))
    if (isMissing && wish.op === 'edit') {
      const skipReason = 'the record that it edits no longer exists'
      const { index } = indexed[at]
      const rrset = 'name' in action.base ? action.base : { name: zone.name, type: '' }
      throw new RRsetActionRefused(
        409,
        `Action ${index} cannot be updated: ${skipReason}`,
        rrset,
        skipReason
      )
    }
    const isDone = isMissing || (wish?.op === 'add' && isStale)
    return isDone ? { ...action, done: true } : action
  })
  // In one call: a request may have thousands of actions.
  const actionsToRebase = result.flatMap(({ done }, at) => {
    const { wish } = states[at]
    return wish && !done ? [{ at, wish }] : []
  })
  const requestedActions = actionsToRebase.map(({ wish }) => wish)
  const rebasedList = await addBaselines(write, zone, requestedActions, zoneTerms)
  actionsToRebase.forEach(({ at }, index) => Object.assign(result[at], rebasedList[index]))
  return result
}
