import { inOrder, isEvenedAlone, recordKey, sameRRset } from '#dns/diff'
import type {
  CommentChange,
  RecordData,
  CommentText,
  RRset,
  RRsetChange,
  RRsetKey,
} from '#dns/types'

/*
 * What people write about records, as part of the changes of their RRsets. A disabled record and its enabled twin are
 * one record here.
 */

/** An RRset with changes of comments. */
export type RRsetCommentChanges = RRsetKey & Required<Pick<RRsetChange, 'notes'>>

type CommentedRecord = Pick<RecordData, 'content' | 'priority'>

/** Compares two comments. */
export function isSameComment(one: CommentText | null, other: CommentText | null): boolean {
  return textOf(one) === textOf(other)
}

/** Returns whether a change includes comments. */
export function hasCommentChanges<Change extends RRsetChange>(
  change: Change
): change is Change & RRsetCommentChanges {
  return change.notes !== undefined
}

/** Returns whether a change consists of comments only. */
export function changesCommentsOnly(change: RRsetChange): boolean {
  const { before, after, notes } = change
  const isSame = before !== null && after !== null && sameRRset(before, after)
  return notes !== undefined && isSame && !isEvenedAlone(change)
}

/** Merges changes of RRsets and of comments, by name, then type. */
export function withCommentChanges(
  changes: RRsetChange[],
  noted: RRsetCommentChanges[],
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
export function joinedCommentChanges(
  type: string,
  first: CommentChange[] | undefined,
  second: CommentChange[] | undefined
): CommentChange[] | undefined {
  const joined = new Map((first ?? []).map((note) => [recordKey(type, note), note]))
  for (const note of second ?? []) {
    const key = recordKey(type, note)
    const before = joined.get(key)?.before
    joined.set(key, before === undefined ? note : { ...note, before })
  }
  const differing = [...joined.values()].filter(
    ({ before, after }) => !isSameComment(before, after)
  )
  return differing.length > 0 ? differing : undefined
}

/** Reverses changes of comments. */
export function reversedCommentChanges(notes: CommentChange[]): CommentChange[] {
  return notes.map(({ before, after, ...record }) => ({ ...record, before: after, after: before }))
}

/** Returns a lookup of the comment change of a record; undefined for none. */
export function commentChangeFinder(
  type: string,
  notes: CommentChange[] | undefined
): (record: CommentedRecord) => CommentChange | undefined {
  const known = new Map((notes ?? []).map((note) => [recordKey(type, note), note]))
  return (record) => known.get(recordKey(type, record))
}

/** Returns all lines of a comment; '' for none. */
export function linesOfComment(note: CommentText | null): string {
  return note ? [...note.above, note.beside].filter(Boolean).join('\n') : ''
}

function textOf(note: CommentText | null): string {
  return JSON.stringify(note && [note.above, note.beside])
}

function keyOf({ name, type }: RRsetKey): string {
  return `${name} ${type}`
}
