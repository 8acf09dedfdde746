import { zoneTag } from '#changes/model/etags'
import { serialIsNewer } from '#dns/rdata/serial'
import { isSuccess } from '#tests/support/faults/api_calls'
import {
  changesRecords,
  entriesOf,
  type JournalEntry,
  type State,
} from '#tests/support/faults/zone_history'
import type { Belief, ModelWrite, ModelZone } from '#tests/support/model/model_write'
import { tagOfSet, tagsOfRecords, withSets } from '#tests/support/model/state'

/** The journal of a zone and its states. */
export interface Chronicle {
  zone: ModelZone
  entries: JournalEntry[]
  /** State after each entry. Index 0 is the state before the first. */
  states: State[]
  descriptions: (string | null)[]
}

const ALLOWED = [400, 404, 409, 412]

export async function chronicleOf(zone: ModelZone): Promise<Chronicle> {
  const entries = await entriesOf(zone.id)
  const states: State[] = [new Map()]
  const descriptions: (string | null)[] = [null]
  for (const { changes, zoneAfter } of entries) {
    const sets = changes.map(({ name, type, after }) => [`${name} ${type}`, after])
    states.push(withSets(states.at(-1)!, Object.fromEntries(sets)))
    const { description = descriptions.at(-1)! } = zoneAfter ?? {}
    descriptions.push(description)
  }
  return { zone, entries, states, descriptions }
}

/** Returns contradictions between responses, journal and the rules of DNS; empty for none. */
export function contradictions(chronicles: Chronicle[], writes: ModelWrite[]): string[] {
  const applied = writes
    .filter(({ answer }) => !isSuccess(answer) && !ALLOWED.includes(answer.status ?? 0))
    .map(({ kind, answer }) => `${kind} answered ${answer.status}: ${answer.text}`)
  const perZone = chronicles.flatMap((chronicle) => {
    const mine = writes.filter(({ zones }) => zones.some(({ id }) => id === chronicle.zone.id))
    return [
      ...ofSerials(chronicle),
      ...ofAliases(chronicle),
      ...ofOrder(chronicle, mine),
      ...mine.flatMap((write) => ofWrite(chronicle, write)),
    ].map((problem) => `${chronicle.zone.name}: ${problem}`)
  })
  return [...applied, ...perZone, ...ofSharedOrder(chronicles)]
}

function ofSerials({ entries }: Chronicle): string[] {
  return entries.flatMap(({ entry, changes, serialBefore, serialAfter }) =>
    serialBefore === null ||
    !changes.some(changesRecords) ||
    serialIsNewer(serialAfter!, serialBefore)
      ? []
      : [`entry ${entry}: serial ${serialBefore} became ${serialAfter}`]
  )
}

/** A CNAME is the only RRset at its name (RFC 1034, section 3.6.2), after every entry. */
function ofAliases({ states }: Chronicle): string[] {
  return states.flatMap((state, entry) => {
    const names = [...state.keys()].map((key) => key.split(' '))
    const aliases = names.filter(([, type]) => type === 'CNAME').map(([name]) => name)
    const shared = aliases.filter((name) => names.filter(([other]) => other === name).length > 1)
    return shared.map((name) => `entry ${entry}: ${name} is an alias and more`)
  })
}

/** A write that was answered before another was sent has the earlier entry. */
function ofOrder({ entries }: Chronicle, writes: ModelWrite[]): string[] {
  const byLabel = new Map(writes.map((write) => [write.label, write]))
  let newest = 0
  return entries.flatMap(({ entry, reason }) => {
    const write = byLabel.get(reason ?? '')
    if (!write) {
      return reason === null && entry === 1 ? [] : [`entry ${entry} (${reason}) is nobody's`]
    }
    const isLate = write.answeredAt < newest
    newest = Math.max(newest, write.sentAt)
    return isLate ? [`entry ${entry} was answered before an entry before it was asked for`] : []
  })
}

