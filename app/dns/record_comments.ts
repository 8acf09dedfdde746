import { inOrder, isEvenedAlone, recordKey, sameRRset } from '#dns/diff'
import type {
  CommentChange,
  RecordData,
  CommentText,
  RRset,
  RRsetChange,
  RRsetKey,
} from '#dns/types'

/** Comments on records, as part of changes of RRsets. A disabled record and its enabled twin count as one record. */

/** An RRset with changes of comments. */
export type RRsetCommentChanges = RRsetKey & Required<Pick<RRsetChange, 'comments'>>

type CommentedRecord = Pick<RecordData, 'content' | 'priority'>

/** Compares two comments. */
export function isSameComment(one: CommentText | null, other: CommentText | null): boolean {
  return textOf(one) === textOf(other)
}

/** Returns whether a change includes comments. */
export function hasCommentChanges<Change extends RRsetChange>(
  change: Change
): change is Change & RRsetCommentChanges {
  return change.comments !== undefined
}

/** Returns whether a change consists of comments only. */
export function changesCommentsOnly(change: RRsetChange): boolean {
  const { before, after, comments } = change
  const isSame = before !== null && after !== null && sameRRset(before, after)
  return comments !== undefined && isSame && !isEvenedAlone(change)
}

/** Merges changes of RRsets and of comments, by name, then type. */
export function withCommentChanges(
  changes: RRsetChange[],
  commentChanges: RRsetCommentChanges[],
  state: RRset[]
): RRsetChange[] {
  if (commentChanges.length === 0) {
    return changes
  }
  const stored = new Map(state.map((set) => [keyOf(set), set]))
  const known = new Map(changes.map((change) => [keyOf(change), change]))
  for (const { name, type, comments } of commentChanges) {
    const key = keyOf({ name, type })
    const set = stored.get(key) ?? null
    const change = known.get(key) ?? (set && { name, type, before: set, after: set })
    if (change) known.set(key, { ...change, comments })
  }
  return [...known.values()].sort(inOrder)
}

/** Combines consecutive changes of comments; undefined if they cancel out. */
export function joinedCommentChanges(
  type: string,
  first: CommentChange[] | undefined,
  second: CommentChange[] | undefined
): CommentChange[] | undefined {
  const joined = new Map((first ?? []).map((comment) => [recordKey(type, comment), comment]))
  for (const comment of second ?? []) {
    const key = recordKey(type, comment)
    const before = joined.get(key)?.before
    joined.set(key, before === undefined ? comment : { ...comment, before })
  }
  const differing = [...joined.values()].filter(
    ({ before, after }) => !isSameComment(before, after)
  )
  return differing.length > 0 ? differing : undefined
}

/** Reverses changes of comments. */
export function reversedCommentChanges(comments: CommentChange[]): CommentChange[] {
  return comments.map(({ before, after, ...record }) => ({
    ...record,
    before: after,
    after: before,
  }))
}

/** Returns a lookup of the comment change of a record; undefined for none. */
export function commentChangeFinder(
  type: string,
  comments: CommentChange[] | undefined
): (record: CommentedRecord) => CommentChange | undefined {
  const known = new Map((comments ?? []).map((comment) => [recordKey(type, comment), comment]))
  return (record) => known.get(recordKey(type, record))
}

/** Returns all lines of a comment; '' for none. */
export function linesOfComment(comment: CommentText | null): string {
  return comment ? [...comment.above, comment.inline].filter(Boolean).join('\n') : ''
}

function textOf(comment: CommentText | null): string {
  return JSON.stringify(comment && [comment.above, comment.inline])
}

function keyOf({ name, type }: RRsetKey): string {
  return `${name} ${type}`
}
