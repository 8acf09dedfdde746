import { ActionErrors, collectGeneratorSteps, MAX_ACTION_ERRORS } from '#changes/model/action_error'
import type { RecordAction, RecordInput } from '#changes/model/change_set'
import { RecordPool } from '#changes/model/record_matcher'
import { keyOfInput, type Apex } from '#changes/model/rrset_key'
import { RRsetState, type RemovedRecord } from '#changes/planning/rrset_state'
import dns from '#config/dns'
import { ifValid, InvalidDns, InvalidRecords } from '#dns/errors'
import { isGenericData } from '#dns/records/generic_data'
import {
  canonicalRecord,
  isPriority,
  recordType,
  type RecordInput as CanonicalInput,
} from '#dns/records/registry'
import { ownerNameUnless } from '#dns/names'
import type { Violation } from '#dns/rules/violation'
import { shortTargetWarnings } from '#dns/names/short_targets'
import { finished } from '#dns/steps'
import { ttl } from '#dns/rdata/ttl'
import type { RecordData, RRset, RRsetKey } from '#dns/types'

/** The RRsets after actions, with warnings about their interpretation. */
export interface TargetRRsets {
  rrsets: RRset[]
  warnings: Violation[]
}

/**
 * The RRsets after the actions, which are applied in their order. The TTL of a written record
 * becomes the TTL of its RRset (RFC 2181, 5.2).
 */
export function computeTargetRRsets(zone: Apex, before: RRset[], actions: RecordAction[]): RRset[] {
  return finished(targetSteps(zone, before, actions)).rrsets
}

/**
 * As `computeTargetRRsets`, one action per step.
 *
 * @param collectedErrors refused actions, which are left out; without them, it throws the refusals it finds
 */
export function* targetSteps(
  zone: Apex,
  before: RRset[],
  actions: RecordAction[],
  collectedErrors?: ActionErrors
): Generator<undefined, TargetRRsets> {
  const errors = collectedErrors ?? new ActionErrors()
  const state = new RRsetState(zone)
  yield* state.load(before)
  yield* collectGeneratorSteps(actions, errors, (action) => applyAction(zone, state, action))
  if (!collectedErrors) errors.throwIfAny()
  return { rrsets: state.rrsets(), warnings: state.warnings }
}

function* applyAction(
  zone: Apex,
  state: RRsetState,
  action: RecordAction
): Generator<undefined, void> {
  switch (action.op) {
    case 'add':
      return applyAdd(zone, state, action)
    case 'edit':
      return applyEdit(zone, state, action)
    case 'delete':
      state.take(action.id)
      return
    case 'set':
      return yield* applySet(zone, state, action)
    case 'remove':
      return applyRemove(zone, state, action)
    case 'clear':
      state.takeAll(keyOfInput(zone, action))
  }
}

function applyEdit(zone: Apex, state: RRsetState, { id, patch }: Action<'edit'>): void {
  const stored = state.take(id)
  const [key, seconds, data] = applyPatch(zone, stored, patch)
  if (isUnchanged(stored, patch, [key, seconds, data])) return state.putBack(stored)
  state.add(key, seconds, data)
  if (data.content !== stored.record.content) warnOfRelativeTarget(zone, state, key, patch)
}

/**
 * Returns whether a patch repeats the stored record. Its RRset stays as it is then: other programs
 * store records of one RRset with different TTLs.
 */
function isUnchanged(
  { key: oldKey, ttl: seconds, record: oldRecord }: RemovedRecord,
  patch: Partial<RecordInput>,
  [key, newTtl, record]: KeyedRecord
): boolean {
  return (
    key.name === oldKey.name &&
    key.type === oldKey.type &&
    record.content === oldRecord.content &&
    record.priority === oldRecord.priority &&
    record.disabled === oldRecord.disabled &&
    (patch.ttl === undefined ? newTtl === seconds : patch.ttl === (oldRecord.ownTtl ?? seconds))
  )
}

function applyAdd(zone: Apex, state: RRsetState, { record, keepTtl }: Action<'add'>): void {
  const [key, data] = normaliseRecord(zone, record)
  const stored = state.ttlOf(key)
  const isKept = stored !== null && (keepTtl || record.ttl === stored)
  state.add(key, isKept ? stored : ttl(record.ttl), data)
  warnOfRelativeTarget(zone, state, key, record)
}

/** Warns if a target of one label was read as relative. */
function warnOfRelativeTarget(
  zone: Apex,
  state: RRsetState,
  key: RRsetKey,
  { content = '', isTyped = false }: Partial<RecordInput>
): void {
  if (isTyped) state.warnings.push(...shortTargetWarnings(zone.name, key, content))
}

/**
 * Replaces an RRset. Records that exist already stay as stored and are not validated again; nor are
 * records from the journal (`isKnown`).
 */
