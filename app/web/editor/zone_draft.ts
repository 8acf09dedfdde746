import type { Infer } from '@vinejs/vine/types'
import { forAction } from '#changes/model/action_error'
import { InvalidDns } from '#dns/errors'
import { parseTtl } from '#dns/rdata/ttl_text'
import { invalid } from '#exceptions/refusal'
import { refuseBrokenText } from '#exceptions/whole_text'
import { zoneDraft, type recordForm } from '#validators/web/zone_draft'
import type { BulkOperation } from '#zones/records/bulk'

/** A change of a record with a numeric TTL and priority. */
export type ValidChange = Omit<Infer<typeof zoneDraft>['changes'][number], 'ttl' | 'priority'> & {
  ttl?: number
  priority?: number
}

/** A submitted change: TTL and priority may be invalid text instead of a number. */
type TypedChange = Omit<ValidChange, 'ttl' | 'priority'> & {
  ttl?: number | string
  priority?: number | string
}

/** Changes of records in the editor that are not applied yet. */
export type Draft = TypedChange[]

/** Returns whether TTL and priority of a change are valid. */
export function isSound(change: TypedChange): change is ValidChange {
  return typeof change.ttl !== 'string' && typeof change.priority !== 'string'
}

type ShownRecord = NonNullable<Draft[number]['was']>

type RecordFields = Infer<typeof recordForm>

/** Parses the draft of a form. Invalid TTLs and priorities stay as typed. Throws a 400 `Refusal` for an invalid draft. */
export async function draftIn(text: string): Promise<Draft> {
  let changes: unknown
  try {
    changes = JSON.parse(text)
  } catch {
    throw invalid('The changes in the form are not valid JSON')
  }
  refuseBrokenText(changes, 'changes')
  const [error, draft] = await zoneDraft.tryValidate({ changes })
  if (error) {
    const messages = error.messages as { field: string; message: string }[]
    const [first] = messages
    throw invalid(`Change ${first.field}: ${first.message}`)
  }
  return draft.changes.map(({ ttl, priority, ...change }) => ({
    ...change,
    ...(ttl === undefined ? {} : { ttl: parseUnlessStored(ttl, change.was?.ttl, ttlOf) }),
    ...(priority === undefined
      ? {}
      : { priority: parseUnlessStored(priority, change.was?.priority, priorityOf) }),
  }))
}

/** The stored number if the text repeats it, valid or not; the text if it is no valid number. */
function parseUnlessStored(
  text: string,
  stored: number | null | undefined,
  read: (text: string) => number
): number | string {
  if (String(stored) === text) return Number(text)
  try {
    return read(text)
  } catch {
    return text
  }
}

/** Returns the change of the form of one record. Throws a 400 `Refusal` for an invalid TTL or priority. */
export function changeOf(fields: RecordFields, id?: string): ValidChange {
  const { name, type, content, tag, disabled, comment, ptr } = fields
  const displayedRecord = fields.was ? displayedRecordIn(fields.was) : undefined
  const ttl = numberIn(fields.ttl, displayedRecord?.ttl, ttlOf)
  const priority = numberIn(fields.priority, displayedRecord?.priority, priorityOf)
  return {
    action: id === undefined ? 'create' : 'update',
    ...(id === undefined ? {} : { id }),
    ...(tag ? { tag } : {}),
    name: name?.trim() || '@',
    type,
    content:
      content?.trim() === displayedRecord?.content.trim()
        ? displayedRecord?.content
        : content?.trim(),
    ...(ttl === undefined ? {} : { ttl }),
    ...(priority === undefined ? {} : { priority }),
    disabled: disabled !== undefined,
    // An unchanged comment is not sent.
    ...(comment === undefined || comment.trim() === (displayedRecord?.comment ?? '')
      ? {}
      : { comment: comment.trim() }),
    ...(ptr === undefined ? {} : { ptr: true }),
    ...(displayedRecord ? { was: displayedRecord } : {}),
    ...(/^\d{1,9}$/.test(fields.since ?? '') ? { since: Number(fields.since) } : {}),
  }
}

/** The number in a field; undefined for an empty one. A stored number that is repeated is not validated. */
function numberIn(
  field: string | undefined,
  stored: number | null | undefined,
  read: (text: string) => number
): number | undefined {
  const text = field?.trim() ?? ''
  if (text === '') return undefined
  return String(stored) === text ? Number(text) : read(text)
}

/** The record that the form displayed; nothing for an invalid text. */
function displayedRecordIn(text: string): Draft[number]['was'] {
  try {
    const displayed = JSON.parse(text) as ShownRecord
    refuseBrokenText(displayed, 'was')
    const { name, type, content, ttl, priority, disabled, comment } = displayed
    return [name, type, content].every((value) => typeof value === 'string')
      ? { name, type, content, ttl, priority, disabled, comment: String(comment ?? '') }
      : undefined
  } catch {
    return undefined
  }
}

/** Returns a text for the record of a change: the displayed record, otherwise the new one. */
export function recordText({ was, id, name, type, content, priority }: Draft[number]): string {
  const displayed = was ?? { name, type, content, priority }
  const values = [
    displayed.name,
    displayed.type,
    displayed.priority || null,
    shortened(displayed.content),
  ]
  const text = values.filter((value) => value !== null && value !== undefined && value !== '')
  return text.length > 0 ? text.join(' ') : String(id ?? '')
}

/** The operations of a draft. Throws `ActionRefused` for an invalid TTL or priority. */
export function operationsOf(draft: Draft): BulkOperation[] {
  return draft.map((change, index) => {
    const { action, id, tag, name, type, content, was, disabled, comment, ptr } = change
    const { ttl, priority } = forAction(index, () => numbersOf(change))
    const isOverwritten = action === 'update' && comment !== undefined && was !== undefined
    const record = { name, type, content, ttl, priority, disabled, comment }
    return {
      action,
      ...(id === undefined ? {} : { id }),
      ...Object.fromEntries(Object.entries(record).filter(([, value]) => value !== undefined)),
      ...(tag ? { condition: { kind: 'match' as const, tags: [tag] } } : {}),
      ...(isOverwritten ? { expectedComment: was.comment ?? '' } : {}),
      ...(ptr ? { withPtr: true } : {}),
      keepTtl: true,
    }
  })
}

function numbersOf({ ttl, priority }: TypedChange): Pick<ValidChange, 'ttl' | 'priority'> {
  return {
    ttl: typeof ttl === 'string' ? ttlOf(ttl) : ttl,
    priority: typeof priority === 'string' ? priorityOf(priority) : priority,
  }
}

function ttlOf(text: string): number {
  try {
    return parseTtl(text)
  } catch (error) {
    throw error instanceof InvalidDns ? invalid(error.message) : error
  }
}

function priorityOf(text: string): number {
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535) {
    throw invalid(`Field 'priority' must be a whole number from 0 to 65535, found "${text}"`)
  }
  return Number(text)
}

/** The beginning of a content, for a line that names its record. */
export function shortened(content = ''): string {
  return content.length > 80 ? `${content.slice(0, 79)}…` : content
}
