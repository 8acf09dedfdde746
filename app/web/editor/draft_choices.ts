import { recordType } from '#dns/records/registry'
import {
  defined,
  identityOf,
  stateOf,
  staysIn,
  requestedRecord,
  type Conflict,
  type VersionRecord,
} from '#web/editor/draft_merge'
import type { ValidChange } from '#web/editor/zone_draft'

type Change = ValidChange

/** The chosen version of an RRset that the draft and another user changed. */
export type Choice = 'mine' | 'theirs' | 'both'

/** Changes of the draft that turn the current RRset into the chosen version. */
export function resolved(
  conflict: Conflict,
  choice: Choice,
  apex: string,
  entry: number
): Change[] {
  switch (choice) {
    case 'theirs':
      return []
    case 'both':
      return addToCurrent(conflict, apex, entry)
    case 'mine':
      return replaceByDraft(conflict, apex, entry)
  }
}

/** The stored RRset stays, and the additions and changes of the draft are added. */
function addToCurrent(conflict: Conflict, apex: string, since: number): Change[] {
  const { changes, currentRecords } = conflict
  const storedIdentities = new Set(currentRecords.map(identityOf))
  return changes
    .filter(({ action }) => action !== 'delete')
    .filter(
      (change) =>
        !staysIn(conflict, apex, change) ||
        !storedIdentities.has(identityOf(requestedRecord(change)))
    )
    .map((change) => ({
      ...changeAsNew(change, since),
      ttl: change.ttl ?? currentRecords.at(0)?.ttl,
    }))
}

/** Returns the changes that make the RRset equal to that of the draft. */
function replaceByDraft(conflict: Conflict, apex: string, since: number): Change[] {
  const { changes, draftRecords, currentRecords, relative: name, type } = conflict
  const [ttl] = draftRecords.map((record) => record.ttl)
  const [draftStates, currentStates] = [
    new Set(draftRecords.map(stateOf)),
    new Set(currentRecords.map(stateOf)),
  ]
  const missing = draftRecords.filter((record) => !currentStates.has(stateOf(record)))
  const surplusRecords = currentRecords.filter((record) => !draftStates.has(stateOf(record)))
  const originOf = (record: VersionRecord) =>
    changes.find((change) => identityOf(requestedRecord(change)) === identityOf(record))
  // A comment belongs to a stored record: set it only if it differs.
  const membersOf = (record: VersionRecord, storedComment: string) => {
    const { content, priority, disabled } = record
    const withPriority = recordType(type)?.priority ? { priority } : {}
    const { comment: ownComment = record.comment, ptr } = originOf(record) ?? {}
    const comment = ownComment === storedComment ? undefined : ownComment
    return { content, ...withPriority, disabled, ttl: record.ttl, ...defined({ comment, ptr }) }
  }
  const rowOf = (record: VersionRecord) => record.id ?? originOf(record)?.id
  const { pairs, unpaired } = pairRecords(missing, surplusRecords, rowOf)
  const updates = pairs.flatMap(([record, row]): Change[] =>
    row
      ? [{ ...changeOfStored('update', conflict, row, since), ...membersOf(record, row.comment) }]
      : []
  )
  const removals = unpaired.map((record): Change =>
    changeOfStored('delete', conflict, record, since)
  )
  const creations = pairs
    .filter(([, row]) => row === undefined)
    .map(([record]): Change => ({
      key: newKey(),
      action: 'create',
      since,
      name,
      type,
      ...membersOf(record, ''),
    }))
  const movedChanges = changes.filter(
    (change) => change.action !== 'delete' && !staysIn(conflict, apex, change)
  )
  const movedIds = new Set(movedChanges.flatMap(({ id }) => id ?? []))
  const retainedRecords = currentRecords.filter((record) => draftStates.has(stateOf(record)))
  const commentChanges = retainedRecords.flatMap((record): Change[] => {
    const comment = originOf(record)?.comment
    const isCommentChanged = comment !== undefined && comment !== record.comment
    return isCommentChanged
      ? [{ ...changeOfStored('update', conflict, record, since), ttl, comment }]
      : []
  })
  const changeCount = updates.length + creations.length + commentChanges.length
  const isRetimed =
    changeCount === 0 && retainedRecords.length > 0 && ttl !== retainedRecords[0].ttl
  const ttlChanges = isRetimed
    ? [{ ...changeOfStored('update', conflict, retainedRecords[0], since), ttl }]
    : []
  return [
    ...[...updates, ...removals].filter(({ id }) => id === undefined || !movedIds.has(id)),
    ...creations,
    ...commentChanges,
    ...ttlChanges,
    ...movedChanges.map((change) => moveToOtherSet(change, conflict, since)),
  ]
}

/** Assigns a stored record to each missing one: its own if that still exists, otherwise any. `rest` contains the others. */
function pairRecords(
  missing: VersionRecord[],
  surplus: VersionRecord[],
  rowOf: (record: VersionRecord) => string | undefined
): { pairs: [VersionRecord, VersionRecord | undefined][]; unpaired: VersionRecord[] } {
  const rows = new Map(surplus.flatMap((row) => (row.id === undefined ? [] : [[row.id, row]])))
  const ownRows = new Map(missing.map((record) => [record, rows.get(rowOf(record) ?? '')]))
  const usedRows = new Set(ownRows.values())
  const unpaired = surplus.filter((row) => !usedRows.has(row))
  const pairs = missing.map((record): [VersionRecord, VersionRecord | undefined] => [
    record,
    ownRows.get(record) ?? unpaired.shift(),
  ])
  return { pairs, unpaired }
}

/** A change of a record that is stored. */
function changeOfStored(
  action: 'update' | 'delete',
  { relative: name, type }: Conflict,
  record: VersionRecord,
  since: number
): Change {
  const { id, tag, content, priority, ttl, disabled, comment } = record
  const withPriority = recordType(type)?.priority ? priority : null
  const was = { name, type, content, ttl, priority: withPriority, disabled, comment }
  return { key: id, action, id, tag, was, since }
}

/** Moves a record to another RRset: by its id if it still exists, otherwise as a new record. */
function moveToOtherSet(change: Change, conflict: Conflict, since: number): Change {
  const record = conflict.currentRecords.find(({ id }) => id !== undefined && id === change.id)
  return record
    ? { ...defined(change), ...changeOfStored('update', conflict, record, since) }
    : changeAsNew(change, since)
}

/** Returns the record of a change as a new record. */
function changeAsNew(change: Change, since: number): Change {
  const { was, ...changedMembers } = defined(change)
  const { name, type, content, ttl, priority, disabled, comment } = { ...was, ...changedMembers }
  const values = { name, type, content, ttl, priority: priority ?? undefined, disabled }
  const commentAndPtrOf = commentAndPtr({ comment, ptr: changedMembers.ptr })
  return { key: newKey(), action: 'create', since, ...defined(values), ...commentAndPtrOf }
}

/** Comment and PTR choice of a change. */
function commentAndPtr({ comment, ptr }: Pick<Change, 'comment' | 'ptr'>) {
  return { ...(comment ? { comment } : {}), ...(ptr ? { ptr } : {}) }
}

function newKey(): string {
  return `new ${crypto.randomUUID()}`
}
