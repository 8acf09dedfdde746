import type { BackendZone, StoredRecord } from '#backends/contract/backend'
import { StateChanged, StateMismatch } from '#changes/model/action_error'
import type { Condition, MetadataCondition, RecordAction } from '#changes/model/change_set'
import { yieldIfDue } from '#database/event_loop'
import { metadataTag, recordTag, rrsetTag, zoneTag, type TaggedZone } from '#changes/model/etags'
import { isSameState } from '#changes/journal/net_changes'
import { keyOfInput } from '#changes/model/rrset_key'
import type { Metadata } from '#dns/metadata/metadata'
import type { RecordData, RecordId, RRset } from '#dns/types'
import { cleanComment } from '#dns/zonefile/index'

/** The current object of a failed precondition; null if it does not exist. */
export type CurrentObject =
  | { kind: 'zone'; tagged: TaggedZone }
  | { kind: 'rrset'; zone: BackendZone; rrset: RRset | null }
  | { kind: 'record'; zone: BackendZone; record: StoredRecord | null; isCommentAlone?: boolean }
  | { kind: 'metadata'; zone: BackendZone; name: string; values: string[] | null }

/** A precondition failed. Carries the current object. Nothing was changed. */
export class PreconditionFailed extends StateMismatch {
  constructor(
    readonly condition: Condition,
    readonly current: CurrentObject,
    /** Whether the actor may see the object. */
    readonly isShown = true
  ) {
    super(reasonOf(condition))
  }
}

/** Throws `PreconditionFailed` unless the condition on the zone holds. */
export function checkZoneCondition(condition: Condition | undefined, tagged: TaggedZone): void {
  requireCondition(condition, zoneTag(tagged), { kind: 'zone', tagged })
}

/**
 * Throws `PreconditionFailed` unless the comment on a record is the expected one or the new one.
 *
 * @param found the current comment
 */
export function checkComment(
  zone: BackendZone,
  record: StoredRecord,
  found: string,
  {
    patch,
    expectedComment: expectedComment,
    condition = { kind: 'present' },
  }: Extract<RecordAction, { op: 'edit' }>
): void {
  const isRequested = patch.comment !== undefined && cleanComment(patch.comment) === found
  if (expectedComment !== undefined && expectedComment !== found && !isRequested) {
    throw new PreconditionFailed(condition, { kind: 'record', zone, record, isCommentAlone: true })
  }
}

/** Throws `PreconditionFailed` unless the condition on a kind of metadata holds. */
export function checkMetadataCondition(
  zone: BackendZone,
  metadata: Metadata,
  about: MetadataCondition | undefined
): void {
  if (about) {
    const { kind: name, condition } = about
    const values = metadata[name] ?? null
    const tag = values && metadataTag(name, values)
    requireCondition(condition, tag, { kind: 'metadata', zone, name, values })
  }
}

/**
 * Checks the conditions and required states of actions.
 *
 * @param before the RRsets that the actions touch, in the current state
 * @throws PreconditionFailed at the first action whose condition does not hold
 * @throws StateChanged at the first action whose required state differs
 */
export async function checkActionConditions(
  zone: BackendZone,
  before: RRset[],
  actions: RecordAction[]
): Promise<void> {
  const sets = new Map(before.map((set) => [`${set.name} ${set.type}`, set]))
  const recordOf = recordFinder(before)
  for (const action of actions) {
    const pause = yieldIfDue()
    if (pause) await pause
    if (action.op === 'edit' && action.from) {
      const found = recordOf(action.id)
      if (!found || recordTag(found) !== recordTag(action.from)) throw new StateChanged(action.from)
    } else if ((action.op === 'set' || action.op === 'clear') && action.from !== undefined) {
      const { type, from } = action
      const name = action.name.replace(/\.$/, '')
      const found = sets.get(`${name} ${type}`) ?? null
      if (!isSameState(found, from)) throw new StateChanged({ name, type })
    }
  }
  // Many actions may be about one large RRset.
  const tags = new Map<RRset, string>()
  const tagOf = (rrset: RRset) => {
    const known = tags.get(rrset) ?? rrsetTag(rrset)
    tags.set(rrset, known)
    return known
  }
  for (const action of actions.filter(({ condition }) => condition !== undefined)) {
    const pause = yieldIfDue()
    if (pause) await pause
    if (action.op === 'edit' || action.op === 'delete') {
      const record = recordOf(action.id)
      requireCondition(action.condition, record && recordTag(record), {
        kind: 'record',
        zone,
        record,
      })
    } else {
      const { name, type } = keyOfInput(zone, action.op === 'add' ? action.record : action)
      const rrset = sets.get(`${name} ${type}`) ?? null
      requireCondition(action.condition, rrset && tagOf(rrset), { kind: 'rrset', zone, rrset })
    }
  }
}

function requireCondition(
  condition: Condition | undefined,
  tag: string | null,
  current: CurrentObject
): void {
  const isMet =
    condition === undefined ||
    (condition.kind === 'absent' && tag === null) ||
    (condition.kind === 'present' && tag !== null) ||
    (condition.kind === 'match' && tag !== null && condition.tags.includes(tag))
  if (!isMet) {
    throw new PreconditionFailed(condition, current)
  }
}

/** Finds records by id. The index is built at the first search: most changes have no conditions. */
function recordFinder(before: RRset[]): (id: RecordId) => StoredRecord | null {
  let index: Map<string, [set: RRset, record: RecordData]> | undefined
  return (id) => {
    index ??= new Map(
      before.flatMap((set) => set.records.map((record) => [String(record.id), [set, record]]))
    )
    const found = index.get(String(id))
    if (!found) return null
    const [{ name, type, ttl }, record] = found
    const { auth = true, ownTtl = ttl, ...data } = record
    return { name, type, ...data, ttl: ownTtl, id: record.id ?? id, auth }
  }
}

function reasonOf(condition: Condition): string {
  switch (condition.kind) {
    case 'absent':
      return 'Precondition failed: it exists already'
    case 'present':
      return 'Precondition failed: it does not exist'
    case 'match':
      return 'Precondition failed: it was changed in the meantime'
  }
}
