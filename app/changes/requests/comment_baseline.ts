import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { BackendZone } from '#backends/contract/backend'
import type { RecordAction, RRsetItem } from '#changes/model/change_set'
import { commentsAt, type ZoneComments } from '#changes/comments/comment_store'
import { canonicalItem } from '#changes/model/record_matcher'
import type { ActionBase, CommentedValue, RequestAction } from '#changes/model/change_request'
import { recordKey } from '#dns/diff'
import { isSameComment } from '#dns/record_comments'
import type { RRsetKey } from '#dns/types'

/*
 * The comments in the baseline of actions: only those on records whose comment the action requests.
 * Other actions do not become stale by a changed comment.
 */

type Action = Pick<RequestAction, 'wish' | 'base'>
type CommentedRecord = Omit<CommentedValue, 'comment'>

/**
 * Adds the current comments to the baseline of actions. Runs under the lock of the zone.
 *
 * @param speaksOfAll whether the request has all comments of its RRsets; each action is a `set` or
 *   `clear` then, and comments that it does not have are deleted
 */
export async function withCurrentComments<One extends Action>(
  trx: QueryClientContract,
  zone: BackendZone,
  actions: One[],
  speaksOfAll: boolean
): Promise<One[]> {
  const spoken = actions.map((action) => spokenOf(zone, action, speaksOfAll))
  const names = actions.flatMap(({ base }, index) =>
    spoken[index].length > 0 && base.kind !== 'zone' ? base.name : []
  )
  const stored = await commentsAt(zone, names, trx)
  return actions.map((action, index) => {
    const { base } = action
    if (base.kind === 'zone' || spoken[index].length === 0) {
      return action
    }
    const comments = spoken[index].map((record) => ({
      ...record,
      comment: stored.on(base, record),
    }))
    return { ...action, base: { ...base, comments } }
  })
}

/** The current comments on the records whose comments are in the baseline of actions. */
export async function commentsOfBases(
  trx: QueryClientContract,
  zone: BackendZone,
  actions: Action[]
): Promise<ZoneComments> {
  const names = actions.flatMap(({ base }) =>
    base.kind !== 'zone' && base.comments ? base.name : []
  )
  return commentsAt(zone, names, trx)
}

/** Whether the comments of a baseline still hold. */
export function matchesBaseComments(base: ActionBase, stored: ZoneComments): boolean {
  return (
    base.kind === 'zone' ||
    (base.comments ?? []).every((known) => isSameComment(stored.on(base, known), known.comment))
  )
}

/** The records whose comment an action requests, each once. */
function spokenOf(
  zone: BackendZone,
  { wish: requested, base }: Action,
  ofAll: boolean
): CommentedRecord[] {
  if (!requested || base.kind === 'zone') {
    return []
  }
  const stored = ofAll && base.kind === 'rrset' ? (base.state?.records ?? []) : []
  const records = [...stored, ...namedBy(zone, base, requested, ofAll)]
  const distinct = new Map(records.map((record) => [recordKey(base.type, record), record]))
  return [...distinct.values()].map(({ content, priority }) => ({ content, priority }))
}

function namedBy(
  zone: BackendZone,
  base: Exclude<ActionBase, { kind: 'zone' }>,
  requested: RecordAction,
  ofAll: boolean
): CommentedRecord[] {
  switch (requested.op) {
    case 'add':
      return itemsOf(zone, base, [requested.record], ofAll)
    case 'edit':
      return base.kind === 'record' && requested.patch.comment !== undefined ? [base] : []
    case 'set':
      return [...itemsOf(zone, base, requested.records, ofAll), ...(requested.comments ?? [])]
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
  ofAll: boolean
): CommentedRecord[] {
  const spoken = ofAll ? items : items.filter(({ comment }) => comment !== undefined)
  return spoken.flatMap((item) => [canonicalItem(zone, key, item), item])
}
