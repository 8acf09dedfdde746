import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { BackendZone } from '#backends/contract/backend'
import type { RecordAction, RRsetItem } from '#changes/model/change_set'
import { loadCommentsAt, type ZoneComments } from '#changes/comments/comment_store'
import { canonicalItem } from '#changes/model/record_matcher'
import type { ActionBaseline, CommentedValue, RequestAction } from '#changes/model/change_request'
import { recordKey } from '#dns/diff'
import { isSameComment } from '#dns/record_comments'
import type { RRsetKey } from '#dns/types'

/*
 * The comments in the baseline of actions: only those on records whose comment the action requests.
 * Other actions do not become stale by a changed comment.
 */

type Action = Pick<RequestAction, 'requestedAction' | 'base'>
type CommentedRecord = Omit<CommentedValue, 'comment'>

/**
 * Adds the current comments to the baseline of actions. Runs under the lock of the zone.
 *
 * @param includesAllComments whether the request has all comments of its RRsets; each action is a `set` or
 *   `clear` then, and comments that it does not have are deleted
 */
export async function withCurrentComments<SomeAction extends Action>(
  trx: QueryClientContract,
  zone: BackendZone,
  actions: SomeAction[],
  includesAllComments: boolean
): Promise<SomeAction[]> {
  const commentedRecords = actions.map((action) =>
    recordsWithComment(zone, action, includesAllComments)
  )
  const names = actions.flatMap(({ base }, index) =>
    commentedRecords[index].length > 0 && base.kind !== 'zone' ? base.name : []
  )
  const stored = await loadCommentsAt(zone, names, trx)
  return actions.map((action, index) => {
    const { base } = action
    if (base.kind === 'zone' || commentedRecords[index].length === 0) {
      return action
    }
    const comments = commentedRecords[index].map((record) => ({
      ...record,
      comment: stored.commentOn(base, record),
    }))
    return { ...action, base: { ...base, comments } }
  })
}

/** The current comments on the records whose comments are in the baseline of actions. */
export async function loadBaselineComments(
  trx: QueryClientContract,
  zone: BackendZone,
  actions: Action[]
): Promise<ZoneComments> {
  const names = actions.flatMap(({ base }) =>
    base.kind !== 'zone' && base.comments ? base.name : []
  )
  return loadCommentsAt(zone, names, trx)
}

/** Whether the comments of a baseline still hold. */
export function hasBaselineComments(base: ActionBaseline, stored: ZoneComments): boolean {
  return (
    base.kind === 'zone' ||
    (base.comments ?? []).every((known) =>
      isSameComment(stored.commentOn(base, known), known.comment)
    )
  )
}

/** The records whose comment an action requests, each once. */
function recordsWithComment(
  zone: BackendZone,
  { requestedAction: requested, base }: Action,
  includesAllComments: boolean
): CommentedRecord[] {
  if (!requested || base.kind === 'zone') {
    return []
  }
  const stored = includesAllComments && base.kind === 'rrset' ? (base.state?.records ?? []) : []
  const records = [...stored, ...recordsNamedBy(zone, base, requested, includesAllComments)]
  const distinct = new Map(records.map((record) => [recordKey(base.type, record), record]))
  return [...distinct.values()].map(({ content, priority }) => ({ content, priority }))
}

function recordsNamedBy(
  zone: BackendZone,
  base: Exclude<ActionBaseline, { kind: 'zone' }>,
  requested: RecordAction,
  includesAllComments: boolean
): CommentedRecord[] {
  switch (requested.op) {
    case 'add':
      return itemsOf(zone, base, [requested.record], includesAllComments)
    case 'edit':
      return base.kind === 'record' && requested.patch.comment !== undefined ? [base] : []
    case 'set':
      return [
        ...itemsOf(zone, base, requested.records, includesAllComments),
        ...(requested.comments ?? []),
      ]
    case 'clear':
      return requested.comments ?? []
    default:
      return []
  }
}

/** Requested records, in canonical form and as written: other programs may have stored them so. */
function itemsOf(
  zone: BackendZone,
  key: RRsetKey,
  items: RRsetItem[],
  includesAllComments: boolean
): CommentedRecord[] {
  const commentedItems = includesAllComments
    ? items
    : items.filter(({ comment }) => comment !== undefined)
  return commentedItems.flatMap((item) => [canonicalItem(zone, key, item), item])
}
