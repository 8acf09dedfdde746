import { canonicalRecord, recordType, type RecordInput } from '#dns/records/registry'
import { withSerial } from '#dns/rdata/soa'
import type { RecordData, RRset, RRsetKey } from '#dns/types'

/** Cause of a difference: a changed template, a changed zone, or both. */
export type DriftCause = 'template' | 'zone' | 'both'

/** Treatment of local changes: keep them, or overwrite them by the template. */
export type LocalChanges = 'keep' | 'overwrite'

/** An RRset that differs from the template. Null means that it does not exist. */
export interface TemplateDifference extends RRsetKey {
  cause: DriftCause
  template: RRset | null
  zone: RRset | null
  /** The RRset after a sync in each mode. */
  after: Record<LocalChanges, RRset | null>
}

/** RRsets of a zone and its template; all canonical, names absolute. */
export interface DriftInput {
  apex: string
  /** Current RRsets of the template. */
  wanted: RRset[]
  /** RRsets that the zone got from the template. */
  given: RRset[]
  /** RRsets of the zone, at least at all names of `wanted` and `given`. */
  current: RRset[]
}

/** An RRset in the three states. */
interface RRsetStates {
  key: RRsetKey
  wanted: RRset | null
  given: RRset | null
  current: RRset | null
}

/**
 * Returns the differences by name, then type. Compares only RRsets of the current or former
 * template; records that users added stay in every `after`.
 *
 * The SOA record is compared without its serial, and is never deleted.
 */
export function templateDrift(input: DriftInput): TemplateDifference[] {
  return rrsetStatesOf(input)
    .map((states) => differenceOf(input.apex, states))
    .filter((difference) => difference !== null)
}

/**
 * Returns the RRsets that count as template data after a sync: former template records that remain,
 * and new ones. Records that users wrote first do not count.
 */
export function linkedAfter(input: DriftInput, mode: LocalChanges): RRset[] {
  const differing = new Map(templateDrift(input).map((it) => [keyOf(it), it]))
  return rrsetStatesOf(input).flatMap(({ key, wanted, given, current }) => {
    const difference = differing.get(keyOf(key))
    if (difference && sameSet(difference.after[mode], current)) {
      return given ? [given] : []
    }
    const identify = identityIn(input.apex, key)
    const [linkedIds, presentIds] = [recordIdsOf(given, identify), recordIdsOf(current, identify)]
    const records = (wanted?.records ?? []).filter((record) => {
      const item = identify(record)
      return linkedIds.has(item) || !presentIds.has(item)
    })
    return wanted && records.length > 0 ? [{ ...wanted, records }] : []
  })
}

function differenceOf(apex: string, states: RRsetStates): TemplateDifference | null {
  const { key, wanted, current } = states
  const identify = identityIn(apex, key)
  const isLocal = changedInZone(states, identify)
  const isOwn = ownsSingle(states, identify)
  const overwritten = isOwn && key.type !== 'SOA' ? current : overwrite(states, identify)
  const isTemplates = changedInTemplate(states, identify)
  const merged = isLocal || isOwn ? current : overwritten
  if (sameSet(merged, current) && sameSet(overwritten, current) && !isOwn) {
    return null
  }
  const cause = sameSet(merged, current) ? (isLocal && isTemplates ? 'both' : 'zone') : 'template'
  return {
    ...key,
    cause,
    template: wanted,
    zone: current,
    after: { keep: merged, overwrite: overwritten },
  }
}

/** Returns whether a template record is missing, disabled, or has another TTL in the zone. */
function changedInZone({ given, current }: RRsetStates, identify: RecordIdentity): boolean {
  if (!given) {
    return false
  }
  const servedIds = new Set((current?.records ?? []).filter(isServed).map(identify))
  const isWhole = given.records.every((record) => servedIds.has(identify(record)))
  const isShared = hasUserRecords(current?.records ?? [], given, identify)
  return !isWhole || (!isShared && current?.ttl !== given.ttl)
}

/** Returns whether the RRset has records of users, who then decide the TTL. */
function hasUserRecords(
  records: RecordData[],
  given: RRset | null,
  identify: RecordIdentity
): boolean {
  const linkedIds = recordIdsOf(given, identify)
  return records.some((record) => !linkedIds.has(identify(record)))
}

