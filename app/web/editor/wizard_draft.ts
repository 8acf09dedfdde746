import { createHash, randomUUID } from 'node:crypto'
import type { StoredRecord } from '#backends/contract/types'
import { canonicalRecord } from '#dns/records/registry'
import type { RequestedSet } from '#dns/wizards/wizard'
import { relativeName } from '#dns/names/name_tree'
import { recordView, type RecordView } from '#web/editor/record_view'
import { displayName } from '#web/page/display_name'

/**
 * A change of a draft, as `zoneDraft` takes it. `set` is its RRset. Keys of new records contain it, so that a later run of the
 * wizard replaces those of an earlier one.
 */
export type WizardChange = Record<string, unknown> & {
  key: string
  action: 'create' | 'update' | 'delete'
  set: string
}

/** Changes of a wizard, and their lines for display. */
export interface WizardPreview {
  changes: WizardChange[]
  lines: { sign: '+' | '-' | ' '; text: string }[]
}

/** A stored record with its comment. */
type CommentedRecord = StoredRecord & { comment?: string }

interface WizardContent {
  content: string
  priority: number
}

/**
 * The draft that turns RRsets into those of a wizard with the fewest changes: equal records stay, equal disabled ones are
 * enabled, other records of the wizard are changed, and only the rest is added or deleted. Throws `InvalidDns` for an invalid
 * content.
 *
 * @param stored the stored records of all of these names
 * @param since  number of the newest journal entry of the zone
 */
export function wizardDraft(
  requested: readonly RequestedSet[],
  { stored, apex, since }: { stored: readonly CommentedRecord[]; apex: string; since: number }
): WizardPreview {
  const preview: WizardPreview = { changes: [], lines: [] }
  for (const set of requested) {
    const wantedRecords = requestedContents(set, apex)
    const all = stored.filter(({ name, type }) => name === set.name && type === set.type)
    const enabledRecords = all.filter(({ disabled }) => !disabled)
    const isSame = (record: StoredRecord, { content, priority }: WizardContent) =>
      record.content === content && (record.priority ?? 0) === priority
    const missing = wantedRecords.filter(
      (one) => !enabledRecords.some((record) => isSame(record, one))
    )
    // An RRset contains a record once, enabled or disabled.
    const findSameRecord = (one: WizardContent) =>
      all.find((record) => record.disabled && isSame(record, one))
    const ownRecords = enabledRecords.filter((record) => {
      const { content, name, type } = record
      const isRetained = wantedRecords.some((one) => isSame(record, one))
      return !isRetained && set.isOwn({ content, name, type, priority: record.priority ?? 0 })
    })
    const otherRecords = enabledRecords.filter((record) => !ownRecords.includes(record))
    const views = ownRecords.map((record) => recordView(record, apex, record.comment))
    const name = relativeName(set.name, apex)
    preview.lines.push(
      ...otherRecords.map((record) => line(' ', set, record, apex)),
      ...ownRecords.map((record) => line('-', set, record, apex)),
      ...missing.map((one) => line('+', set, one, apex))
    )
    const setMembers = { set: setKey(set), name, type: set.type, since }
    const newRecords = missing.filter((one) => !findSameRecord(one))
    for (const sameRecord of missing.flatMap((one) => findSameRecord(one) ?? [])) {
      preview.changes.push(
        changeOf('update', recordView(sameRecord, apex, sameRecord.comment), setMembers, {
          disabled: false,
        })
      )
    }
    newRecords.forEach((one, position) => {
      const before = views.at(position)
      const values = valuesOf(set.type, one)
      preview.changes.push(
        before ? changeOf('update', before, setMembers, values) : creation(setMembers, values)
      )
    })
    views.slice(newRecords.length).forEach((view) => {
      preview.changes.push(changeOf('delete', view, setMembers))
    })
  }
  return preview
}

/** The requested records in canonical form, without duplicates. */
function requestedContents({ name, type, records }: RequestedSet, apex: string): WizardContent[] {
  const all = records.map(({ content, priority = 0 }) => {
    const canonical = canonicalRecord({ name, type, content, priority, disabled: false, apex })
    return { content: canonical.content, priority: canonical.priority }
  })
  return all.filter(
    (one, position) =>
      all.findIndex((it) => it.content === one.content && it.priority === one.priority) === position
  )
}

interface RRsetInDraft {
  set: string
  /** Relative to the zone. */
  name: string
  type: string
  since: number
}

/** Returns a short hash that identifies a set in the keys of changes. */
function setKey({ role, name, type }: RequestedSet): string {
  const text = JSON.stringify([role, name, type])
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}

function creation({ set, name, type, since }: RRsetInDraft, values: object): WizardChange {
  return { key: `new ${set} ${randomUUID()}`, action: 'create', set, name, type, ...values, since }
}

function changeOf(
  action: 'update' | 'delete',
  before: RecordView,
  { set, since }: RRsetInDraft,
  values: object = {}
): WizardChange {
  const { id, tag } = before
  return { key: id, action, set, id, tag, was: shownOf(before), ...values, since }
}

function valuesOf(type: string, { content, priority }: WizardContent): object {
  return { content, ...(type === 'MX' || type === 'SRV' ? { priority } : {}) }
}

function shownOf({ name, type, content, ttl, priority, disabled, comment }: RecordView) {
  return { name, type, content, ttl, priority, disabled, comment }
}

function line(
  sign: '+' | '-' | ' ',
  { name, type }: RequestedSet,
  { content, priority }: { content: string; priority?: number | null },
  apex: string
) {
  const number = type === 'MX' || type === 'SRV' ? `${priority ?? 0} ` : ''
  return { sign, text: `${displayName(relativeName(name, apex)).text} ${type} ${number}${content}` }
}
