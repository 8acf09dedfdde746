import { isDeepStrictEqual } from 'node:util'
import type { BackendZone } from '#backends/contract'
import type { RecordAction, RRsetItem } from '#changes/change_set'
import { edited } from '#changes/desired_rrsets'
import { keyOfWish, type Apex } from '#changes/rrset_key'
import type { ZoneReader } from '#changes/zone_reader'
import { ownerName } from '#dns/names'
import { canonicalRecord } from '#dns/records/registry'
import type { RecordData, RRsetKey } from '#dns/types'

/** A comment on one record, whose name, type and content are canonical. */
export interface WrittenComment extends RRsetKey {
  content: string
  priority: number
  /** One line; an empty one ends what was said. Absent for a record that changes and takes along what was said of it. */
  comment?: string
  /** The record that it was, where its name, type, content or priority change. */
  from?: RRsetKey & Pick<RecordData, 'content' | 'priority'>
}

/** What of a patch can change what is said of a record. */
const NOTED = ['comment', 'name', 'type', 'content', 'priority'] as const

/**
 * What actions say about the records that they write. To be called before these are written. The actions were planned: all
 * that they want can be stored.
 */
export async function commentsAmong(
  reader: Pick<ZoneReader, 'findRecords'>,
  zone: BackendZone,
  actions: RecordAction[]
): Promise<WrittenComment[]> {
  return [
    ...actions.flatMap((action) => commentsOf(zone, action)),
    ...(await commentsOfEdits(reader, zone, actions)),
  ]
}

/** What edits say, about their records as they will be; and which records become others, so that what was said goes along. */
async function commentsOfEdits(
  reader: Pick<ZoneReader, 'findRecords'>,
  zone: BackendZone,
  actions: RecordAction[]
): Promise<WrittenComment[]> {
  const edits = actions.flatMap((action) =>
    action.op === 'edit' && NOTED.some((field) => action.patch[field] !== undefined) ? [action] : []
  )
  if (edits.length === 0) {
    return []
  }
  const found = await reader.findRecords(
    zone,
    edits.map(({ id }) => id)
  )
  const stored = new Map(found.map((record) => [String(record.id), record]))
  return edits.flatMap(({ id, patch }) => {
    const record = stored.get(String(id))
    if (!record) return []
    const { name, type, ttl } = record
    const values = { ...record, priority: record.priority ?? 0 }
    const [key, , data] = edited(zone, { key: { name, type }, ttl, record: values }, patch)
    const is = { ...key, content: data.content, priority: data.priority }
    const was = { name, type, content: values.content, priority: values.priority }
    const from = isDeepStrictEqual(is, was) ? undefined : was
    const { comment } = patch
    return from || comment !== undefined ? [{ ...is, comment, from }] : []
  })
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
