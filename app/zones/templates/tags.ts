import type { TemplateRecord } from '#dns/templates/template_record'
import { stateTag } from '#exceptions/state_tag'
import type { ZoneTemplate } from '#zones/templates/zone_templates'

/** Entity tag of a template without its records. */
export function templateTag({ name, description, ownerId, isGlobal }: ZoneTemplate): string {
  return stateTag([name, description, ownerId, isGlobal])
}

/** Entity tag of a stored record. */
export function templateRecordTag({ name, type, content, ttl, priority }: TemplateRecord): string {
  return stateTag([name, type, content, ttl, priority])
}
