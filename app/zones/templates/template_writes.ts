import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { Actor } from '#access/actor'
import { demand } from '#access/demand'
import { momentNow } from '#changes/model/clock'
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

/** A zone template as it is asked for. */
export interface ZoneTemplateInput {
  name: string
  description: string
  /** For everybody, and owned by nobody. */
  isGlobal: boolean
}

/**
 * Makes a zone template of these records; of an SOA record alone where none are given. Throws a 403 `Refusal`
 * where the actor may not, and a 409 for a name that a template has which they can see.
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
    const now = momentNow()
    const inserted = await trx
      .insertQuery<{ id: number | string }>()
      .table('zw_zone_templates')
      .returning('id')
      .insert({ ...columnsOf(actor, input), created_at: now, updated_at: now })
    // MariaDB's driver gives the id itself.
    const [first] = inserted as (number | { id: number | string })[]
    const id = Number(typeof first === 'number' ? first : first.id)
    await addRecords(trx, id, records)
    const detail = { description: input.description, is_global: input.isGlobal }
    const event = zoneTemplateEvent('zone_template.created', { id, name: input.name }, detail)
    return { result: { id }, events: [event] }
  })
}

/**
 * Changes what is given of a zone template; the rest stays. Zones that came from it do not change by this. Throws
 * as `createZoneTemplate`, a 404 `Refusal` for a missing one, and a 412 for one that is not as it was seen.
 *
 * @param seen the `templateTag` that it must still have; absent: whatever it is
 */
export function updateZoneTemplate(
  intent: Intent,
  id: number,
  patch: Partial<ZoneTemplateInput>,
  seen?: string
): Promise<void> {
  const { actor } = intent
  return writeTemplates(intent, async (trx) => {
    const before = await zoneTemplateOf(trx, id)
    const isGlobal = patch.isGlobal ?? before.isGlobal
    demand(actor, { action: 'zone_template.edit', template: before, isGlobal })
    demandTag(templateTag(before), seen)
    const wanted = {
      name: patch.name ?? before.name,
      description: patch.description ?? before.description,
      isGlobal,
    }
    if (wanted.name !== before.name) {
      await requireFree(trx, actor, wanted.name)
    }
    const columns = columnsOf(actor, wanted)
    // Whose it is changes only together with for whom it is.
    const owner = isGlobal === before.isGlobal ? before.ownerId : columns.user_id
    await trx
      .from('zw_zone_templates')
      .where('id', id)
      .update({ ...columns, user_id: owner })
    await touchTemplate(trx, id)
    const events = zoneTemplateUpdated(before, { ...wanted, id, ownerId: owner })
    return { result: undefined, events }
  })
}

/**
 * Deletes a zone template. Zones that came from it keep all of their records, and are linked to none. Throws a 403
 * `Refusal` where the actor may not, and a 404 for a missing one.
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

/** Names of templates that one does not see may be taken: nobody learns which others there are. */
async function requireFree(
  trx: TransactionClientContract,
  actor: Actor,
  name: string
): Promise<void> {
  const known = await visibleTemplates(trx, actor)
  if (known.some((template) => template.name === name)) {
    throw conflict('A zone template with this name already exists')
  }
}

function columnsOf({ userId }: Actor, { name, description, isGlobal }: ZoneTemplateInput) {
  return { name, description, is_global: isGlobal, user_id: isGlobal ? null : userId }
}
