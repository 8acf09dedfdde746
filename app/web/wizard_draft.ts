import { randomUUID } from 'node:crypto'
import type { StoredRecord } from '#backends/types'
import { canonicalRecord } from '#dns/records/registry'
import type { WishedSet } from '#dns/wizards/wizard'
import { relativeName } from '#dns/name_tree'
import { recordView, type RecordView } from '#web/record_view'
import { shownName } from '#web/shown_name'

/** A change of a draft, as `zoneDraft` takes it. */
export type WizardChange = Record<string, unknown> & { action: 'create' | 'update' | 'delete' }

/** What a wizard would change, and how that reads. */
export interface WizardPreview {
  changes: WizardChange[]
  lines: { sign: '+' | '-' | ' '; text: string }[]
}

interface Wanted {
  content: string
  priority: number
}

/**
 * The draft that brings RRsets to what a wizard wants: records that are so already stay, others of the wizard become what
 * is wanted, and only what is left over is made or taken away. Throws `InvalidDns` for a content that cannot be.
 *
 * @param stored the records that are there, at all of these names
 * @param since  number of the newest entry of the zone's history
 */
export function wizardDraft(
  wished: readonly WishedSet[],
  { stored, apex, since }: { stored: readonly StoredRecord[]; apex: string; since: number }
): WizardPreview {
  const preview: WizardPreview = { changes: [], lines: [] }
  for (const set of wished) {
    const wanted = wantedOf(set, apex)
    const there = stored.filter(({ name, type, disabled }) => {
      return name === set.name && type === set.type && !disabled
    })
    const isSame = (record: StoredRecord, { content, priority }: Wanted) =>
      record.content === content && (record.priority ?? 0) === priority
    const missing = wanted.filter((one) => !there.some((record) => isSame(record, one)))
    const own = there.filter((record) => {
      const { content, name, type } = record
      const isKept = wanted.some((one) => isSame(record, one))
      return !isKept && set.isOwn({ content, name, type, priority: record.priority ?? 0 })
    })
    const kept = there.filter((record) => !own.includes(record))
    const views = own.map((record) => recordView(record, apex))
    const name = relativeName(set.name, apex)
    preview.lines.push(
      ...kept.map((record) => line(' ', set, record, apex)),
      ...own.map((record) => line('-', set, record, apex)),
      ...missing.map((one) => line('+', set, one, apex))
    )
    missing.forEach((one, at) => {
      preview.changes.push(changeTo(set.type, name, one, { before: views.at(at), since }))
    })
    views.slice(missing.length).forEach((view) => {
      const { id, tag } = view
      preview.changes.push({ key: id, action: 'delete', id, tag, was: shownOf(view), since })
    })
  }
  return preview
}

/** What is wanted in canonical form, each once. */
function wantedOf({ name, type, records }: WishedSet, apex: string): Wanted[] {
  const all = records.map(({ content, priority = 0 }) => {
    const made = canonicalRecord({ name, type, content, priority, disabled: false, apex })
    return { content: made.content, priority: made.priority }
  })
  return all.filter(
    (one, at) =>
      all.findIndex((it) => it.content === one.content && it.priority === one.priority) === at
  )
}

function changeTo(
  type: string,
  name: string,
  { content, priority }: Wanted,
  { before, since }: { before: RecordView | undefined; since: number }
): WizardChange {
  const values = { content, ...(type === 'MX' || type === 'SRV' ? { priority } : {}) }
  if (!before) {
    return { key: `new ${randomUUID()}`, action: 'create', name, type, ...values, since }
  }
  const { id, tag } = before
  return { key: id, action: 'update', id, tag, was: shownOf(before), ...values, since }
}

function shownOf({ name, type, content, ttl, priority, disabled, comment }: RecordView) {
  return { name, type, content, ttl, priority, disabled, comment }
}

function line(
  sign: '+' | '-' | ' ',
  { name, type }: WishedSet,
  { content, priority }: { content: string; priority?: number | null },
  apex: string
) {
  const number = type === 'MX' || type === 'SRV' ? `${priority ?? 0} ` : ''
  return { sign, text: `${shownName(relativeName(name, apex)).text} ${type} ${number}${content}` }
}
