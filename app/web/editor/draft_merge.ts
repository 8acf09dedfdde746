import { isDeepStrictEqual } from 'node:util'
import { recordTag } from '#changes/model/etags'
import { InvalidDns } from '#dns/errors'
import { ownerName, relativeName } from '#dns/names'
import { presentContent, recordType } from '#dns/records/registry'
import type { RecordData, RRset, RRsetKey } from '#dns/types'
import { cleanComment } from '#dns/zonefile/index'
import { shownRecordId } from '#transformers/record_id'
import { shownOwner } from '#web/page/display_name'
import type { ValidChange } from '#web/editor/zone_draft'

type Change = ValidChange

/** A record of one version in its display form; stored records have `id` and `tag`. */
export interface VersionRecord {
  id?: string
  tag?: string
  content: string
  priority: number
  ttl: number
  disabled: boolean
  /** The comment of the record; '' for none. */
  comment: string
}

/** An RRset of one version. */
export interface VersionSet {
  set: RRset | null
  /** The comment of a record; '' for none. */
  commentOn(record: RecordData): string
}

/** An RRset that changed since the draft was started. */
export interface Conflict extends RRsetKey {
  /** The name relative to the zone, in the form of input fields; `owner` is the form for display. */
  relative: string
  owner: string
  /** The records at the start of the draft, as far as known. */
  base: VersionRecord[]
  draftRecords: VersionRecord[]
  currentRecords: VersionRecord[]
  /** Whether both versions can be combined. */
  canMerge: boolean
  /** The changes of the draft to this RRset. */
  changes: Change[]
}

/** Returns the RRset of a change: of the existing record before the change, or of the new record. null for an invalid name. */
export function keyOfChange(
  change: Pick<Change, 'was' | 'name' | 'type'>,
  apex: string
): RRsetKey | null {
  const { name, type } = change.was ?? change
  try {
    return name === undefined || !type
      ? null
      : { name: ownerName(name, apex), type: type.toUpperCase() }
  } catch (error) {
    if (error instanceof InvalidDns) return null
    throw error
  }
}

/** The changes of a draft by RRset, as "name type". */
export function changesBySet(draft: Change[], apex: string): Map<string, Change[]> {
  const withValidName = draft.filter((change) => keyOfChange(change, apex) !== null)
  return Map.groupBy(withValidName, (change) => {
    const key = keyOfChange(change, apex)
    return `${key?.name} ${key?.type}`
  })
}

/**
 * Returns whether a change is outdated: its record changed since it was displayed, or its comment is neither the displayed nor
 * the requested one.
 */
export function isOutdated(changes: Change[], current: VersionSet): boolean {
  const recordsById = new Map(recordsOfVersion(current).map((record) => [record.id, record]))
  return changes.some(({ action, id, tag, was, comment }) => {
    if (action === 'create' || !was) return false
    const record = recordsById.get(id)
    const isOther =
      action === 'update' &&
      comment !== undefined &&
      ![was.comment ?? '', cleanComment(comment)].includes(record?.comment ?? '')
    return !tag || record?.tag !== tag || isOther
  })
}

/**
 * The versions of an RRset: of the draft and of other users.
 *
 * @param base the RRset at the start of the draft; undefined if unknown
 */
export function conflictOf(
  key: RRsetKey,
  apex: string,
  changes: Change[],
  { base, now }: { base: VersionSet | undefined; now: VersionSet }
): Conflict {
  const currentRecords = recordsOfVersion(now)
  const start = base === undefined ? assumedBase(changes, currentRecords) : recordsOfVersion(base)
  const draftRecords = draftRecordsOf(key, apex, changes, {
    base: start,
    currentRecords,
  })
  return {
    ...key,
    relative: relativeName(key.name, apex),
    owner: shownOwner(key.name, apex).text,
    base: start,
    draftRecords,
    currentRecords,
    canMerge:
      recordType(key.type)?.singleton !== true && !hasSameRecords(draftRecords, currentRecords),
    changes,
  }
}

