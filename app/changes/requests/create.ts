import { APPROVAL_NEEDED, approval } from '#access/approval'
import { record } from '#audit/record'
import type { BackendZone } from '#backends/contract/backend'
import type { ChangeContext } from '#changes/transaction/change_context'
import { momentNow } from '#changes/model/clock'
import type { ListedEdit, RecordAction, ZoneChangeSet, ZoneEdit } from '#changes/model/change_set'
import { basedNow, zoneDigest } from '#changes/requests/baseline'
import {
  recordValue,
  type ChangeRequest,
  type RequestAction,
  type RequestZone,
} from '#changes/model/change_request'
import { noteNews } from '#changes/requests/notifications'
import { insertRequest } from '#changes/requests/store'
import type { ZonePlan } from '#changes/model/zone_plan'
import { ensureZoneRow } from '#changes/zone_index/zone_rows'
import { storedMoment } from '#database/rows/timestamps'
import type { NoteChange, RRsetChange, RRsetKey } from '#dns/types'
import { forbidden, invalid } from '#exceptions/refusal'

/** What a request has beside its change set. */
export interface FilingTerms {
  applyAt?: string | null
  /** What somebody wrote about the wished records, by the index of the action. */
  notes?: ReadonlyMap<number, string>
}

/** The member `apply_at`, as moments are stored. Throws a 400 `Refusal` for what is none. */
export function applyAtFrom(text: string | undefined): string | null {
  const moment = text === undefined ? null : storedMoment(text)
  if (text !== undefined && moment === null) {
    throw invalid(
      `Field 'apply_at' must be a moment (ISO 8601), found ${JSON.stringify(text.slice(0, 100))}`
    )
  }
  return moment
}

/** Throws a 400 `Refusal` for a moment at which no request can be applied. */
export function checkTime(applyAt: string | null): void {
  if (applyAt === null) {
    return
  }
  if (!approval.settings.allow_scheduling) {
    throw invalid("Field 'apply_at' is not accepted here: approval.allow_scheduling is off")
  }
  if (applyAt <= momentNow()) {
    throw invalid(`Field 'apply_at' must be a moment to come, found "${applyAt}"`)
  }
}

/**
 * Stores a change set that is planned and was not made, with its base, in the transaction that holds the locks of its
 * zones. Throws a 403 `Refusal` for what no request can hold: a zone that is to be made.
 */
export async function fileRequest(
  context: ChangeContext,
  locked: Map<number, BackendZone>,
  plans: ZonePlan[],
  { applyAt = null, notes }: FilingTerms = {}
): Promise<ChangeRequest> {
  const { trx, set } = context
  const { actor, reason } = set.intent
  const parts = await baseOf(context, locked, set.zones, plans)
  const actions = parts.actions.map((action, index) => {
    const note = notes?.get(index)
    return note ? { ...action, note } : action
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
  await noteNews(trx, request, { what: 'filed', by: actor.userId })
  return request
}

/** Zones and actions of a change set with their base, as it is now. */
async function baseOf(
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
      throw forbidden(APPROVAL_NEEDED)
    }
    const { uid } = await ensureZoneRow(context.trx, zone, context.tally)
    const { serialBefore: baseSerial } = plans[index]
    const terms: RequestZone['terms'] = change.op === 'edit' ? termsOf(change, plans[index]) : {}
    zones.push({ id: zone.id, uid, name: zone.name, baseSerial, terms })
    if (change.op === 'delete') {
      const rrsets = plans[index].changes.flatMap(({ before }) => before ?? [])
      actions.push({ zone: index, wish: null, base: { kind: 'zone', digest: zoneDigest(rrsets) } })
    } else {
      const based = await basedNow(context, zone, wishesOf(change, plans[index]), terms)
      actions.push(...based.map((action) => ({ zone: index, ...action })))
    }
  }
  return { zones, actions }
}

function termsOf(change: ZoneEdit, { changes }: ZonePlan): RequestZone['terms'] {
  const { properties, propertiesFrom, stepSerial, restores, notes, template } = change
  const hasSoa = changes.some(({ type }) => type === 'SOA')
  const named = new Set(changes.map(({ name, type }) => `${name} ${type}`))
  const isNamed = ({ name, type }: RRsetKey) => named.has(`${name} ${type}`)
  return {
    ...(properties ? { properties, propertiesFrom } : {}),
    // A serial that was wished would be an old one by the time of the approval.
    ...(stepSerial || hasSoa ? { stepSerial: stepSerial || 'unless-newer' } : {}),
    ...(restores ? { restores } : {}),
    ...(template ? { template } : {}),
    ...(notes ? { notes: isAsWished(change) ? notes : notes.filter(isNamed) } : {}),
  }
}

/** What is wished, in words that do not depend on when: of what was worked out from the state, the difference. */
function wishesOf(change: ZoneEdit, { changes }: ZonePlan): RecordAction[] {
  if (isAsWished(change)) {
    return change.actions
  }
  const known = isKnown(change) ? { isKnown: true } : {}
  return changes.map((one) => differenceOf(one, { ...known, ...notesOf(one, known) }))
}

/** Whether a request has the very actions that were wished. */
function isAsWished(change: ZoneEdit): change is ListedEdit {
  return Array.isArray(change.actions) && !change.whole && !isKnown(change)
}

function isKnown({ actions }: ZoneEdit): boolean {
  return !Array.isArray(actions) || actions.some((action) => 'isKnown' in action)
}

/** What is written about records comes back with what the journal knows; other wishes say it themselves. */
function notesOf({ notes }: RRsetChange, known: { isKnown?: boolean }): { notes?: NoteChange[] } {
  return notes && known.isKnown ? { notes } : {}
}

function differenceOf({ name, type, after }: RRsetChange, known: object): RecordAction {
  const about = { name: `${name}.`, type, ...known }
  return after
    ? { op: 'set', ...about, ttl: after.ttl, records: after.records.map(recordValue) }
    : { op: 'clear', ...about }
}
