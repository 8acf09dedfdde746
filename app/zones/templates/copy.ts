import { authorize } from '#access/authorize'
import type { Intent } from '#changes/model/intent'
import { forbidden } from '#exceptions/refusal'
import { createZoneTemplate, type ZoneTemplateInput } from '#zones/templates/template_writes'
import { viewZoneTemplate } from '#zones/templates/zone_templates'

/**
 * Creates a template with the records of another one, including its SOA record. Throws as
 * `viewZoneTemplate` and `createZoneTemplate`, and a 403 `Refusal` for records that the actor may
 * not write into a template.
 */
export async function copyZoneTemplate(
  intent: Intent,
  sourceId: number,
  input: ZoneTemplateInput
): Promise<{ id: number }> {
  const { actor } = intent
  const { records } = await viewZoneTemplate(actor, sourceId)
  const template = { ownerId: actor.userId, isGlobal: input.isGlobal }
  const refused = records.find(
    ({ type }) =>
      type !== 'SOA' &&
      !authorize(actor, { action: 'zone_template.apply', template, types: [type] }).allowed
  )
  if (refused) {
    throw forbidden(
      `You do not have permission to copy this zone template: it has a record of type ${refused.type} (${refused.name})`
    )
  }
  return createZoneTemplate(
    intent,
    input,
    records.map(({ name, type, content, ttl, priority }) => ({
      name,
      type,
      content,
      ttl,
      priority,
    }))
  )
}