function changedInTemplate({ wanted, given }: RRsetStates, identify: RecordIdentity): boolean {
  const [wantedIds, linkedIds] = [recordIdsOf(wanted, identify), recordIdsOf(given, identify)]
  const isSame =
    wantedIds.size === linkedIds.size && [...wantedIds].every((item) => linkedIds.has(item))
  return !isSame || wanted?.ttl !== given?.ttl
}

/** Returns whether a user's record occupies a type that allows only one record. */
function ownsSingle(
  { key, wanted, given, current }: RRsetStates,
  identify: RecordIdentity
): boolean {
  if (!wanted || given || !current || recordType(key.type)?.singleton !== true) {
    return false
  }
  const presentIds = recordIdsOf(current, identify)
  return !wanted.records.every((record) => presentIds.has(identify(record)))
}

/** Returns the RRset without deleted template records, and with all current ones. */
function overwrite(
  { key, wanted, given, current }: RRsetStates,
  identify: RecordIdentity
): RRset | null {
  const wantedIds = recordIdsOf(wanted, identify)
  const linkedIds = recordIdsOf(given, identify)
  const isSingle = recordType(key.type)?.singleton === true
  const replaces = isSingle && wanted !== null
  const remains = (item: string) => wantedIds.has(item) || (!replaces && !linkedIds.has(item))
  const remaining = (current?.records ?? [])
    .filter((record) => remains(identify(record)) || (key.type === 'SOA' && !wanted))
    .map((record) => (wantedIds.has(identify(record)) ? { ...record, disabled: false } : record))
  const presentIds = new Set(remaining.map(identify))
  const added = (wanted?.records ?? []).filter((record) => !presentIds.has(identify(record)))
  const records = [...remaining, ...added]
  if (records.length === 0) {
    return null
  }
  const isShared = hasUserRecords(remaining, given, identify)
  const isTemplates = wanted && (remaining.length === 0 || !isShared)
  const ttl = isTemplates ? wanted.ttl : current!.ttl
  return { ...key, ttl, records }
}

function rrsetStatesOf({ wanted, given, current }: DriftInput): RRsetStates[] {
  const [wantedSets, linkedSets, currentSets] = [wanted, given, current].map(
    (sets) => new Map(sets.map((set) => [keyOf(set), set]))
  )
  const keys = new Map(
    [...wanted, ...given].map(({ name, type }) => [`${name} ${type}`, { name, type }])
  )
  return [...keys]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([id, key]) => ({
      key,
      wanted: wantedSets.get(id) ?? null,
      given: linkedSets.get(id) ?? null,
      current: currentSets.get(id) ?? null,
    }))
}

/** Identifies a record within its RRset by canonical content, in whatever form it is stored. */
type RecordIdentity = (record: Pick<RecordData, 'content' | 'priority'>) => string

function identityIn(apex: string, { name, type }: RRsetKey): RecordIdentity {
  return ({ content, priority }) => {
    const form = canonicalForm({ name, type, apex, content, priority })
    return `${priority} ${type === 'SOA' ? withoutSerial(form) : form}`
  }
}

function canonicalForm(input: Omit<RecordInput, 'disabled'>): string {
  try {
    return canonicalRecord({ ...input, disabled: false }).content
  } catch {
    return input.content
  }
}

function withoutSerial(content: string): string {
  try {
    return withSerial(content, 0)
  } catch {
    return content
  }
}

function recordIdsOf(set: RRset | null, identify: RecordIdentity): Set<string> {
  return new Set((set?.records ?? []).map(identify))
}

function isServed({ disabled }: RecordData): boolean {
  return !disabled
}

function sameSet(one: RRset | null, other: RRset | null): boolean {
  const shape = (set: RRset | null) =>
    set &&
    JSON.stringify([
      set.ttl,
      set.records.map(({ content, priority, disabled }) => [content, priority, disabled]),
    ])
  return shape(one) === shape(other)
}

function keyOf({ name, type }: RRsetKey): string {
  return `${name} ${type}`
}
