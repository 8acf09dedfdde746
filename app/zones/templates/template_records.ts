import type { Actor } from '#access/actor'
import type { ZoneTemplateFacts } from '#access/authorize'
import { demand } from '#access/demand'
import dns from '#config/dns'
import { ActionErrors, throwItemErrors } from '#changes/model/action_error'
import { checkWritableType } from '#changes/planning/target_rrsets'
import type { Intent } from '#changes/model/intent'
import {
  checkedTemplateRecord,
  firstTemplateRecord,
  MAX_TEMPLATE_RECORDS,
  presentTemplateContent,
  type TemplateRecord,
} from '#dns/templates/template_record'
import { invalid, notFound } from '#exceptions/refusal'
import { defineList } from '#lists/declaration'
import { listInMemory, withStoredNames } from '#lists/memory/sort_in_memory'
import type { ListResult } from '#lists/list_result'
import type { ListQuery } from '#lists/query'
import { recordDetail, zoneTemplateEvent } from '#zones/templates/events'
import { demandTag } from '#exceptions/state_tag'
import { templateRecordTag } from '#zones/templates/tags'
import { touchTemplate, writeTemplates } from '#zones/templates/write'
import {
  viewZoneTemplate,
  zoneTemplateOf,
  type StoredTemplateRecord,
} from '#zones/templates/zone_templates'

/** Columns and filters of the list. */
export const TEMPLATE_RECORD_LIST = defineList({
  sort: {
    name: 'natural',
    type: 'natural',
    content: 'natural',
    ttl: 'number',
    priority: 'number',
  },
  filters: { type: 'caseless', name: 'contains', content: 'contains' },
  search: ['name', 'content'],
  names: ['name', 'content'],
  defaultOrder: [{ field: 'stored_name' }, { field: 'id' }],
  shortReason: 'the records of one template',
})

type TemplateRecordQuery = ListQuery<
  keyof typeof TEMPLATE_RECORD_LIST.sort,
  keyof typeof TEMPLATE_RECORD_LIST.filters & string
>

/** Lists the records of a template in presentation format. Throws as `viewZoneTemplate`. */
export async function listTemplateRecords(
  actor: Actor,
  templateId: number,
  query: TemplateRecordQuery
): Promise<ListResult<StoredTemplateRecord>> {
  const { records } = await viewZoneTemplate(actor, templateId)
  return listInMemory(TEMPLATE_RECORD_LIST, query, withStoredNames(records.map(shownRecord)))
}

/**
 * Returns one record of a template. Throws as `viewZoneTemplate`, and a 404 `Refusal` for a missing
 * record.
 */
export async function findTemplateRecord(
  actor: Actor,
  templateId: number,
  id: number
): Promise<StoredTemplateRecord> {
  const { records } = await viewZoneTemplate(actor, templateId)
  return shownRecord(recordIn(records, id))
}

/** Converts the content to presentation format. */
export function shownRecord<Shown extends TemplateRecord>(record: Shown): Shown {
  return { ...record, content: presentTemplateContent(record) }
}

/** A record to add; by default with the TTL of the settings and the priority 0. */
export interface NewTemplateRecord extends Pick<TemplateRecord, 'name' | 'type' | 'content'> {
  ttl?: number
  priority?: number
}

/**
 * Adds a record to a template. Throws `InvalidDns` for invalid data, a 403 `Refusal` without the
 * right, a 404 for a missing template, and a 400 for a full template.
 */
export function addTemplateRecord(
  intent: Intent,
  templateId: number,
  input: NewTemplateRecord
): Promise<{ id: number }> {
  return writeTemplates(intent, async (trx) => {
    const template = await zoneTemplateOf(trx, templateId)
    demandType(intent.actor, template, input.type)
    const checked = newRecord(input)
    if (template.records.length >= MAX_TEMPLATE_RECORDS) {
      throw invalid(`A zone template can have at most ${MAX_TEMPLATE_RECORDS} records`)
    }
    const inserted = await trx
      .insertQuery<{ id: number | string }>()
      .table('zw_zone_template_records')
      .returning('id')
      .insert({ template_id: templateId, ...columnsOf(checked) })
    // The MariaDB driver returns the id itself.
    const [first] = inserted as (number | { id: number | string })[]
    const id = Number(typeof first === 'number' ? first : first.id)
    await touchTemplate(trx, templateId)
    const detail = { record: recordDetail({ ...checked, id }) }
    const event = zoneTemplateEvent('zone_template.record_added', template, detail)
    return { result: { id }, events: [event] }
  })
}

