import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { Actor } from '#access/actor'
import { demand } from '#access/demand'
import { timestampNow } from '#changes/model/clock'
import type { Intent } from '#changes/model/intent'
import dns from '#config/dns'
import { chunks } from '#database/statements/chunks'
import { firstTemplateRecord, type TemplateRecord } from '#dns/templates/template_record'
import { conflict } from '#exceptions/refusal'
import { zoneTemplateEvent, zoneTemplateUpdated } from '#zones/templates/events'
import { demandTag } from '#exceptions/state_tag'
import { templateTag } from '#zones/templates/tags'
import { touchTemplate, writeTemplates } from '#zones/templates/write'
import { visibleTemplates, zoneTemplateOf } from '#zones/templates/zone_templates'

/** Input for a zone template. */
export interface ZoneTemplateInput {
  name: string
  description: string
  /** Global templates have no owner, and all users can use them. */
  isGlobal: boolean
}

/**
 * Creates a template with these records; by default, with an SOA record only. Throws a 403
 * `Refusal` without the right, and a 409 if a visible template has the name.
 */
export function createZoneTemplate(
  intent: Intent,
  input: ZoneTemplateInput,
  records: TemplateRecord[] = [firstTemplateRecord(dns.ttl)]
): Promise<{ id: number }> {
  const { actor } = intent
  demand(actor, { action: 'zone_template.create', isGlobal: input.isGlobal })
  return writeTemplates(intent, async (trx) => {
    await requireFree(trx, actor, input.name)
    const now = timestampNow()
    const inserted = await trx
      .insertQuery<{ id: number | string }>()
      .table('zw_zone_templates')
      .returning('id')
      .insert({ ...columnsOf(actor, input), created_at: now, updated_at: now })
    // The MariaDB driver returns the id itself.
    const [first] = inserted as (number | { id: number | string })[]
    const id = Number(typeof first === 'number' ? first : first.id)
    await addRecords(trx, id, records)
    const detail = { description: input.description, is_global: input.isGlobal }
    const event = zoneTemplateEvent('zone_template.created', { id, name: input.name }, detail)
    return { result: { id }, events: [event] }
  })
}

/**
 * Changes the given members of a template; linked zones do not change. Throws as
 * `createZoneTemplate`, and a 404 `Refusal` for a missing template.
 *
 * @param expectedTag tag from `templateTag`; throws a 412 `Refusal` if the stored one differs
 */
export function updateZoneTemplate(
  intent: Intent,
  id: number,
  patch: Partial<ZoneTemplateInput>,
  expectedTag?: string
): Promise<void> {
  const { actor } = intent
  return writeTemplates(intent, async (trx) => {
    const before = await zoneTemplateOf(trx, id)
    const isGlobal = patch.isGlobal ?? before.isGlobal
    demand(actor, { action: 'zone_template.edit', template: before, isGlobal })
    demandTag(templateTag(before), expectedTag)
    const updated = {
      name: patch.name ?? before.name,
      description: patch.description ?? before.description,
      isGlobal,
    }
    if (updated.name !== before.name) {
      await requireFree(trx, actor, updated.name)
    }
    const columns = columnsOf(actor, updated)
    // The owner changes only together with `isGlobal`.
    const owner = isGlobal === before.isGlobal ? before.ownerId : columns.user_id
    await trx
      .from('zw_zone_templates')
      .where('id', id)
      .update({ ...columns, user_id: owner })
    await touchTemplate(trx, id)
    const events = zoneTemplateUpdated(before, { ...updated, id, ownerId: owner })
    return { result: undefined, events }
  })
}

/**
 * Deletes a template; linked zones keep their records and lose the link. Throws a 403 `Refusal`
 * without the right, and a 404 for a missing template.
 */
export function deleteZoneTemplate(intent: Intent, id: number): Promise<void> {
  return writeTemplates(intent, async (trx) => {
    const template = await zoneTemplateOf(trx, id)
    demand(intent.actor, { action: 'zone_template.edit', template })
    await trx.from('zw_zone_templates').where('id', id).delete()
    const detail = { is_global: template.isGlobal, records: template.records.length }
    const event = zoneTemplateEvent('zone_template.deleted', template, detail)
    return { result: undefined, events: [event] }
  })
}

async function addRecords(
  trx: TransactionClientContract,
  templateId: number,
  records: TemplateRecord[]
): Promise<void> {
  const rows = records.map((it) => ({
    template_id: templateId,
    name: it.name,
    type: it.type,
    content: it.content,
    ttl: it.ttl,
    priority: it.priority,
  }))
  for (const part of chunks(rows)) {
    await trx.table('zw_zone_template_records').multiInsert(part)
  }
}

/** Hidden templates do not block a name: an error would reveal them. */
async function requireFree(
  trx: TransactionClientContract,
  actor: Actor,
  name: string
): Promise<void> {
  const templates = await visibleTemplates(trx, actor)
  if (templates.some((template) => template.name === name)) {
    throw conflict('A zone template with this name already exists')
  }
}

function columnsOf({ userId }: Actor, { name, description, isGlobal }: ZoneTemplateInput) {
  return { name, description, is_global: isGlobal, user_id: isGlobal ? null : userId }
}
