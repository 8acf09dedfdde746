import type { BackendZone, StoredRecord } from '#backends/contract/backend'
import { StateChanged } from '#changes/model/action_error'
import type { Condition, MetadataCondition, RecordAction } from '#changes/model/change_set'
import { yieldIfDue } from '#database/event_loop'
import { metadataTag, recordTag, rrsetTag, zoneTag, type TaggedZone } from '#changes/model/etags'
import { sameState } from '#changes/journal/net_changes'
import { rrsetKey } from '#changes/model/rrset_key'
import type { Metadata } from '#dns/metadata/metadata'
import type { RecordData, RecordId, RRset } from '#dns/types'
import { cleanComment } from '#dns/zonefile/index'

/** An object that is no longer what its writer believed; null is "is not there". */
export type CurrentObject =
  | { kind: 'zone'; tagged: TaggedZone }
  | { kind: 'rrset'; zone: BackendZone; rrset: RRset | null }
  | { kind: 'record'; zone: BackendZone; record: StoredRecord | null; isCommentAlone?: boolean }
  | { kind: 'metadata'; zone: BackendZone; name: string; values: string[] | null }

/** A condition of a change does not hold. Carries the object as it is now. Nothing was changed. */
export class PreconditionFailed extends Error {
  constructor(
    readonly condition: Condition,
    readonly current: CurrentObject,
    /** Whether who asked may see the object. */
    readonly isShown = true
  ) {
    super(reasonOf(condition))
  }
}

/** Throws `PreconditionFailed` unless the zone itself is as its writer believed. */
export function checkZoneCondition(condition: Condition | undefined, tagged: TaggedZone): void {
  require(condition, zoneTag(tagged), { kind: 'zone', tagged })
}

/**
 * Throws `PreconditionFailed` unless the comment of a record is the one that its writer knew, or the one that is wanted.
 *
 * @param found what stands beside the record now
 */
export function checkComment(
  zone: BackendZone,
  record: StoredRecord,
  found: string,
  { patch, commentWas: was, condition = { kind: 'present' } }: Extract<RecordAction, { op: 'edit' }>
): void {
  const isWished = patch.comment !== undefined && cleanComment(patch.comment) === found
  if (was !== undefined && was !== found && !isWished) {
    throw new PreconditionFailed(condition, { kind: 'record', zone, record, isCommentAlone: true })
  }
}

/** Throws `PreconditionFailed` unless a kind of metadata is as its writer believed. */
export function checkMetadataCondition(
  zone: BackendZone,
  metadata: Metadata,
  about: MetadataCondition | undefined
): void {
  if (about) {
    const { kind: name, condition } = about
    const values = metadata[name] ?? null
    const tag = values && metadataTag(name, values)
    require(condition, tag, { kind: 'metadata', zone, name, values })
  }
}

/**
 * Throws `PreconditionFailed` at the first action whose record or RRset is not as its writer believed, and
 * `StateChanged` at the first whose record or RRset is not what it starts from.
 *
 * @param before the RRsets that the actions touch, as they are at this instant
 */
export async function checkActionConditions(
  zone: BackendZone,
  before: RRset[],
  actions: RecordAction[]
): Promise<void> {
  const sets = new Map(before.map((set) => [`${set.name} ${set.type}`, set]))
  const recordOf = recordFinder(before)
  for (const action of actions) {
    const due = yieldIfDue()
    if (due) await due
    if (action.op === 'edit' && action.from) {
      const found = recordOf(action.id)
      if (!found || recordTag(found) !== recordTag(action.from)) throw new StateChanged(action.from)
    } else if ((action.op === 'set' || action.op === 'clear') && action.from !== undefined) {
      const { type, from } = action
      const name = action.name.replace(/\.$/, '')
      const found = sets.get(`${name} ${type}`) ?? null
      if (!sameState(found, from)) throw new StateChanged({ name, type })
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
    const due = yieldIfDue()
    if (due) await due
    if (action.op === 'edit' || action.op === 'delete') {
      const record = recordOf(action.id)
      require(action.condition, record && recordTag(record), { kind: 'record', zone, record })
    } else {
      const { name, type } = rrsetKey(zone, action.op === 'add' ? action.record : action)
      const rrset = sets.get(`${name} ${type}`) ?? null
      require(action.condition, rrset && tagOf(rrset), { kind: 'rrset', zone, rrset })
    }
  }
}

function require(
  condition: Condition | undefined,
  tag: string | null,
  current: CurrentObject
): void {
  const holds =
    condition === undefined ||
    (condition.kind === 'absent' && tag === null) ||
    (condition.kind === 'present' && tag !== null) ||
    (condition.kind === 'match' && tag !== null && condition.tags.includes(tag))
  if (!holds) {
    throw new PreconditionFailed(condition, current)
  }
}

/** Finds records by their ids. The index is made at the first search: most changes have no conditions. */
function recordFinder(before: RRset[]): (id: RecordId) => StoredRecord | null {
  let places: Map<string, [set: RRset, record: RecordData]> | undefined
  return (id) => {
    places ??= new Map(
      before.flatMap((set) => set.records.map((record) => [String(record.id), [set, record]]))
    )
    const place = places.get(String(id))
    if (!place) return null
    const [{ name, type, ttl }, record] = place
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
