import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { BackendZone } from '#backends/contract/backend'
import type { CommentInput, RecordAction } from '#changes/model/change_set'
import { StateChanged } from '#changes/model/action_error'
import { checkComment } from '#changes/planning/preconditions'
import { findRequestedComments, type WrittenComment } from '#changes/planning/requested_comments'
import { loadCommentsAt, type ZoneComments } from '#changes/comments/comment_store'
import { keyOfInput } from '#changes/model/rrset_key'
import type { ZoneReader } from '#changes/model/zone_reader'
import { flatMapYielding, runYielding, mapYielding, yieldIfDue } from '#database/event_loop'
import { recordKey } from '#dns/diff'
import { isSameComment, type RRsetCommentChanges } from '#dns/record_comments'
import type { CommentChange, RecordData, RRset, RRsetKey } from '#dns/types'
import { cleanComment, type RecordComment } from '#dns/zonefile/index'

/** Requested comments on the records of one zone. */
export interface CommentPlanInput {
  actions: RecordAction[]
  /** All comments of RRsets; absent if only single records get comments. */
  all?: CompleteComments
}

interface CompleteComments {
  comments: RecordComment[]
  /** These RRsets; `isWhole` if they are the whole zone. */
  rrsets: RRsetKey[]
  isWhole: boolean
  /** Comments on other RRsets stay. */
  canWrite(set: RRsetKey): boolean
}

/**
 * Plans changes of comments, on records that exist before or after the change. Comments on other
 * records stay stored, in case those records are created again. Runs before records are written and
 * after their actions were planned.
 *
 * @param state the RRsets that the actions touch, before and after
 * @throws StateChanged if the comment that an action restores has changed
 * @throws PreconditionFailed if a comment is not the expected one
 */
export async function planComments(
  reader: Pick<ZoneReader, 'findRecords'>,
  trx: QueryClientContract,
  zone: BackendZone,
  state: { before: RRset[]; after: RRset[] },
  { actions, all }: CommentPlanInput
): Promise<RRsetCommentChanges[]> {
  const { comments, expectations } = await findRequestedComments(reader, zone, actions)
  const fromJournal = await flatMapYielding(actions, (action) => journalComments(zone, action))
  const sources = comments.flatMap(({ from }) => from ?? [])
  const affected = [
    ...comments,
    ...sources,
    ...fromJournal.map(({ key }) => key),
    ...expectations.map(({ record }) => record),
    ...(all?.rrsets ?? []),
  ]
  if (affected.length === 0) {
    return []
  }
  const stored = await loadCommentsAt(
    zone,
    all?.isWhole ? null : affected.map(({ name }) => name),
    trx
  )
  for (const { record, action } of expectations) {
    const comment = stored.commentOn(record, { ...record, priority: record.priority ?? 0 })
    checkComment(zone, record, comment?.inline ?? '', action)
  }
  const requested = stored.copy()
  const sets = await runYielding(setSteps(affected, state))
  const storedKeys = storedKeysOf(comments, sets)
  for (const one of comments) {
    const pause = yieldIfDue()
    if (pause) await pause
    const { from, comment, writtenForm } = one
    const record = writtenForm && storedKeys.has(recordKeyIn(one, writtenForm)) ? writtenForm : one
    // From the stored comments, not from the wanted ones: records can swap their values.
    const carriedComment = from && stored.commentOn(from, from)
    if (carriedComment) requested.setComment(one, record, carriedComment)
    if (comment !== undefined) {
      const { above = [] } = requested.commentOn(one, record) ?? {}
      requested.setComment(one, record, { above, inline: cleanComment(comment) })
    }
  }
  if (all) {
    replaceComments(requested, sets, all)
  }
  for (const { key, comment } of fromJournal) {
    const hasChanged =
      comment.before !== undefined && !isSameComment(comment.before, stored.commentOn(key, comment))
    if (hasChanged) throw new StateChanged(key)
    requested.setComment(key, comment, comment.after)
  }
  const changed = await mapYielding(sets, (set) => {
    const changes = changedComments(set, stored, requested)
    return changes.length > 0 ? [{ name: set.name, type: set.type, comments: changes }] : []
  })
  return changed.flat()
}

/** Comments from the journal, for the records that an action restores. */
function journalComments(
  zone: BackendZone,
  action: RecordAction
): { key: RRsetKey; comment: CommentInput }[] {
  if (action.op !== 'set' && action.op !== 'clear') {
    return []
  }
  return (action.comments ?? []).map((comment) => ({ key: keyOfInput(zone, action), comment }))
}

/** RRsets with the records that they have before or after. */
function* setSteps(
  keys: RRsetKey[],
  { before, after }: { before: RRset[]; after: RRset[] }
): Generator<undefined, RRset[]> {
  const affected = new Set<string>()
  for (const key of keys) {
    affected.add(keyText(key))
    yield
  }
  const sets = new Map<string, RRset>()
  for (const set of [...before, ...after]) {
    yield
    if (!affected.has(keyText(set))) continue
    const fromJournal = sets.get(keyText(set))
    sets.set(
      keyText(set),
      fromJournal ? { ...set, records: [...fromJournal.records, ...set.records] } : set
    )
  }
  return [...sets.values()]
}

/**
 * Records as users wrote them, in RRsets with requested comments: other programs may have stored
 * them so.
 */
function storedKeysOf(comments: WrittenComment[], sets: RRset[]): Set<string> {
  const namedKeys = new Set(comments.filter(({ writtenForm }) => writtenForm).map(keyText))
  const requestedSets = sets.filter((set) => namedKeys.has(keyText(set)))
  return new Set(
    requestedSets.flatMap((set) => set.records.map((record) => recordKeyIn(set, record)))
  )
}

function recordKeyIn(set: RRsetKey, record: Pick<RecordData, 'content' | 'priority'>): string {
  return `${keyText(set)} ${recordKey(set.type, record)}`
}

/** Replaces the comments of RRsets: those that are not requested again are deleted. */
function replaceComments(
  requested: ZoneComments,
  sets: RRset[],
  { comments, rrsets, canWrite }: CompleteComments
): void {
  const namedKeys = new Set(rrsets.map(keyText))
  const isReplaced = (key: RRsetKey) => namedKeys.has(keyText(key)) && canWrite(key)
  for (const set of sets.filter((one) => requested.has(one) && isReplaced(one))) {
    set.records.forEach((record) => requested.setComment(set, record, null))
  }
  for (const { above, inline, ...record } of comments.filter(isReplaced)) {
    requested.setComment(record, record, { above, inline })
  }
}

/** The difference between stored and wanted comments on the records of an RRset. */
export function changedComments(
  set: RRsetKey & Pick<RRset, 'records'>,
  stored: ZoneComments,
  requested: ZoneComments
): CommentChange[] {
  if (!stored.has(set) && !requested.has(set)) {
    return []
  }
  const changes = new Map<string, CommentChange>()
  for (const record of set.records) {
    const { content, priority } = record
    const [before, after] = [stored, requested].map((comments) => comments.commentOn(set, record))
    if (!isSameComment(before, after)) {
      changes.set(recordKey(set.type, record), { content, priority, before, after })
    }
  }
  return [...changes.values()]
}

function keyText({ name, type }: RRsetKey): string {
  return `${name} ${type}`
}
