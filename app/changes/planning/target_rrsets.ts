import { ActionErrors, collectedParts, MAX_ACTION_ERRORS } from '#changes/model/action_error'
import type { RecordAction, RecordInput } from '#changes/model/change_set'
import { RecordPool } from '#changes/model/record_matcher'
import { keyOfInput, type Apex } from '#changes/model/rrset_key'
import { RRsetState, type StoredInSet } from '#changes/planning/rrset_state'
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
export interface Desired {
  rrsets: RRset[]
  warnings: Violation[]
}

/**
 * The RRsets after the actions, which are applied in their order. The TTL of a written record
 * becomes the TTL of its RRset (RFC 2181, 5.2).
 */
export function desiredRRsets(zone: Apex, before: RRset[], actions: RecordAction[]): RRset[] {
  return finished(desiredSteps(zone, before, actions)).rrsets
}

/**
 * As `desiredRRsets`, one action per step.
 *
 * @param known refused actions, which are left out; without them, it throws the refusals it finds
 */
export function* desiredSteps(
  zone: Apex,
  before: RRset[],
  actions: RecordAction[],
  known?: ActionErrors
): Generator<undefined, Desired> {
  const errors = known ?? new ActionErrors()
  const state = new RRsetState(zone)
  yield* state.load(before)
  yield* collectedParts(actions, errors, (action) => carryOut(zone, state, action))
  if (!known) errors.throwIfAny()
  return { rrsets: state.rrsets(), warnings: state.warnings }
}

function* carryOut(
  zone: Apex,
  state: RRsetState,
  action: RecordAction
): Generator<undefined, void> {
  switch (action.op) {
    case 'add':
      return add(zone, state, action)
    case 'edit':
      return edit(zone, state, action)
    case 'delete':
      state.take(action.id)
      return
    case 'set':
      return yield* replace(zone, state, action)
    case 'remove':
      return remove(zone, state, action)
    case 'clear':
      state.takeAll(keyOfInput(zone, action))
  }
}

function edit(zone: Apex, state: RRsetState, { id, patch }: Action<'edit'>): void {
  const stored = state.take(id)
  const [key, seconds, data] = edited(zone, stored, patch)
  if (isUnchanged(stored, patch, [key, seconds, data])) return state.putBack(stored)
  state.add(key, seconds, data)
  if (data.content !== stored.record.content) warnOfTarget(zone, state, key, patch)
}

/**
 * Returns whether a patch repeats the stored record. Its RRset stays as it is then: other programs
 * store records of one RRset with different TTLs.
 */
function isUnchanged(
  { key: was, ttl: seconds, record: old }: StoredInSet,
  patch: Partial<RecordInput>,
  [key, wanted, record]: KeyedRecord
): boolean {
  return (
    key.name === was.name &&
    key.type === was.type &&
    record.content === old.content &&
    record.priority === old.priority &&
    record.disabled === old.disabled &&
    (patch.ttl === undefined ? wanted === seconds : patch.ttl === (old.ownTtl ?? seconds))
  )
}

function add(zone: Apex, state: RRsetState, { record, keepTtl }: Action<'add'>): void {
  const [key, data] = normalised(zone, record)
  const stored = state.ttlOf(key)
  const isKept = stored !== null && (keepTtl || record.ttl === stored)
  state.add(key, isKept ? stored : ttl(record.ttl), data)
  warnOfTarget(zone, state, key, record)
}

/** Warns if a target of one label was read as relative. */
function warnOfTarget(
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
function* replace(
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
  const wrong = new Map<number, InvalidDns>()
  let isWritten = action.records.length === 0
  for (const [index, item] of action.records.entries()) {
    yield
    try {
      const same = stored.takeEqual(item) ?? (isKnown ? undefined : stored.take(item))
      // Only a stored record has no content; other entries without one are ignored.
      if (!same && !isKnown && item.content === '') continue
      isWritten = true
      if (same?.content !== item.content) warnOfTarget(zone, state, key, item)
      const record = same
        ? { ...same, disabled: item.disabled }
        : isKnown
          ? { ...item }
          : normalised(zone, { ...item, ...absolute(key) }, known)[1]
      state.add(key, seconds, record)
    } catch (error) {
      if (!(error instanceof InvalidDns)) throw error
      wrong.set(index, error)
      if (wrong.size >= MAX_ACTION_ERRORS) break
    }
  }
  const [first] = wrong.values()
  if (first) throw action.records.length > 1 ? new InvalidRecords(wrong) : first
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
function remove(zone: Apex, state: RRsetState, action: Action<'remove'>): void {
  const stored = state.poolOf(keyOfInput(zone, action))
  action.records.forEach((item) => stored?.takeEvery(item))
}

type Action<Op> = Extract<RecordAction, { op: Op }>

function absolute({ name, type }: RRsetKey): RRsetKey {
  return { name: `${name}.`, type }
}

type KeyedRecord = [key: RRsetKey, ttl: number, record: RecordData]

/**
 * A stored record with a patch. Unchanged fields are not validated: a record that is invalid, or
 * has a type that cannot be written, can still be disabled.
 */
export function edited(zone: Apex, stored: StoredInSet, patch: Partial<RecordInput>): KeyedRecord {
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
    checkWriter(type)
  }
  const input = { type, content, isTyped, priority, disabled, name, apex: zone.name }
  const data = isSameData ? { content, priority, disabled } : changedData(stored, input)
  const isSameTtl = [undefined, stored.ttl, record.ownTtl].includes(patch.ttl)
  const seconds = isSameTtl ? (patch.ttl ?? stored.ttl) : ttl(patch.ttl ?? stored.ttl)
  return [{ name, type }, seconds, { ...data, id: record.id }]
}

/** The changed record; a stored content or priority that stays is not validated. */
function changedData({ key, record }: StoredInSet, input: CanonicalInput): RecordData {
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
export function checkWriter(word: string): void {
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
function normalised(
  zone: Apex,
  input: Omit<RecordInput, 'ttl'>,
  stored = ''
): [key: RRsetKey, record: RecordData] {
  const name = ownerNameUnless(stored, input.name, zone.name)
  const { type, content, isTyped, priority, disabled } = input
  checkWriter(type)
  const apex = zone.name
  const record = canonicalRecord({ type, content, isTyped, priority, disabled, name, apex })
  return [{ name, type: type.toUpperCase() }, record]
}
