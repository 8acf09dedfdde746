import { isDeepStrictEqual } from 'node:util'
import type { BackendZone, StoredRecord } from '#backends/contract/backend'
import type { RecordAction, RRsetItem } from '#changes/model/change_set'
import { edited } from '#changes/planning/target_rrsets'
import { canonicalItem } from '#changes/model/record_matcher'
import { keyOfWish, type Apex } from '#changes/model/rrset_key'
import type { ZoneReader } from '#changes/model/zone_reader'
import { mapYielding } from '#database/event_loop'
import { ownerName } from '#dns/names'
import type { RecordData, RRsetKey } from '#dns/types'

type NotedRecord = Pick<RecordData, 'content' | 'priority'>

/** A comment on one record, whose name, type and content are canonical. */
export interface WrittenComment extends RRsetKey, NotedRecord {
  /** One line; an empty one ends what was said. Absent for a record that changes and takes along what was said of it. */
  comment?: string
  /** The record that it was, where its name, type, content or priority change. */
  from?: RRsetKey & NotedRecord
  /** The record as it was written by who wishes it; it may be stored so. */
  asWritten?: NotedRecord
}

/** What is said about records, and what must still be said of those that are there. */
export interface WishedComments {
  comments: WrittenComment[]
  held: { record: StoredRecord; action: EditAction }[]
}

type EditAction = Extract<RecordAction, { op: 'edit' }>

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
): Promise<WishedComments> {
  const edits = actions.flatMap((action) =>
    action.op === 'edit' && NOTED.some((field) => action.patch[field] !== undefined) ? [action] : []
  )
  const ids = edits.map(({ id }) => id)
  const found = ids.length > 0 ? await reader.findRecords(zone, ids) : []
  const stored = new Map(found.map((record) => [String(record.id), record]))
  const held = edits.flatMap((action) => {
    const record = stored.get(String(action.id))
    return record && action.commentWas !== undefined ? [{ record, action }] : []
  })
  // One record can be edited more than once.
  const byRecord = Map.groupBy(edits, ({ id }) => stored.get(String(id)))
  const ofEdits = [...byRecord].flatMap(([record, its]) =>
    record ? commentOfEdits(zone, record, its) : []
  )
  const ofOthers = await mapYielding(actions, (action) => commentsOf(zone, action))
  return { comments: [...ofOthers.flat(), ...ofEdits], held }
}

/** What edits say about their record as it will be; and what it was, where it becomes another one. */
function commentOfEdits(
  zone: BackendZone,
  { name, type, ttl, ...record }: StoredRecord,
  edits: EditAction[]
): WrittenComment[] {
  const start = { key: { name, type }, ttl, record: { ...record, priority: record.priority ?? 0 } }
  const end = edits.reduce((at, { patch }) => {
    const [key, seconds, data] = edited(zone, at, patch)
    return { key, ttl: seconds, record: { ...at.record, ...data } }
  }, start)
  const [was, is] = [start, end].map(({ key, record: { content, priority } }) => {
    return { ...key, content, priority }
  })
  const from = isDeepStrictEqual(is, was) ? undefined : was
  const comment = edits.findLast(({ patch }) => patch.comment !== undefined)?.patch.comment
  return from || comment !== undefined ? [{ ...is, comment, from }] : []
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
  const { content, priority } = canonicalItem(zone, key, data)
  return [{ ...key, content, priority, comment, asWritten: data }]
}
