import { isDeepStrictEqual } from 'node:util'
import type { ZoneProperties } from '#changes/model/zone_properties'
import type { JournalEntryDetail } from '#changes/model/journal_entry'
import { inOrder, sameRRset } from '#dns/diff'
import { sameValues, type Metadata } from '#dns/metadata/metadata'
import { isWithin } from '#dns/names'
import { joinedCommentChanges, reversedCommentChanges } from '#dns/record_comments'
import { serialOfSet, setAtSerial } from '#dns/rdata/soa'
import { finished, sortSteps } from '#dns/steps'
import type { RRset, RRsetChange, RRsetKey } from '#dns/types'

/** The sum of several entries of a journal. */
export interface NetChanges {
  /** RRsets that differ, under the apex after the entries; by name, then type. */
  changes: RRsetChange[]
  /** Properties that differ, before and after. */
  before: ZoneProperties
  after: ZoneProperties
}

/**
 * The sum of consecutive entries: for each RRset, its state before the first entry that changed it
 * and after the last. Names follow renames of the zone.
 *
 * @param entries the oldest first, without gaps
 * @param apex name of the zone after the last entry
 */
export function computeNetChanges(entries: JournalEntryDetail[], apex: string): NetChanges {
  return finished(netChangeSteps(entries, apex))
}

/** As `computeNetChanges`, one RRset per step. */
export function* netChangeSteps(
  entries: JournalEntryDetail[],
  apex: string
): Generator<undefined, NetChanges> {
  const changes = new Map<string, RRsetChange>()
  const before: ZoneProperties = {}
  const after: ZoneProperties = {}
  for (const entry of entries) {
    for (const change of entry.changes) {
      yield
      const renamed = renameChange(change, apexDuring(entry), apex)
      const key = `${renamed.name} ${renamed.type}`
      const known = changes.get(key)
      changes.set(key, known ? joinChanges(known, renamed) : renamed)
    }
    if (entry.zoneBefore && entry.zoneAfter) {
      const metadata = { ...entry.zoneBefore.metadata, ...before.metadata }
      Object.assign(before, { ...entry.zoneBefore, ...before, metadata })
      Object.assign(after, entry.zoneAfter, {
        metadata: { ...after.metadata, ...entry.zoneAfter.metadata },
      })
    }
  }
  const differing: RRsetChange[] = []
  for (const change of changes.values()) {
    yield
    if (change.comments || !isUnchanged(change)) differing.push(change)
  }
  removeEqualKinds(before.metadata ?? {}, after.metadata ?? {})
  for (const key of Object.keys(after) as (keyof ZoneProperties)[]) {
    if (isDeepStrictEqual(before[key], after[key])) {
      delete before[key]
      delete after[key]
    }
  }
  return { changes: yield* sortSteps(differing, inOrder), before, after }
}

/** The reverse of the changes. */
export function reverseChanges(changes: RRsetChange[]): RRsetChange[] {
  return changes.map(({ name, type, before, after, comments }) => ({
    name,
    type,
    before: after,
    after: before,
    ...(comments ? { comments: reversedCommentChanges(comments) } : {}),
  }))
}

/** Whether two states of an RRset are equal without the serial of an SOA record. */
export function isSameState(one: RRset | null, other: RRset | null): boolean {
  const [a, b] = [one, other].map((set) => set && withoutSerial(set))
  return a && b ? sameRRset(a, b) : a === b
}

/** An RRset under another apex. Contents stay, as in the rename of a zone. */
export function renameSet<Key extends RRsetKey>(set: Key, from: string, to: string): Key {
  const isInside = from !== to && isWithin(set.name, from)
  return isInside ? { ...set, name: set.name.slice(0, -from.length) + to } : set
}

/** The RRset with this serial, if it is a readable SOA. */
export function withSerial(set: RRset, serial: number | null): RRset {
  if (set.type !== 'SOA' || serial === null || serialOfSet(set) === null) {
    return set
  }
  return setAtSerial(set, serial)
}

/** The apex of the changes of an entry: a rename follows them. */
function apexDuring({ zoneBefore, zoneName }: JournalEntryDetail): string {
  return zoneBefore?.name ?? zoneName
}

function renameChange(change: RRsetChange, from: string, to: string): RRsetChange {
  const { before, after } = change
  return {
    ...renameSet(change, from, to),
    before: before && renameSet(before, from, to),
    after: after && renameSet(after, from, to),
  }
}

/** The sum of two consecutive changes of an RRset. */
function joinChanges({ comments: first, ...known }: RRsetChange, next: RRsetChange): RRsetChange {
  const comments = joinedCommentChanges(next.type, first, next.comments)
  return { ...known, after: next.after, ...(comments ? { comments } : {}) }
}

/** Removes the metadata kinds that are equal. */
function removeEqualKinds(before: Metadata, after: Metadata): void {
  for (const kind of Object.keys(after)) {
    if (sameValues(before[kind] ?? [], after[kind])) {
      delete before[kind]
      delete after[kind]
    }
  }
}

function isUnchanged({ before, after }: RRsetChange): boolean {
  return isSameState(before, after)
}

function withoutSerial(set: RRset): RRset {
  return withSerial(set, 0)
}
