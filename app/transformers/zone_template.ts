import type {
  ListedZoneTemplate,
  StoredTemplateRecord,
  ZoneTemplate,
  ZoneTemplateDetail,
} from '#zones/templates/zone_templates'
import { shownRecord } from '#zones/templates/template_records'

/** A zone template in a list of the API. */
export function zoneTemplateItem(template: ListedZoneTemplate) {
  return { ...members(template), zones_linked: template.zones_linked }
}

/** A zone template of the API, with its records. */
export function zoneTemplateDetail(template: ZoneTemplateDetail) {
  return {
    ...members(template),
    records: template.records.map((record) => templateRecordItem(shownRecord(record))),
  }
}

/** A record of a zone template with the content of `shownRecord`. */
export function templateRecordItem(record: StoredTemplateRecord) {
  const { id, name, type, content, ttl, priority } = record
  return { id, name, type, content, ttl, priority }
}

/** Owner 0: the template is global, or its owner is deleted. */
function members({ id, name, description, ownerId, isGlobal }: ZoneTemplate) {
  return { id, name, description, owner: ownerId ?? 0, is_global: isGlobal }
}
