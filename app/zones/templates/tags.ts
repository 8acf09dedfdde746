import type { TemplateRecord } from '#dns/templates/template_record'
import { stateTag } from '#exceptions/state_tag'
import type { ZoneTemplate } from '#zones/templates/zone_templates'

/** The `stateTag` of what a template is beside its records. */
export function templateTag({ name, description, ownerId, isGlobal }: ZoneTemplate): string {
  return stateTag([name, description, ownerId, isGlobal])
}

/** The `stateTag` of a record as it is stored. */
export function templateRecordTag({ name, type, content, ttl, priority }: TemplateRecord): string {
  return stateTag([name, type, content, ttl, priority])
}
