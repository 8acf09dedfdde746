import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { BackendZone } from '#backends/contract/backend'
import type { RecordAction, RRsetItem } from '#changes/model/change_set'
import { notesAt, type ZoneComments } from '#changes/comments/comment_store'
import { canonicalItem } from '#changes/model/record_matcher'
import type { ActionBase, NotedValue, RequestAction } from '#changes/model/change_request'
import { recordKey } from '#dns/diff'
import { sameNote } from '#dns/record_comments'
import type { RRsetKey } from '#dns/types'

/*
 * The part of the base of actions that is what people wrote about records: of those that an action speaks of, and of no
 * others. An action that says nothing about its records goes on whatever is written about them.
 */

type Action = Pick<RequestAction, 'wish' | 'base'>
type NotedRecord = Omit<NotedValue, 'note'>

/**
 * Gives actions what is written now about the records that they speak of. To be called under the lock of the zone.
 *
 * @param speaksOfAll whether all is said of the RRsets of the actions, each of which is a `set` or a `clear` then: what is not
 *   said again ends
 */
export async function withNotesNow<One extends Action>(
  trx: QueryClientContract,
  zone: BackendZone,
  actions: One[],
  speaksOfAll: boolean
): Promise<One[]> {
  const spoken = actions.map((action) => spokenOf(zone, action, speaksOfAll))
  const names = actions.flatMap(({ base }, index) =>
    spoken[index].length > 0 && base.kind !== 'zone' ? base.name : []
  )
  const kept = await notesAt(zone, names, trx)
  return actions.map((action, index) => {
    const { base } = action
    if (base.kind === 'zone' || spoken[index].length === 0) {
      return action
    }
    const notes = spoken[index].map((record) => ({ ...record, note: kept.on(base, record) }))
    return { ...action, base: { ...base, notes } }
  })
}

/** What is written now about the records of which the bases of actions know what was written. */
export async function notesUnder(
  trx: QueryClientContract,
  zone: BackendZone,
  actions: Action[]
): Promise<ZoneComments> {
  const names = actions.flatMap(({ base }) => (base.kind !== 'zone' && base.notes ? base.name : []))
  return notesAt(zone, names, trx)
}

/** Whether what is written is what a base knows of it. */
export function notesHold(base: ActionBase, kept: ZoneComments): boolean {
  return (
    base.kind === 'zone' ||
    (base.notes ?? []).every((known) => sameNote(kept.on(base, known), known.note))
  )
}

/** The records that an action speaks of, each of them once. */
function spokenOf(zone: BackendZone, { wish, base }: Action, ofAll: boolean): NotedRecord[] {
  if (!wish || base.kind === 'zone') {
    return []
  }
  const stored = ofAll && base.kind === 'rrset' ? (base.state?.records ?? []) : []
  const records = [...stored, ...namedBy(zone, base, wish, ofAll)]
  const distinct = new Map(records.map((record) => [recordKey(base.type, record), record]))
  return [...distinct.values()].map(({ content, priority }) => ({ content, priority }))
}

function namedBy(
  zone: BackendZone,
  base: Exclude<ActionBase, { kind: 'zone' }>,
  wish: RecordAction,
  ofAll: boolean
): NotedRecord[] {
  switch (wish.op) {
    case 'add':
      return itemsOf(zone, base, [wish.record], ofAll)
    case 'edit':
      return base.kind === 'record' && wish.patch.comment !== undefined ? [base] : []
    case 'set':
      return [...itemsOf(zone, base, wish.records, ofAll), ...(wish.notes ?? [])]
    case 'clear':
      return wish.notes ?? []
    default:
      return []
  }
}

/** Records that are wished, in canonical form and as they were written: others may have stored them so. */
function itemsOf(
  zone: BackendZone,
  key: RRsetKey,
  items: RRsetItem[],
  ofAll: boolean
): NotedRecord[] {
  const spoken = ofAll ? items : items.filter(({ comment }) => comment !== undefined)
  return spoken.flatMap((item) => [canonicalItem(zone, key, item), item])
}
