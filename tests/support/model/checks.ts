import { isDeepStrictEqual } from 'node:util'
import {
  changesRecords,
  inOrder,
  type SetState,
  type State,
} from '#tests/support/faults/zone_history'
import type { ModelWrite, ModelZone, Step } from '#tests/support/model/model_write'
import {
  countOf,
  differencesBetween,
  withoutContent,
  withRecord,
  withSets,
  type ModelRecord,
  type SetName,
} from '#tests/support/model/state'

type Check = ModelWrite['check']
type Listed = { name: string; type: string; content: string }
type Requested = { set: SetName; ttl: number; record: ModelRecord }

const itself = (record: ModelRecord) => JSON.stringify(record)
const minus = (one: SetState | undefined, other: SetState | undefined) => {
  const existing = new Set(other?.records.map(itself))
  return (one?.records ?? []).filter((record) => !existing.has(itself(record)))
}

/** Compares the state after the step with the expected change of the state before. */
function becomes(next: (before: State, step: Step) => State): Check {
  return (_zone, step) => differencesBetween(step.after, next(step.before, step))
}

/** Checks that the RRset lost one record, gained one with the content for an update, and is otherwise unchanged. */
function oneRecord(set: SetName, content: string | null): Check {
  return (_zone, { before, after }) => {
    const removed = minus(before.get(set), after.get(set))
    const come = minus(after.get(set), before.get(set))
    const isSame = content !== null && removed.length === 0 && come.length === 0
    const others = differencesBetween(
      withSets(after, { [set]: null }),
      withSets(before, { [set]: null })
    )
    const expected = content === null ? [] : [content]
    const found = come.map((record) => record.content)
    const isRight = removed.length === 1 && isDeepStrictEqual(found, expected)
    return isRight || isSame ? others : [...others, `${set}: lost ${removed.length}, got ${found}`]
  }
}

/** Expected effect of each kind of write. */
export const checks = {
  create: (set: SetName, ttl: number, record: ModelRecord): Check =>
    becomes((before) => withRecord(before, set, ttl, record)),

  update: (set: SetName, content: string): Check => oneRecord(set, content),

  remove: (set: SetName): Check => oneRecord(set, null),

  sets: (wanted: (step: Step) => [SetName, SetState | null][]): Check =>
    becomes((before, step) => withSets(before, Object.fromEntries(wanted(step)))),

  clear:
    (set: SetName): Check =>
    (zone, step) => [
      ...(step.before.has(set) ? [] : [`${set} was not there`]),
      ...becomes((before) => withSets(before, { [set]: null }))(zone, step),
    ],

  /** A bulk request names records by ids. Their content may have changed since. */
  bulk:
    (added: Requested[], removed: Listed[]): Check =>
    (_zone, { before, after }) => {
      const missing = added.filter(
        ({ set, record }) => !after.get(set)?.records.some((it) => isDeepStrictEqual(it, record))
      )
      const expected = countOf(before) + added.length - removed.length
      return [
        ...missing.map(({ set, record }) => `${set} lacks ${record.content}`),
        ...(countOf(after) === expected ? [] : [`${countOf(after)} records, not ${expected}`]),
      ]
    },

  changes:
    (
      first: ModelZone,
      added: Requested,
      removed: Listed | null,
      [set, state]: [SetName, SetState]
    ): Check =>
    (zone, step) => {
      if (zone.id !== first.id) {
        return becomes((before) => withSets(before, { [set]: state }))(zone, step)
      }
      return becomes((before) => {
        const next = withRecord(before, added.set, added.ttl, added.record)
        return removed
          ? withoutContent(next, `${removed.name} ${removed.type}`, removed.content)
          : next
      })(zone, step)
    },

  undo:
    (entry: number, merge: boolean): Check =>
    (zone, step) => {
      // An undo always restores comments, even if other records of the RRset changed. Another check compares the stored
      // comments.
      const undone = step.entries[entry - 1].changes.filter(
        (change) => change.type !== 'SOA' && changesRecords(change)
      )
      const nameOf = (change: { name: string; type: string }): SetName =>
        `${change.name} ${change.type}`
      if (!merge) {
        const moved = undone.filter(
          (change) =>
            !isDeepStrictEqual(step.before.get(nameOf(change)) ?? null, change.after) &&
            !isDeepStrictEqual(step.before.get(nameOf(change)) ?? null, change.before)
        )
        const wanted = undone.map((change): [SetName, SetState | null] => [
          nameOf(change),
          change.before,
        ])
        return [
          ...moved.map((change) => `${nameOf(change)} was changed in between`),
          ...becomes((before) => withSets(before, Object.fromEntries(wanted)))(zone, step),
        ]
      }
      // The undo removes added records and restores removed ones. Records of other writers are unchanged.
      return undone.flatMap((change) => {
        const name = nameOf(change)
        const [old, added] = [change.before ?? undefined, change.after ?? undefined]
        const now = step.after.get(name)
        const left = minus(added, old).filter((record) =>
          now?.records.some((it) => itself(it) === itself(record))
        )
        const lost = minus(
          minus(old, added).length > 0 ? { ttl: 0, records: minus(old, added) } : undefined,
          now
        )
        return [...left, ...lost].map((record) => `${name}: ${record.content} was not taken back`)
      })
    },

  restore: (entry: number, set: SetName | null): Check =>
    becomes((before, { states }) => {
      const earlier = states[entry]
      return set === null ? earlier : withSets(before, { [set]: earlier.get(set) ?? null })
    }),

  /** Existing addresses stay unchanged with any TTL. New addresses get their own TTL. */
  addresses:
    (set: SetName, ttl: number, records: ModelRecord[]): Check =>
    (zone, step) => {
      const wanted = inOrder({ ttl, records })
      const isIdle =
        step.before === step.after &&
        isDeepStrictEqual(step.after.get(set)?.records, wanted.records)
      return isIdle ? [] : becomes((before) => withSets(before, { [set]: wanted }))(zone, step)
    },

  describe:
    (_description: string): Check =>
    (_zone, { before, after }) =>
      differencesBetween(after, before),
}