function* applySet(
  zone: Apex,
  state: RRsetState,
  action: Action<'set'>
): Generator<undefined, void> {
  const { isKnown } = action
  const key = keyOfInput(zone, action)
  const storedTtl = action.keepTtl ? state.ttlOf(key) : null
  const isSameTtl = isKnown || action.ttl === state.ttlOf(key)
  const seconds = storedTtl ?? (isSameTtl ? action.ttl : ttl(action.ttl))
  const before = state.takeAll(key)
  const stored = new RecordPool(zone, key, before)
  // The name of an existing RRset is not validated again.
  const known = before.length > 0 ? key.name : undefined
  const errorsByIndex = new Map<number, InvalidDns>()
  let isWritten = action.records.length === 0
  for (const [index, item] of action.records.entries()) {
    yield
    try {
      const storedRecord = stored.takeStored(item) ?? (isKnown ? undefined : stored.takeMatch(item))
      // Only a stored record has no content; other entries without one are ignored.
      if (!storedRecord && !isKnown && item.content === '') continue
      isWritten = true
      if (storedRecord?.content !== item.content) warnOfRelativeTarget(zone, state, key, item)
      const record = storedRecord
        ? { ...storedRecord, disabled: item.disabled }
        : isKnown
          ? { ...item }
          : normaliseRecord(zone, { ...item, ...withFinalDot(key) }, known)[1]
      state.add(key, seconds, record)
    } catch (error) {
      if (!(error instanceof InvalidDns)) throw error
      errorsByIndex.set(index, error)
      if (errorsByIndex.size >= MAX_ACTION_ERRORS) break
    }
  }
  const [first] = errorsByIndex.values()
  if (first) throw action.records.length > 1 ? new InvalidRecords(errorsByIndex) : first
  if (!isWritten) {
    throw new InvalidDns('content', '', `${key.type} content in at least one of the records`, {
      problem: 'is empty in each of them',
    })
  }
}

/**
 * Removes records from an RRset by content and priority; without a priority, of any. Missing
 * records are ignored.
 */
function applyRemove(zone: Apex, state: RRsetState, action: Action<'remove'>): void {
  const stored = state.poolOf(keyOfInput(zone, action))
  action.records.forEach((item) => stored?.takeAllMatches(item))
}

type Action<Op> = Extract<RecordAction, { op: Op }>

function withFinalDot({ name, type }: RRsetKey): RRsetKey {
  return { name: `${name}.`, type }
}

type KeyedRecord = [key: RRsetKey, ttl: number, record: RecordData]

/**
 * A stored record with a patch. Unchanged fields are not validated: a record that is invalid, or
 * has a type that cannot be written, can still be disabled.
 */
export function applyPatch(
  zone: Apex,
  stored: RemovedRecord,
  patch: Partial<RecordInput>
): KeyedRecord {
  const { key, record } = stored
  const name =
    patch.name === undefined ? key.name : ownerNameUnless(key.name, patch.name, zone.name)
  const type = (patch.type ?? key.type).toUpperCase()
  const content = patch.content ?? record.content
  const isTyped = patch.isTyped && content !== record.content
  const hasPriority = type === key.type || recordType(type)?.priority === true
  // Generic data (RFC 3597) contain their priority.
  const hasStoredPriority = hasPriority && (content === record.content || !isGenericData(content))
  const priority = patch.priority ?? (hasStoredPriority ? record.priority : 0)
  const disabled = patch.disabled ?? record.disabled
  const isSameData = type === key.type && content === record.content && priority === record.priority
  if (!isSameData || name !== key.name) {
    checkWritableType(type)
  }
  const input = { type, content, isTyped, priority, disabled, name, apex: zone.name }
  const data = isSameData ? { content, priority, disabled } : changedData(stored, input)
  const isSameTtl = [undefined, stored.ttl, record.ownTtl].includes(patch.ttl)
  const seconds = isSameTtl ? (patch.ttl ?? stored.ttl) : ttl(patch.ttl ?? stored.ttl)
  return [{ name, type }, seconds, { ...data, id: record.id }]
}

/** The changed record; a stored content or priority that stays is not validated. */
function changedData({ key, record }: RemovedRecord, input: CanonicalInput): RecordData {
  const { type, content, priority, disabled } = input
  if (type === key.type && content !== record.content && priority === record.priority) {
    const isStored = !isGenericData(content) && !isPriority(type, priority)
    return isStored
      ? { ...canonicalRecord({ ...input, priority: 0 }), priority }
      : canonicalRecord(input)
  }
  if (type !== key.type || content !== record.content) return canonicalRecord(input)
  const isValid = ifValid(() =>
    canonicalRecord({ ...input, isTyped: false, priority: record.priority })
  )
  if (isValid || !isPriority(type, priority)) return canonicalRecord(input)
  return { content, priority, disabled }
}

/**
 * Throws for types that only the name server writes, such as signatures, and for types that it does
 * not support.
 */
export function checkWritableType(word: string): void {
  const type = recordType(word)
  if (type?.writer === 'server') {
    throw new InvalidDns('type', word, 'a type that users can write', {
      problem: 'is written only by the name server',
    })
  }
  if (type?.since !== undefined && isNewer(type.since, dns.pdns_version)) {
    throw new InvalidDns('type', word, `a type that PowerDNS ${dns.pdns_version} serves`, {
      problem: `needs PowerDNS ${type.since} (setting dns.pdns_version)`,
    })
  }
}

function isNewer(version: string, other: string): boolean {
  const [major, minor] = version.split('.').map(Number)
  const [otherMajor, otherMinor] = other.split('.').map(Number)
  return major > otherMajor || (major === otherMajor && minor > otherMinor)
}

/** A record in canonical form; `stored` is a name that is not validated. */
function normaliseRecord(
  zone: Apex,
  input: Omit<RecordInput, 'ttl'>,
  stored = ''
): [key: RRsetKey, record: RecordData] {
  const name = ownerNameUnless(stored, input.name, zone.name)
  const { type, content, isTyped, priority, disabled } = input
  checkWritableType(type)
  const apex = zone.name
  const record = canonicalRecord({ type, content, isTyped, priority, disabled, name, apex })
  return [{ name, type: type.toUpperCase() }, record]
}
