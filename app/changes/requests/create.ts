import { APPROVAL_NEEDED_MESSAGE, approval } from '#access/approval'
import { record } from '#audit/record'
import type { BackendZone } from '#backends/contract/backend'
import type { ChangeContext } from '#changes/transaction/change_context'
import { timestampNow } from '#changes/model/clock'
import type { ListedEdit, RecordAction, ZoneChangeSet, ZoneEdit } from '#changes/model/change_set'
import { addBaselines, zoneDigest } from '#changes/requests/baseline'
import {
  recordValue,
  type ChangeRequest,
  type RequestAction,
  type RequestZone,
} from '#changes/model/change_request'
import { enqueueNotification } from '#changes/requests/notifications'
import { insertRequest } from '#changes/requests/store'
import type { ZonePlan } from '#changes/model/zone_plan'
import { ensureZoneRow } from '#changes/zone_index/zone_rows'
import { storedTimestamp } from '#database/rows/timestamps'
import type { CommentChange, RRsetChange, RRsetKey } from '#dns/types'
import { forbidden, invalid } from '#exceptions/refusal'

/** Parts of a request in addition to its change set. */
export interface FilingParts {
  applyAt?: string | null
  /** Requested comments on the records of actions, by index of the action. */
  comments?: ReadonlyMap<number, string>
}

/** The member `apply_at` as a stored timestamp. Throws a 400 `Refusal` for an invalid one. */
export function parseApplyAt(text: string | undefined): string | null {
  const time = text === undefined ? null : storedTimestamp(text)
  if (text !== undefined && time === null) {
    throw invalid(
      `Field 'apply_at' must be a time (ISO 8601), found ${JSON.stringify(text.slice(0, 100))}`
    )
  }
  return time
}

/** Throws a 400 `Refusal` for a time at which no request can be applied. */
export function checkApplyAt(applyAt: string | null): void {
  if (applyAt === null) {
    return
  }
  if (!approval.settings.allow_scheduling) {
    throw invalid("Field 'apply_at' is not accepted: the setting approval.allow_scheduling is off")
  }
  if (applyAt <= timestampNow()) {
    throw invalid(`Field 'apply_at' must be a time in the future, found "${applyAt}"`)
  }
}

/**
 * Stores a planned change set with its baseline as a request, in the transaction that holds the
 * locks of its zones. Throws a 403 `Refusal` for a new zone, which no request can contain.
 */
export async function fileRequest(
  context: ChangeContext,
  locked: Map<number, BackendZone>,
  plans: ZonePlan[],
  { applyAt = null, comments }: FilingParts = {}
): Promise<ChangeRequest> {
  const { trx, set } = context
  const { actor, reason } = set.intent
  const parts = await readBaseline(context, locked, set.zones, plans)
  const actions = parts.actions.map((action, index) => {
    const comment = comments?.get(index)
    return comment ? { ...action, comment } : action
  })
  const request = await insertRequest(trx, {
    kind: set.zones.some(({ op }) => op === 'delete') ? 'zone_delete' : 'records',
    requester: { id: actor.userId, username: actor.username },
    comment: reason,
    applyAt,
    zones: parts.zones,
    actions,
  })
  const [{ id, name }] = request.zones
  await record(trx, actor, {
    action: 'request.filed',
    object: { kind: 'zone', id, name },
    detail: { request: request.id, kind: request.kind, actions: actions.length },
  })
  await enqueueNotification(trx, request, { what: 'filed', by: actor.userId })
  return request
}

/** Zones and actions of a change set with their current baseline. */
async function readBaseline(
  context: ChangeContext,
  locked: Map<number, BackendZone>,
  changes: ZoneChangeSet[],
  plans: ZonePlan[]
): Promise<Pick<ChangeRequest, 'zones' | 'actions'>> {
  const zones: RequestZone[] = []
  const actions: RequestAction[] = []
  for (const [index, change] of changes.entries()) {
    const zone = change.op === 'create' ? undefined : locked.get(change.zoneId)
    if (change.op === 'create' || !zone) {
      throw forbidden(APPROVAL_NEEDED_MESSAGE)
    }
    const { uid } = await ensureZoneRow(context.trx, zone, context.countChange)
    const { serialBefore: baseSerial } = plans[index]
    const terms: RequestZone['terms'] =
      change.op === 'edit' ? zonePartsOf(change, plans[index]) : {}
    zones.push({ id: zone.id, uid, name: zone.name, baseSerial, terms })
    if (change.op === 'delete') {
      const rrsets = plans[index].changes.flatMap(({ before }) => before ?? [])
      actions.push({
        zone: index,
        requestedAction: null,
        base: { kind: 'zone', digest: zoneDigest(rrsets) },
      })
    } else {
      const withBaselines = await addBaselines(
        context,
        zone,
        requestedActionsOf(change, plans[index]),
        terms
      )
      actions.push(...withBaselines.map((action) => ({ zone: index, ...action })))
    }
  }
  return { zones, actions }
}

function zonePartsOf(change: ZoneEdit, { changes }: ZonePlan): RequestZone['terms'] {
  const { properties, propertiesFrom, continuesSerial, restores, comments, template } = change
  const hasSoa = changes.some(({ type }) => type === 'SOA')
  const named = new Set(changes.map(({ name, type }) => `${name} ${type}`))
  const isNamed = ({ name, type }: RRsetKey) => named.has(`${name} ${type}`)
  return {
    ...(properties ? { properties, propertiesFrom } : {}),
    // A requested serial would be outdated at the time of the approval.
    ...(continuesSerial || hasSoa ? { continuesSerial: continuesSerial || 'unless-newer' } : {}),
    ...(restores ? { restores } : {}),
    ...(template ? { template } : {}),
    ...(comments ? { comments: isUnchanged(change) ? comments : comments.filter(isNamed) } : {}),
  }
}

/**
 * The requested actions, independent of the time; of actions computed from the state, the
 * difference.
 */
function requestedActionsOf(change: ZoneEdit, { changes }: ZonePlan): RecordAction[] {
  if (isUnchanged(change)) {
    return change.actions
  }
  const journalOptions = isKnown(change) ? { isKnown: true } : {}
  return changes.map((one) =>
    actionForDifference(one, { ...journalOptions, ...commentsOf(one, journalOptions) })
  )
}

/** Whether the request contains the actions of the change set unchanged. */
function isUnchanged(change: ZoneEdit): change is ListedEdit {
  return Array.isArray(change.actions) && !change.isCompleteZone && !isKnown(change)
}

function isKnown({ actions }: ZoneEdit): boolean {
  return !Array.isArray(actions) || actions.some((action) => 'isKnown' in action)
}

/** Actions from the journal carry the comments; other actions contain them already. */
function commentsOf(
  { comments }: RRsetChange,
  journalOptions: { isKnown?: boolean }
): { comments?: CommentChange[] } {
  return comments && journalOptions.isKnown ? { comments } : {}
}

function actionForDifference(
  { name, type, after }: RRsetChange,
  journalOptions: object
): RecordAction {
  const setKey = { name: `${name}.`, type, ...journalOptions }
  return after
    ? { op: 'set', ...setKey, ttl: after.ttl, records: after.records.map(recordValue) }
    : { op: 'clear', ...setKey }
}
