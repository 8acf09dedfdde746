import { withoutSerial } from '#dns/rdata/soa'
import { finished, sortSteps } from '#dns/steps'
import type { Operation, RecordData, RRset, RRsetChange, RRsetKey } from '#dns/types'

/** In a state, each RRset occurs once; an RRset without records counts as absent. */

/** Compares TTL and records of two RRsets, without order, ids and TTLs of single rows. */
export function sameRRset(a: RRset, b: RRset): boolean {
  return keyOf(a) === keyOf(b) && a.ttl === b.ttl && sameItems(recordsOf(a), recordsOf(b))
}

/**
 * Returns whether a change only sets one TTL for rows with different TTLs, which other programs
 * wrote (RFC 2181, 5.2).
 */
export function isEvenedAlone({ before, after }: Pick<RRsetChange, 'before' | 'after'>): boolean {
  return before !== null && after !== null && isEvened(before, after) && sameRRset(before, after)
}

/** Returns the changes between two states, by name, then type. */
export function diffRRsets(before: RRset[], after: RRset[]): RRsetChange[] {
  return finished(diffSteps(before, after))
}

/** As `diffRRsets`, in steps of one RRset. */
export function* diffSteps(before: RRset[], after: RRset[]): Generator<undefined, RRsetChange[]> {
  const old = yield* keySteps(before)
  const wanted = yield* keySteps(after)
  const changes: RRsetChange[] = []
  for (const [key, from] of old) {
    yield
    const { name, type } = from
    const to = wanted.get(key) ?? null
    const isSame = to && !isEvened(from, to) && sameRRset(from, to)
    if (!isSame) changes.push({ name, type, before: from, after: to })
  }
  for (const [key, to] of wanted) {
    yield
    const { name, type } = to
    if (!old.has(key)) changes.push({ name, type, before: null, after: to })
  }
  return yield* sortSteps(changes, inOrder)
}

/** Returns the state after the changes, by name, then type. Ignores `before`. */
export function applyChanges(state: RRset[], changes: RRsetChange[]): RRset[] {
  return finished(applySteps(state, changes))
}

/** As `applyChanges`, in steps of bounded length. */
export function* applySteps(state: RRset[], changes: RRsetChange[]): Generator<undefined, RRset[]> {
  const result = yield* keySteps(state)
  for (const change of changes) {
    yield
    result.delete(keyOf(change))
    if (change.after?.records.length) result.set(keyOf(change), change.after)
  }
  yield
  return yield* sortSteps([...result.values()], inOrder)
}

/**
 * Returns the operations for authorization. Records with the same id are the same record; otherwise
 * removed and added records pair up as updates. A new TTL updates every record that stays.
 */
export function operationsOf(change: RRsetChange): Operation[] {
  const { added, removed, isUpdated } = countsOf(change)
  const operations: Operation[] = []
  if (added > removed) operations.push('create')
  if (isUpdated || Math.min(added, removed) > 0 || changesRetainedComments(change)) {
    operations.push('update')
  }
  if (removed > added) operations.push('delete')
  return operations
}

/** Returns whether a change includes comments on records that stay. */
export function changesRetainedComments({ type, before, after, comments }: RRsetChange): boolean {
  if (!comments || !before || !after) {
    return false
  }
  const keysIn = ({ records }: RRset) => new Set(records.map((record) => recordKey(type, record)))
  const [old, wanted] = [keysIn(before), keysIn(after)]
  return comments
    .map((comment) => recordKey(type, comment))
    .some((key) => old.has(key) && wanted.has(key))
}

/**
 * Identifies a record within its RRset, enabled or not. Ignores the SOA serial, so that the record
 * stays when the serial changes.
 */
export function recordKey(
  type: string,
  { content, priority }: Pick<RecordData, 'content' | 'priority'>
): string {
  return `${priority} ${type === 'SOA' ? withoutSerial(content) : content}`
}

/** As `operationsOf`, but without pairs: added records are created, removed records deleted. */
export function operationsApart(change: RRsetChange): Operation[] {
  const { added, removed, isUpdated } = countsOf(change)
  const operations: Operation[] = []
  if (added > 0) operations.push('create')
  if (isUpdated) operations.push('update')
  if (removed > 0) operations.push('delete')
  return operations
}

function countsOf(change: RRsetChange) {
  const old = change.before?.records ?? []
  const wanted = change.after?.records ?? []
  const { updated, added, removed } = compareRecords(old, wanted)
  const staying = old.length - updated - removed
  const isOther = change.before?.ttl !== change.after?.ttl || isEvenedAlone(change)
  const retimed = staying > 0 && wanted.length > 0 && isOther
  return { added, removed, isUpdated: updated > 0 || retimed }
}

function isEvened(before: RRset, after: RRset): boolean {
  return isUneven(before) && !isUneven(after)
}

function isUneven({ records }: RRset): boolean {
  return records.some(({ ownTtl }) => ownTtl !== undefined)
}

function compareRecords(old: RecordData[], wanted: RecordData[]) {
  const byId = new Map(
    old.filter(({ id }) => id !== undefined).map((record) => [record.id, record])
  )
  const pairs = wanted.filter(({ id }) => id !== undefined && byId.has(id))
  const paired = new Set(pairs.map(({ id }) => id))
  const updated = pairs.filter((record) => itemOf(record) !== itemOf(byId.get(record.id)!)).length

  const left = countItems(old.filter(({ id }) => !paired.has(id)).map(itemOf))
  let added = 0
  for (const item of wanted.filter(({ id }) => !paired.has(id)).map(itemOf)) {
    const count = left.get(item) ?? 0
    if (count > 0) left.set(item, count - 1)
    else added++
  }
  const removed = [...left.values()].reduce((sum, count) => sum + count, 0)
  return { updated, added, removed }
}

function* keySteps(rrsets: RRset[]): Generator<undefined, Map<string, RRset>> {
  const sets = new Map<string, RRset>()
  for (const set of rrsets) {
    yield
    if (set.records.length > 0) sets.set(keyOf(set), set)
  }
  return sets
}

function keyOf({ name, type }: RRsetKey): string {
  return `${name} ${type}`
}

function itemOf({ content, priority, disabled }: RecordData): string {
  return `${priority} ${disabled} ${content}`
}

function recordsOf(rrset: RRset): string[] {
  return rrset.records.map(itemOf).sort()
}

function sameItems(a: string[], b: string[]): boolean {
  return a.length === b.length && a.every((item, index) => item === b[index])
}

function countItems(items: string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1)
  return counts
}

/** Compares by name, then type. */
export function inOrder(a: RRsetKey, b: RRsetKey): number {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1
  return a.type < b.type ? -1 : a.type > b.type ? 1 : 0
}