/**
 * Returns the records of a new template in stored form, with an SOA record first if they have none.
 *
 * @throws Refusal with the errors of all records, up to 100
 */
export function newTemplateRecords(
  actor: Actor,
  isGlobal: boolean,
  inputs: NewTemplateRecord[]
): TemplateRecord[] {
  const template = { ownerId: actor.userId, isGlobal }
  const errors = new ActionErrors()
  const check = (input: NewTemplateRecord) => {
    demandType(actor, template, input.type)
    return newRecord(input)
  }
  const records = inputs.flatMap((input, index) => errors.attempt(index, () => check(input)) ?? [])
  throwItemErrors(errors, 'records')
  const hasSoa = records.some(({ type }) => type === 'SOA')
  return hasSoa ? records : [firstTemplateRecord(dns.ttl), ...records]
}

/**
 * Changes the given members of a record. Throws as `addTemplateRecord`.
 *
 * @param expectedTag tag from `templateRecordTag`; throws a 412 `Refusal` if the stored one differs
 */
export function updateTemplateRecord(
  intent: Intent,
  templateId: number,
  id: number,
  patch: Partial<TemplateRecord>,
  expectedTag?: string
): Promise<void> {
  return writeTemplates(intent, async (trx) => {
    const template = await zoneTemplateOf(trx, templateId)
    demand(intent.actor, { action: 'zone_template.edit', template })
    const before = recordIn(template.records, id)
    demandTag(templateRecordTag(before), expectedTag)
    const isOtherType = patch.type !== undefined && patch.type.toUpperCase() !== before.type
    // The new type may have no priority.
    const requestedRecord = { ...before, ...(isOtherType ? { priority: 0 } : {}), ...patch }
    demandType(intent.actor, template, before.type)
    demandType(intent.actor, template, requestedRecord.type)
    const after = { ...checkedRecord(requestedRecord), id }
    const [from, to] = [JSON.stringify(columnsOf(before)), JSON.stringify(columnsOf(after))]
    if (from === to) {
      return { result: undefined, events: [] }
    }
    await trx.from('zw_zone_template_records').where('id', id).update(columnsOf(after))
    await touchTemplate(trx, templateId)
    const detail = { before: recordDetail(before), after: recordDetail(after) }
    const event = zoneTemplateEvent('zone_template.record_changed', template, detail)
    return { result: undefined, events: [event] }
  })
}

/** Deletes a record of a template. Throws as `updateTemplateRecord`. */
export function deleteTemplateRecord(
  intent: Intent,
  templateId: number,
  id: number,
  expectedTag?: string
): Promise<void> {
  return writeTemplates(intent, async (trx) => {
    const template = await zoneTemplateOf(trx, templateId)
    demand(intent.actor, { action: 'zone_template.edit', template })
    const storedRecord = recordIn(template.records, id)
    demandTag(templateRecordTag(storedRecord), expectedTag)
    demandType(intent.actor, template, storedRecord.type)
    await trx.from('zw_zone_template_records').where('id', id).delete()
    await touchTemplate(trx, templateId)
    const detail = { record: recordDetail(storedRecord) }
    const event = zoneTemplateEvent('zone_template.record_removed', template, detail)
    return { result: undefined, events: [event] }
  })
}

function newRecord({ ttl = dns.ttl, priority = 0, ...record }: NewTemplateRecord): TemplateRecord {
  return checkedRecord({ ...record, ttl, priority })
}

function demandType(actor: Actor, template: ZoneTemplateFacts, type: string): void {
  demand(actor, { action: 'zone_template.write_record', template, type: type.toUpperCase() })
}

/**
 * Throws `InvalidDns`, also for types that only the name server writes or that it does not support.
 */
function checkedRecord(input: TemplateRecord): TemplateRecord {
  checkWritableType(input.type)
  return checkedTemplateRecord(input)
}

function recordIn(records: StoredTemplateRecord[], id: number): StoredTemplateRecord {
  const storedRecord = records.find((record) => record.id === id)
  if (!storedRecord) {
    throw notFound('Record not found in this zone template')
  }
  return storedRecord
}

function columnsOf({ name, type, content, ttl, priority }: TemplateRecord) {
  return { name, type, content, ttl, priority }
}
