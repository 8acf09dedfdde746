import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { RecordAction, RRsetItem } from '#changes/change_set'
import { noteBeside, type WrittenComment } from '#changes/record_notes'
import { keyOfWish, type Apex } from '#changes/rrset_key'
import { ownerName } from '#dns/names'
import { canonicalRecord } from '#dns/records/registry'
import type { RRsetKey } from '#dns/types'

/**
 * Keeps what actions say about the records that they write, in the transaction that writes them; what they say
 * nothing about stays. The actions were planned: all that they want can be stored.
 */
export async function keepComments(
  trx: QueryClientContract,
  zone: Apex & { id: number },
  actions: RecordAction[]
): Promise<void> {
  const comments = actions.flatMap((action) => commentsOf(zone, action))
  if (comments.length > 0) {
    await noteBeside(trx, zone, comments)
  }
}

function commentsOf(zone: Apex, action: RecordAction): WrittenComment[] {
  switch (action.op) {
    case 'add': {
      const { record } = action
      const key = { name: ownerName(record.name, zone.name), type: record.type.toUpperCase() }
      return commentOf(zone, key, record)
    }
    case 'set': {
      const key = keyOfWish(zone, action)
      return action.records.flatMap((item) => commentOf(zone, key, item))
    }
    default:
      return []
  }
}

function commentOf(zone: Apex, key: RRsetKey, item: RRsetItem): WrittenComment[] {
  const { comment, ...data } = item
  if (comment === undefined) {
    return []
  }
  const { content, priority } = canonicalRecord({
    ...key,
    content: data.content,
    priority: data.priority,
    disabled: data.disabled,
    apex: zone.name,
  })
  return [{ ...key, content, priority, comment }]
}
