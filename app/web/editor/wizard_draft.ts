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

interface Wanted {
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
    const wanted = wantedOf(set, apex)
    const all = stored.filter(({ name, type }) => name === set.name && type === set.type)
    const there = all.filter(({ disabled }) => !disabled)
    const isSame = (record: StoredRecord, { content, priority }: Wanted) =>
      record.content === content && (record.priority ?? 0) === priority
    const missing = wanted.filter((one) => !there.some((record) => isSame(record, one)))
    // An RRset contains a record once, enabled or disabled.
    const twinOf = (one: Wanted) => all.find((record) => record.disabled && isSame(record, one))
    const own = there.filter((record) => {
      const { content, name, type } = record
      const isRetained = wanted.some((one) => isSame(record, one))
      return !isRetained && set.isOwn({ content, name, type, priority: record.priority ?? 0 })
    })
    const kept = there.filter((record) => !own.includes(record))
    const views = own.map((record) => recordView(record, apex, record.comment))
    const name = relativeName(set.name, apex)
    preview.lines.push(
      ...kept.map((record) => line(' ', set, record, apex)),
      ...own.map((record) => line('-', set, record, apex)),
      ...missing.map((one) => line('+', set, one, apex))
    )
    const place = { set: setKey(set), name, type: set.type, since }
    const fresh = missing.filter((one) => !twinOf(one))
    for (const twin of missing.flatMap((one) => twinOf(one) ?? [])) {
      preview.changes.push(
        changeOf('update', recordView(twin, apex, twin.comment), place, { disabled: false })
      )
    }
    fresh.forEach((one, at) => {
      const before = views.at(at)
      const values = valuesOf(set.type, one)
      preview.changes.push(
        before ? changeOf('update', before, place, values) : creation(place, values)
      )
    })
    views.slice(fresh.length).forEach((view) => {
      preview.changes.push(changeOf('delete', view, place))
    })
  }
  return preview
}

/** The requested records in canonical form, without duplicates. */
function wantedOf({ name, type, records }: RequestedSet, apex: string): Wanted[] {
  const all = records.map(({ content, priority = 0 }) => {
    const made = canonicalRecord({ name, type, content, priority, disabled: false, apex })
    return { content: made.content, priority: made.priority }
  })
  return all.filter(
    (one, at) =>
      all.findIndex((it) => it.content === one.content && it.priority === one.priority) === at
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

function valuesOf(type: string, { content, priority }: Wanted): object {
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
