import { recordType } from '#dns/records/registry'
import {
  defined,
  identityOf,
  stateOf,
  staysIn,
  wantedOf,
  type Conflict,
  type SideRecord,
} from '#web/editor/draft_merge'
import type { SoundChange } from '#web/editor/zone_draft'

type Change = SoundChange

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
      return besides(conflict, apex, entry)
    case 'mine':
      return exactly(conflict, apex, entry)
  }
}

/** The stored RRset stays, and the additions and changes of the draft are added. */
function besides(conflict: Conflict, apex: string, since: number): Change[] {
  const { changes, currentRecords } = conflict
  const there = new Set(currentRecords.map(identityOf))
  return changes
    .filter(({ action }) => action !== 'delete')
    .filter(
      (change) => !staysIn(conflict, apex, change) || !there.has(identityOf(wantedOf(change)))
    )
    .map((change) => ({ ...added(change, since), ttl: change.ttl ?? currentRecords.at(0)?.ttl }))
}

/** Returns the changes that make the RRset equal to that of the draft. */
function exactly(conflict: Conflict, apex: string, since: number): Change[] {
  const { changes, draftRecords, currentRecords, relative: name, type } = conflict
  const [ttl] = draftRecords.map((record) => record.ttl)
  const [wanted, there] = [new Set(draftRecords.map(stateOf)), new Set(currentRecords.map(stateOf))]
  const missing = draftRecords.filter((record) => !there.has(stateOf(record)))
  const surplus = currentRecords.filter((record) => !wanted.has(stateOf(record)))
  const originOf = (record: SideRecord) =>
    changes.find((change) => identityOf(wantedOf(change)) === identityOf(record))
  // A comment belongs to a stored record: set it only if it differs.
  const shared = (record: SideRecord, now: string) => {
    const { content, priority, disabled } = record
    const ranked = recordType(type)?.priority ? { priority } : {}
    const { comment: ownComment = record.comment, ptr } = originOf(record) ?? {}
    const comment = ownComment === now ? undefined : ownComment
    return { content, ...ranked, disabled, ttl: record.ttl, ...defined({ comment, ptr }) }
  }
  const rowOf = (record: SideRecord) => record.id ?? originOf(record)?.id
  const { pairs, rest } = paired(missing, surplus, rowOf)
  const updates = pairs.flatMap(([record, row]): Change[] =>
    row ? [{ ...stored('update', conflict, row, since), ...shared(record, row.comment) }] : []
  )
  const removals = rest.map((record): Change => stored('delete', conflict, record, since))
  const creations = pairs
    .filter(([, row]) => row === undefined)
    .map(([record]): Change => ({
      key: newKey(),
      action: 'create',
      since,
      name,
      type,
      ...shared(record, ''),
    }))
  const moved = changes.filter(
    (change) => change.action !== 'delete' && !staysIn(conflict, apex, change)
  )
  const leaving = new Set(moved.flatMap(({ id }) => id ?? []))
  const kept = currentRecords.filter((record) => wanted.has(stateOf(record)))
  const commentChanges = kept.flatMap((record): Change[] => {
    const comment = originOf(record)?.comment
    const isCommentChanged = comment !== undefined && comment !== record.comment
    return isCommentChanged ? [{ ...stored('update', conflict, record, since), ttl, comment }] : []
  })
  const written = updates.length + creations.length + commentChanges.length
  const isRetimed = written === 0 && kept.length > 0 && ttl !== kept[0].ttl
  const retimed = isRetimed ? [{ ...stored('update', conflict, kept[0], since), ttl }] : []
  return [
    ...[...updates, ...removals].filter(({ id }) => id === undefined || !leaving.has(id)),
    ...creations,
    ...commentChanges,
    ...retimed,
    ...moved.map((change) => movedOn(change, conflict, since)),
  ]
}

/** Assigns a stored record to each missing one: its own if that still exists, otherwise any. `rest` contains the others. */
function paired(
  missing: SideRecord[],
  surplus: SideRecord[],
  rowOf: (record: SideRecord) => string | undefined
): { pairs: [SideRecord, SideRecord | undefined][]; rest: SideRecord[] } {
  const rows = new Map(surplus.flatMap((row) => (row.id === undefined ? [] : [[row.id, row]])))
  const own = new Map(missing.map((record) => [record, rows.get(rowOf(record) ?? '')]))
  const taken = new Set(own.values())
  const rest = surplus.filter((row) => !taken.has(row))
  const pairs = missing.map((record): [SideRecord, SideRecord | undefined] => [
    record,
    own.get(record) ?? rest.shift(),
  ])
  return { pairs, rest }
}

/** A change of a record that is stored. */
function stored(
  action: 'update' | 'delete',
  { relative: name, type }: Conflict,
  record: SideRecord,
  since: number
): Change {
  const { id, tag, content, priority, ttl, disabled, comment } = record
  const ranked = recordType(type)?.priority ? priority : null
  const was = { name, type, content, ttl, priority: ranked, disabled, comment }
  return { key: id, action, id, tag, was, since }
}

/** Moves a record to another RRset: by its id if it still exists, otherwise as a new record. */
function movedOn(change: Change, conflict: Conflict, since: number): Change {
  const record = conflict.currentRecords.find(({ id }) => id !== undefined && id === change.id)
  return record
    ? { ...defined(change), ...stored('update', conflict, record, since) }
    : added(change, since)
}

/** Returns the record of a change as a new record. */
function added(change: Change, since: number): Change {
  const { was, ...own } = defined(change)
  const { name, type, content, ttl, priority, disabled, comment } = { ...was, ...own }
  const values = { name, type, content, ttl, priority: priority ?? undefined, disabled }
  const commentAndPtrOf = commentAndPtr({ comment, ptr: own.ptr })
  return { key: newKey(), action: 'create', since, ...defined(values), ...commentAndPtrOf }
}

/** Comment and PTR choice of a change. */
function commentAndPtr({ comment, ptr }: Pick<Change, 'comment' | 'ptr'>) {
  return { ...(comment ? { comment } : {}), ...(ptr ? { ptr } : {}) }
}

function newKey(): string {
  return `new ${crypto.randomUUID()}`
}