function ofWrite(chronicle: Chronicle, write: ModelWrite): string[] {
  const { entries, states } = chronicle
  const { label, kind, answer, dryRun, beliefs } = write
  const describe = (text: string) => `${kind} ${label} (${answer.status}): ${text}`
  const mine = entries.filter(({ reason }) => reason === label)
  const own = beliefs.filter(({ zone }) => zone.id === chronicle.zone.id)
  if (!isSuccess(answer) || dryRun) {
    const spurious = answer.status === 412 && own.length > 0 && isSpurious(chronicle, write, own)
    return [
      ...mine.map(({ entry }) => describe(`entry ${entry} is there all the same`)),
      ...(spurious ? [describe('nothing had changed')] : []),
    ]
  }
  if (mine.length > 1) {
    return [describe(`${mine.length} entries`)]
  }
  if (mine.length === 0) {
    const isIdle = windowOf(chronicle, write).some((index) => {
      const state = states[index]
      const step = { before: state, after: state, states, entries }
      return write.check(chronicle.zone, step).length === 0
    })
    return isIdle ? [] : [describe('no entry, though there was something to change')]
  }
  const [{ entry }] = mine
  const step = { before: states[entry - 1], after: states[entry], states, entries }
  return [
    ...write.check(chronicle.zone, step),
    ...own.flatMap((belief) =>
      holds(chronicle, belief, entry - 1)
        ? []
        : [`was based on a state that was gone (${belief.of})`]
    ),
  ].map((problem) => describe(`entry ${entry}: ${problem}`))
}

/** Returns true if the object had the tag after this entry. */
function holds({ zone, states, descriptions }: Chronicle, belief: Belief, entry: number): boolean {
  const { of, set, tag } = belief
  if (of === 'zone') {
    const plain = { ...zone, kind: 'MASTER' as const, masters: [], account: null }
    return zoneTag({ zone: plain, description: descriptions[entry], lastEntry: entry }) === tag
  }
  const state = states[entry]
  return of === 'rrset' ? tagOfSet(state, set!) === tag : tagsOfRecords(state, set!).includes(tag)
}

/** Returns true if the assumptions of the write were true during its whole request. */
function isSpurious(chronicle: Chronicle, write: ModelWrite, beliefs: Belief[]): boolean {
  const times = windowOf(chronicle, write)
  return (
    write.zones.length === 1 &&
    beliefs.every((belief) => times.every((entry) => holds(chronicle, belief, entry)))
  )
}

const windows = new WeakMap<Chronicle, { entry: number; from: number; to: number }[]>()

/** Returns the numbers of the entries after which a write may have read the zone. */
function windowOf(chronicle: Chronicle, { sentAt, answeredAt }: ModelWrite): number[] {
  const times = windows.get(chronicle) ?? []
  const before = times.filter(({ to }) => to < sentAt).map(({ entry }) => entry)
  const after = times.filter(({ from }) => from > answeredAt).map(({ entry }) => entry)
  const first = Math.max(1, ...before)
  const last = Math.min(chronicle.entries.length, ...after.map((entry) => entry - 1))
  return Array.from({ length: last - first + 1 }, (_, index) => first + index)
}

/** Sets the time of each entry as far as its writer knows it. */
export function timeEntries(chronicle: Chronicle, writes: ModelWrite[]): void {
  const byLabel = new Map(writes.map((write) => [write.label, write]))
  const times = chronicle.entries.flatMap(({ entry, reason }) => {
    const write = byLabel.get(reason ?? '')
    return write ? [{ entry, from: write.sentAt, to: write.answeredAt }] : []
  })
  windows.set(chronicle, times)
}

/** Changes over two zones have the same order in both journals. */
function ofSharedOrder(chronicles: Chronicle[]): string[] {
  const labels = chronicles.map(({ entries }) => entries.flatMap(({ reason }) => reason ?? []))
  return labels.flatMap((one, i) =>
    labels.slice(i + 1).flatMap((other, j) => {
      const otherLabels = new Set(other)
      const here = new Set(one)
      const mine = one.filter((label) => otherLabels.has(label))
      const theirs = other.filter((label) => here.has(label))
      const at = mine.findIndex((label, index) => label !== theirs[index])
      return at < 0 ? [] : [`zones ${i} and ${i + 1 + j}: ${mine[at]} in another order`]
    })
  )
}