/** Whether two versions differ in comments alone. */
function hasSameRecords(one: VersionRecord[], other: VersionRecord[]): boolean {
  const [a, b] = [one, other].map((side) => side.map(stateOf).sort())
  return isDeepStrictEqual(a, b)
}

function recordsOfVersion({ set, commentOn }: VersionSet): VersionRecord[] {
  if (!set) return []
  const { name, type, ttl } = set
  return set.records.map((record) => ({
    ...(record.id === undefined ? {} : { id: String(shownRecordId(record.id)) }),
    tag: recordTag({ name, type, ...record, ttl: record.ownTtl ?? ttl }),
    content: presentContent(type, record.content),
    priority: record.priority,
    ttl,
    disabled: record.disabled,
    comment: commentOn(record),
  }))
}

/**
 * The assumed base if the history has no base: the current records, and those of the draft as
 * displayed.
 */
function assumedBase(changes: Change[], currentRecords: VersionRecord[]): VersionRecord[] {
  const touched = new Set(changes.flatMap(({ id }) => id ?? []))
  const displayedRecords = changes.flatMap(({ was }) => (was ? [versionRecord(was)] : []))
  return [
    ...currentRecords.filter(({ id }) => id === undefined || !touched.has(id)),
    ...displayedRecords,
  ]
}

function versionRecord(record: {
  content?: string
  priority?: number | null
  ttl?: number
  disabled?: boolean
  comment?: string
}): VersionRecord {
  const { content = '', priority, ttl = 0, disabled = false, comment = '' } = record
  return { content, priority: priority ?? 0, ttl, disabled, comment }
}

/** The record that a change requests. */
export function requestedRecord(change: Change): VersionRecord {
  return versionRecord({ ...change.was, ...defined(change) })
}

function draftRecordsOf(
  key: RRsetKey,
  apex: string,
  changes: Change[],
  { base, currentRecords }: Pick<Conflict, 'base' | 'currentRecords'>
): VersionRecord[] {
  const replacedIdentities = new Set(
    changes.flatMap(({ was }) => (was ? [identityOf(versionRecord(was))] : []))
  )
  const remainingRecords = base.filter((record) => !replacedIdentities.has(identityOf(record)))
  const changedRecords = changes
    .filter((change) => change.action !== 'delete' && staysIn(key, apex, change))
    .map((change) => ({ ...requestedRecord(change), ...retainedComment(change, currentRecords) }))
  const ttl = changes.findLast((change) => change.ttl !== undefined)?.ttl
  return [...remainingRecords, ...changedRecords].map((record) => ({
    ...record,
    ttl: ttl ?? (record.ttl || (base.at(0)?.ttl ?? 0)),
  }))
}

/** The comment of other users, if the change has none. */
function retainedComment(
  { id, comment }: Change,
  currentRecords: VersionRecord[]
): { comment?: string } {
  const record = currentRecords.find((side) => side.id !== undefined && side.id === id)
  return comment === undefined && record ? { comment: record.comment } : {}
}

/** Whether the changed record stays in the RRset. */
export function staysIn(key: RRsetKey, apex: string, change: Change): boolean {
  const newKey = keyOfChange({ ...change, was: undefined, ...movedTo(change) }, apex)
  return newKey?.name === key.name && newKey.type === key.type
}

/** Returns name and type of the record after the change. */
function movedTo({ was, name, type }: Change): { name?: string; type?: string } {
  return { name: name ?? was?.name, type: type ?? was?.type }
}

/** The identity of a record: all members but TTL and the disabled flag. */
export function identityOf({ content, priority }: VersionRecord): string {
  return `${priority} ${content}`
}

/** Identifies a record with its disabled flag, without TTL. */
export function stateOf(record: VersionRecord): string {
  return `${record.disabled} ${identityOf(record)}`
}

/** Omits undefined members. */
export function defined<T extends object>(values: T): T {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as T
}
