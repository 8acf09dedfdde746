import { changedComments } from '#changes/planning/comments'
import { ZoneComments } from '#changes/comments/comment_store'
import { rrsetTag } from '#changes/model/etags'
import { recordKey } from '#dns/diff'
import { isSameComment } from '#dns/record_comments'
import { parseSoa, printSoa } from '#dns/rdata/soa'
import type { RecordData, RRset, RRsetChange, RRsetKey } from '#dns/types'
import { writeZoneFile, type RecordComment, type ZoneFileContents } from '#dns/zonefile/index'

type Contents = Pick<ZoneFileContents, 'rrsets' | 'comments'>

/** A zone in the base text, in the edited text, and now. */
export interface TextVersions {
  base: Contents
  edited: Contents
  current: Contents
}

/**
 * Merges an edited text with changes of others (three-way merge). An RRset is in conflict if both
 * sides changed it differently. A comment of others is in conflict if the text deletes its record
 * or changes the comment.
 *
 * @param apex name of the zone
 * @param sets RRsets that the text changes
 * @returns conflicts, from the current to the wanted state, and the merged comments of these RRsets
 */
export function mergedText(
  apex: string,
  sets: RRsetKey[],
  texts: TextVersions
): { conflicts: RRsetChange[]; comments: RecordComment[] } {
  const [baseSide, editedSide, currentSide] = [texts.base, texts.edited, texts.current].map(
    (text) => sideOf(apex, text)
  )
  const merged = editedSide.comments.copy()
  const conflicts = sets.flatMap(({ name, type }) => {
    const key = { name, type }
    const [before, edited, current] = [baseSide, editedSide, currentSide].map((side) =>
      side.find(key)
    )
    const editedKeys = new Set(edited?.records.map((record) => recordKey(type, record)))
    const commentsOf = (record: RecordData) =>
      [baseSide, editedSide, currentSide].map(({ comments }) => comments.commentOn(key, record))
    const changedByOthers = (current?.records ?? []).filter((record) => {
      const [old, wantedComment, is] = commentsOf(record)
      return !isSameComment(old, is) && !isSameComment(wantedComment, is)
    })
    const isUnchanged = (record: RecordData) => {
      const [old, wantedComment] = commentsOf(record)
      return editedKeys.has(recordKey(type, record)) && isSameComment(old, wantedComment)
    }
    changedByOthers
      .filter(isUnchanged)
      .forEach((one) => merged.setComment(key, one, currentSide.comments.commentOn(key, one)))
    const isMerged = sameSet(before, current) || sameSet(edited, current)
    if (isMerged && changedByOthers.every(isUnchanged)) {
      return []
    }
    const records = [...(current?.records ?? []), ...(edited?.records ?? [])]
    const comments = changedComments({ ...key, records }, currentSide.comments, merged)
    return [{ ...key, before: current, after: edited, comments }]
  })
  return { conflicts, comments: merged.commentsAmong(texts.edited.rrsets.filter(isAmong(sets))) }
}

/** Returns the current zone as text, with some RRsets of the edited text. */
export function rebased(
  apex: string,
  current: Contents,
  edited: Contents,
  editedSets: RRsetKey[]
): string {
  const isEdited = isAmong(editedSets)
  const pick = <One extends RRsetKey>(currentItems: One[], editedItems: One[]) => [
    ...currentItems.filter((one) => !isEdited(one)),
    ...editedItems.filter(isEdited),
  ]
  const rrsets = pick(current.rrsets, edited.rrsets)
  return [
    ...writeZoneFile({ apex, rrsets, comments: pick(current.comments, edited.comments) }),
  ].join('')
}

/** RRsets by `keyOf`. */
export function byKey(rrsets: RRset[]): Map<string, RRset> {
  return new Map(rrsets.map((set) => [keyOf(set), set]))
}

/** Map key of owner name and type. */
export function keyOf({ name, type }: RRsetKey): string {
  return `${name} ${type}`
}

/** Returns a predicate: whether something belongs to one of these RRsets. */
export function isAmong(sets: RRsetKey[]): (set: RRsetKey) => boolean {
  const keys = new Set(sets.map(keyOf))
  return (set) => keys.has(keyOf(set))
}

/** Indexes RRsets and comments of one side. */
function sideOf(apex: string, { rrsets, comments: commentList }: Contents) {
  const sets = byKey(rrsets)
  const comments = new ZoneComments(apex, [])
  for (const { above, inline, ...record } of commentList) {
    comments.setComment(record, record, { above, inline })
  }
  return { comments, find: (key: RRsetKey) => sets.get(keyOf(key)) ?? null }
}

/** Compares two states of an RRset, without the SOA serial. */
function sameSet(one: RRset | null, other: RRset | null): boolean {
  return one === null || other === null ? one === other : tagOf(one) === tagOf(other)
}

function tagOf(set: RRset): string {
  const records = set.records.map((record) =>
    set.type === 'SOA'
      ? { ...record, content: printSoa({ ...parseSoa(record.content), serial: 0 }) }
      : record
  )
  return rrsetTag({ ...set, records })
}
