import { inOrder, isEvenedAlone, recordKey, sameRRset } from '#dns/diff'
import type { NoteChange, RecordData, RecordNote, RRset, RRsetChange, RRsetKey } from '#dns/types'

/*
 * What people write about records, as part of the changes of their RRsets. A disabled record and its enabled twin are
 * one record here.
 */

/** An RRset with changes of comments. */
export type NotedSet = RRsetKey & Required<Pick<RRsetChange, 'notes'>>

type NotedRecord = Pick<RecordData, 'content' | 'priority'>

/** Compares two comments. */
export function sameNote(one: RecordNote | null, other: RecordNote | null): boolean {
  return textOf(one) === textOf(other)
}

/** Returns whether a change includes comments. */
export function isNoted<Change extends RRsetChange>(change: Change): change is Change & NotedSet {
  return change.notes !== undefined
}

/** Returns whether a change consists of comments only. */
export function isOfNotesAlone(change: RRsetChange): boolean {
  const { before, after, notes } = change
  const isSame = before !== null && after !== null && sameRRset(before, after)
  return notes !== undefined && isSame && !isEvenedAlone(change)
}

/** Merges changes of RRsets and of comments, by name, then type. */
export function withNotes(
  changes: RRsetChange[],
  noted: NotedSet[],
  state: RRset[]
): RRsetChange[] {
  if (noted.length === 0) {
    return changes
  }
  const stored = new Map(state.map((set) => [keyOf(set), set]))
  const known = new Map(changes.map((change) => [keyOf(change), change]))
  for (const { name, type, notes } of noted) {
    const key = keyOf({ name, type })
    const set = stored.get(key) ?? null
    const change = known.get(key) ?? (set && { name, type, before: set, after: set })
    if (change) known.set(key, { ...change, notes })
  }
  return [...known.values()].sort(inOrder)
}

/** Combines consecutive changes of comments; undefined if they cancel out. */
export function joinedNotes(
  type: string,
  first: NoteChange[] | undefined,
  second: NoteChange[] | undefined
): NoteChange[] | undefined {
  const joined = new Map((first ?? []).map((note) => [recordKey(type, note), note]))
  for (const note of second ?? []) {
    const key = recordKey(type, note)
    const before = joined.get(key)?.before
    joined.set(key, before === undefined ? note : { ...note, before })
  }
  const differing = [...joined.values()].filter(({ before, after }) => !sameNote(before, after))
  return differing.length > 0 ? differing : undefined
}

/** Reverses changes of comments. */
export function reversedNotes(notes: NoteChange[]): NoteChange[] {
  return notes.map(({ before, after, ...record }) => ({ ...record, before: after, after: before }))
}

/** Returns a lookup of the comment change of a record; undefined for none. */
export function notesOn(
  type: string,
  notes: NoteChange[] | undefined
): (record: NotedRecord) => NoteChange | undefined {
  const known = new Map((notes ?? []).map((note) => [recordKey(type, note), note]))
  return (record) => known.get(recordKey(type, record))
}

/** Returns all lines of a comment; '' for none. */
export function linesOfNote(note: RecordNote | null): string {
  return note ? [...note.above, note.beside].filter(Boolean).join('\n') : ''
}

function textOf(note: RecordNote | null): string {
  return JSON.stringify(note && [note.above, note.beside])
}

function keyOf({ name, type }: RRsetKey): string {
  return `${name} ${type}`
}
