import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { BackendZone } from '#backends/contract/backend'
import type { CommentInput, RecordAction } from '#changes/model/change_set'
import { StateChanged } from '#changes/model/action_error'
import { checkComment } from '#changes/planning/preconditions'
import { commentsAmong, type WrittenComment } from '#changes/planning/requested_comments'
import { commentsAt, type ZoneComments } from '#changes/comments/comment_store'
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
  all?: AllComments
}

interface AllComments {
  comments: RecordComment[]
  /** These RRsets; `isWhole` if they are the whole zone. */
  of: RRsetKey[]
  isWhole: boolean
  /** Comments on other RRsets stay. */
  mayWrite(set: RRsetKey): boolean
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
  const { comments, held } = await commentsAmong(reader, zone, actions)
  const known = await flatMapYielding(actions, (action) => journalComments(zone, action))
  const sources = comments.flatMap(({ from }) => from ?? [])
  const touched = [
    ...comments,
    ...sources,
    ...known.map(({ key }) => key),
    ...held.map(({ record }) => record),
    ...(all?.of ?? []),
  ]
  if (touched.length === 0) {
    return []
  }
  const stored = await commentsAt(zone, all?.isWhole ? null : touched.map(({ name }) => name), trx)
  for (const { record, action } of held) {
    const comment = stored.on(record, { ...record, priority: record.priority ?? 0 })
    checkComment(zone, record, comment?.inline ?? '', action)
  }
  const wanted = stored.copy()
  const sets = await runYielding(setSteps(touched, state))
  const storedKeys = keysOf(comments, sets)
  for (const one of comments) {
    const due = yieldIfDue()
    if (due) await due
    const { from, comment, asWritten } = one
    const record = asWritten && storedKeys.has(keyIn(one, asWritten)) ? asWritten : one
    // From the stored comments, not from the wanted ones: records can swap their values.
    const carried = from && stored.on(from, from)
    if (carried) wanted.put(one, record, carried)
    if (comment !== undefined) {
      const { above = [] } = wanted.on(one, record) ?? {}
      wanted.put(one, record, { above, inline: cleanComment(comment) })
    }
  }
  if (all) {
    replaceComments(wanted, sets, all)
  }
  for (const { key, comment } of known) {
    const isMoved =
      comment.before !== undefined && !isSameComment(comment.before, stored.on(key, comment))
    if (isMoved) throw new StateChanged(key)
    wanted.put(key, comment, comment.after)
  }
  const changed = await mapYielding(sets, (set) => {
    const changes = changedComments(set, stored, wanted)
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
  const touched = new Set<string>()
  for (const key of keys) {
    touched.add(keyText(key))
    yield
  }
  const sets = new Map<string, RRset>()
  for (const set of [...before, ...after]) {
    yield
    if (!touched.has(keyText(set))) continue
    const known = sets.get(keyText(set))
    sets.set(keyText(set), known ? { ...set, records: [...known.records, ...set.records] } : set)
  }
  return [...sets.values()]
}

/**
 * Records as users wrote them, in RRsets with requested comments: other programs may have stored
 * them so.
 */
function keysOf(comments: WrittenComment[], sets: RRset[]): Set<string> {
  const named = new Set(comments.filter(({ asWritten }) => asWritten).map(keyText))
  const spoken = sets.filter((set) => named.has(keyText(set)))
  return new Set(spoken.flatMap((set) => set.records.map((record) => keyIn(set, record))))
}

function keyIn(set: RRsetKey, record: Pick<RecordData, 'content' | 'priority'>): string {
  return `${keyText(set)} ${recordKey(set.type, record)}`
}

/** Replaces the comments of RRsets: those that are not requested again are deleted. */
function replaceComments(
  wanted: ZoneComments,
  sets: RRset[],
  { comments, of, mayWrite }: AllComments
): void {
  const named = new Set(of.map(keyText))
  const isReplaced = (key: RRsetKey) => named.has(keyText(key)) && mayWrite(key)
  for (const set of sets.filter((one) => wanted.has(one) && isReplaced(one))) {
    set.records.forEach((record) => wanted.put(set, record, null))
  }
  for (const { above, inline, ...record } of comments.filter(isReplaced)) {
    wanted.put(record, record, { above, inline })
  }
}

/** The difference between stored and wanted comments on the records of an RRset. */
export function changedComments(
  set: RRsetKey & Pick<RRset, 'records'>,
  stored: ZoneComments,
  wanted: ZoneComments
): CommentChange[] {
  if (!stored.has(set) && !wanted.has(set)) {
    return []
  }
  const changes = new Map<string, CommentChange>()
  for (const record of set.records) {
    const { content, priority } = record
    const [before, after] = [stored, wanted].map((comments) => comments.on(set, record))
    if (!isSameComment(before, after)) {
      changes.set(recordKey(set.type, record), { content, priority, before, after })
    }
  }
  return [...changes.values()]
}

function keyText({ name, type }: RRsetKey): string {
  return `${name} ${type}`
}
