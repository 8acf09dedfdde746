import { isDeepStrictEqual } from 'node:util'
import type { BackendZone, StoredRecord } from '#backends/contract/backend'
import type { RecordAction, RRsetItem } from '#changes/model/change_set'
import { applyPatch } from '#changes/planning/target_rrsets'
import { canonicalItem } from '#changes/model/record_matcher'
import { keyOfInput, type Apex } from '#changes/model/rrset_key'
import type { ZoneReader } from '#changes/model/zone_reader'
import { mapYielding } from '#database/event_loop'
import { ownerName } from '#dns/names'
import type { RecordData, RRsetKey } from '#dns/types'

type CommentedRecord = Pick<RecordData, 'content' | 'priority'>

/** A comment on one record; name, type and content are canonical. */
export interface WrittenComment extends RRsetKey, CommentedRecord {
  /**
   * One line; an empty one deletes the comment. Absent for a changed record that keeps its comment.
   */
  comment?: string
  /** The former record, if its name, type, content or priority change. */
  from?: RRsetKey & CommentedRecord
  /** The record as the user wrote it, which may be stored so. */
  writtenForm?: CommentedRecord
}

/** Requested comments, and edits that expect a current comment. */
export interface RequestedComments {
  comments: WrittenComment[]
  expectations: { record: StoredRecord; action: EditAction }[]
}

type EditAction = Extract<RecordAction, { op: 'edit' }>

/** Fields of a patch that change the comment of a record, or the record that it belongs to. */
const COMMENT_FIELDS = ['comment', 'name', 'type', 'content', 'priority'] as const

/**
 * The comments that actions request. Runs before the records are written, after the actions were
 * planned: all values are valid.
 */
export async function findRequestedComments(
  reader: Pick<ZoneReader, 'findRecords'>,
  zone: BackendZone,
  actions: RecordAction[]
): Promise<RequestedComments> {
  const edits = actions.flatMap((action) =>
    action.op === 'edit' && COMMENT_FIELDS.some((field) => action.patch[field] !== undefined)
      ? [action]
      : []
  )
  const ids = edits.map(({ id }) => id)
  const found = ids.length > 0 ? await reader.findRecords(zone, ids) : []
  const stored = new Map(found.map((record) => [String(record.id), record]))
  const expectations = edits.flatMap((action) => {
    const record = stored.get(String(action.id))
    return record && action.expectedComment !== undefined ? [{ record, action }] : []
  })
  // One record can be edited more than once.
  const byRecord = Map.groupBy(edits, ({ id }) => stored.get(String(id)))
  const editComments = [...byRecord].flatMap(([record, recordEdits]) =>
    record ? commentOfEdits(zone, record, recordEdits) : []
  )
  const otherComments = await mapYielding(actions, (action) => commentsOf(zone, action))
  return { comments: [...otherComments.flat(), ...editComments], expectations }
}

/** The comment on an edited record, and the former record if its key changes. */
function commentOfEdits(
  zone: BackendZone,
  { name, type, ttl, ...record }: StoredRecord,
  edits: EditAction[]
): WrittenComment[] {
  const before = { key: { name, type }, ttl, record: { ...record, priority: record.priority ?? 0 } }
  const after = edits.reduce((at, { patch }) => {
    const [key, seconds, data] = applyPatch(zone, at, patch)
    return { key, ttl: seconds, record: { ...at.record, ...data } }
  }, before)
  const [oldRecord, newRecord] = [before, after].map(({ key, record: { content, priority } }) => {
    return { ...key, content, priority }
  })
  const from = isDeepStrictEqual(newRecord, oldRecord) ? undefined : oldRecord
  const comment = edits.findLast(({ patch }) => patch.comment !== undefined)?.patch.comment
  return from || comment !== undefined ? [{ ...newRecord, comment, from }] : []
}

function commentsOf(zone: Apex, action: RecordAction): WrittenComment[] {
  switch (action.op) {
    case 'add': {
      const { record } = action
      const key = { name: ownerName(record.name, zone.name), type: record.type.toUpperCase() }
      return commentOf(zone, key, record)
    }
    case 'set': {
      const key = keyOfInput(zone, action)
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
  return [{ ...key, content, priority, comment, writtenForm: data }]
}
