import type { Actor } from '#access/actor'
import { authorize } from '#access/authorize'
import type { Reason } from '#access/decision'
import { loadZoneFacts } from '#access/ownership'
import type { BackendZone } from '#backends/contract/backend'
import type { ChangeSet, RecordAction, ZoneChangeSet } from '#changes/model/change_set'
import type { Intent } from '#changes/model/intent'
import type { ApprovedRequest } from '#changes/submit'
import { readActionStates, zoneDigest } from '#changes/requests/baseline'
import type { ChangeRequest } from '#changes/model/change_request'
import { loadBaselineComments } from '#changes/requests/comment_baseline'
import type { ZonePlan } from '#changes/model/zone_plan'
import type { ZoneWrite } from '#changes/transaction/zone_transaction'
import { forbidden, Refusal } from '#exceptions/refusal'
import { StaleRequest } from '#review/errors'
import { requireLinkAsFiled } from '#review/request_terms'
import { findRequestZoneIds } from '#review/request_zones'

/** Checks of an approved request, in the transaction that applies it. */
export interface ApprovalChecks {
  /** The author with current rights; null if that user is deactivated or deleted. */
  requester: Actor | null
  /** Called when the work begins; the work may be retried. */
  begin?(): void
  /** Claims the request for this transaction. Throws if another one has decided it. */
  claim(write: ZoneWrite): Promise<void>
}

/**
 * The change set of a request, with its baseline as the precondition. Its planning throws
 * `StaleRequest` if the baseline of an action does not hold, and a 409 `Refusal` for a missing zone
 * or an impossible template link.
 *
 * @param ids as `findRequestZoneIds` returns them
 */
export function buildApprovedSet(
  intent: Intent,
  request: ChangeRequest,
  ids: (number | null)[],
  terms?: ApprovalChecks
): [ChangeSet, ApprovedRequest] {
  const approved: ApprovedRequest = {
    zones(write, locked) {
      terms?.begin?.()
      return zoneChangeSetsNow(request, write, locked)
    },
    async settle(write, locked, plans) {
      if (terms) {
        await checkRequester(request, terms.requester, write, locked, plans)
        await checkReviewer(intent.actor, request, write, locked, plans)
        await terms.claim(write)
      }
    },
  }
  const zones: ZoneChangeSet[] = ids.flatMap((zoneId) =>
    zoneId === null ? [] : [{ op: 'edit' as const, zoneId, actions: [] }]
  )
  const origin = { kind: 'request' as const, id: String(request.id) }
  return [{ intent, origin, zones, isApproved: true }, approved]
}

/** The reason in the journal. */
export function journalReason(
  { id, requester, comment }: ChangeRequest,
  reviewComment: string | null
): string {
  const reason = comment || reviewComment
  const text = `Change request #${id} from ${requester.username}${reason ? `: ${reason}` : ''}`
  return [...text].slice(0, 1024).join('')
}

async function zoneChangeSetsNow(
  request: ChangeRequest,
  { session, trx }: ZoneWrite,
  locked: Map<number, BackendZone>
): Promise<ZoneChangeSet[]> {
  const ids = await findRequestZoneIds(request, trx)
  const staleIndexes: number[] = []
  const missingZones: string[] = []
  const zones: ZoneChangeSet[] = []
  for (const [position, { name, terms }] of request.zones.entries()) {
    const zone = locked.get(ids[position] ?? 0)
    const zoneActions = request.actions.flatMap((action, index) =>
      action.zone === position ? [{ action, index }] : []
    )
    if (!zone) {
      missingZones.push(name)
      staleIndexes.push(...zoneActions.map(({ index }) => index))
      continue
    }
    const deletion = zoneActions.find(({ action: { base } }) => base.kind === 'zone')
    if (deletion) {
      const { base } = deletion.action
      const digest = zoneDigest(await session.allRRsets(zone))
      if (base.kind === 'zone' && base.digest !== digest) staleIndexes.push(deletion.index)
      zones.push({ op: 'delete', zoneId: zone.id })
      continue
    }
    const requested = zoneActions.map(({ action }) => action)
    const comments = await loadBaselineComments(trx, zone, requested)
    const states = await readActionStates(session, zone, requested, comments)
    staleIndexes.push(
      ...zoneActions.filter((_, at) => states[at].isStale).map(({ index }) => index)
    )
    const actions: RecordAction[] = states.flatMap(({ wish }) => wish ?? [])
    zones.push({ op: 'edit', zoneId: zone.id, actions, ...terms })
  }
  if (staleIndexes.length > 0) {
    throw new StaleRequest(
      request,
      staleIndexes.sort((one, other) => one - other)
    )
  }
  // A missing zone without actions: for example, only its name was to change.
  if (missingZones.length > 0) {
    throw new Refusal(409, `The zone '${missingZones[0]}' no longer exists`)
  }
  for (const zone of request.zones) {
    await requireLinkAsFiled(trx, zone)
  }
  return zones
}

/** Requires that the author may still request the change. */
async function checkRequester(
  request: ChangeRequest,
  requester: Actor | null,
  { trx }: ZoneWrite,
  locked: Map<number, BackendZone>,
  plans: ZonePlan[]
): Promise<void> {
  const refuse = (message: string) =>
    forbidden(
      `The requester, ${request.requester.username}, can no longer request this: ${message}`
    )
  if (!requester) {
    throw refuse('the user is deactivated or deleted')
  }
  const isLinked = request.zones.some(({ terms }) => terms.template !== undefined)
  for (const plan of plans) {
    const zone = locked.get(plan.zoneId ?? 0)
    if (!zone) continue
    const facts = await loadZoneFacts(zone, trx)
    const decisions =
      request.kind === 'zone_delete'
        ? [authorize(requester, { action: 'zone.request_deletion', zone: facts })]
        : [
            ...(isLinked
              ? [authorize(requester, { action: 'zone.link_template', zone: facts })]
              : []),
            ...plan.changes.map(({ name, type }) =>
              authorize(requester, { action: 'rrset.write', zone: facts, name, type })
            ),
          ]
    const refused = decisions.find(({ allowed }) => !allowed)
    if (refused) {
      throw refuse(refused.reasons.map(({ message }) => message).join('; '))
    }
  }
}

/**
 * Requires that the reviewer has the rights to write. An approval satisfies policies of review, but
 * does not replace rights.
 */
async function checkReviewer(
  reviewer: Actor,
  { kind }: ChangeRequest,
  { trx }: ZoneWrite,
  locked: Map<number, BackendZone>,
  plans: ZonePlan[]
): Promise<void> {
  for (const plan of kind === 'zone_delete' ? [] : plans) {
    const zone = locked.get(plan.zoneId ?? 0)
    if (!zone) continue
    const facts = await loadZoneFacts(zone, trx)
    const reviewedChange = plan.changes.find(({ name, type }) => {
      const write = { action: 'rrset.write' as const, zone: facts, name, type }
      const { review, reasons } = authorize(reviewer, write)
      return review && reasons.some(isMissingRight)
    })
    if (reviewedChange) {
      throw forbidden(`You do not have permission to edit this record type: ${reviewedChange.type}`)
    }
  }
}

/** Whether review is required because of a missing right, not by a setting. */
function isMissingRight({ rule, source }: Reason): boolean {
  return rule === 'approval' && !source.startsWith('approval.')
}
