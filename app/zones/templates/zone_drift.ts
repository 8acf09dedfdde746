import db from '@adonisjs/lucid/services/db'
import type { BackendZone, DnsBackend } from '#backends/contract/backend'
import { timestampNow } from '#changes/model/clock'
import type { StoredLink } from '#changes/model/template_link'
import { linkedRRsets, findTemplateLink } from '#changes/transaction/template_links'
import { findZoneRow } from '#changes/zone_index/zone_rows'
import { templateDrift, type DriftInput, type TemplateDifference } from '#dns/templates/drift'
import { expandTemplate } from '#zones/templates/expansion'
import type { ZoneTemplateDetail } from '#zones/templates/zone_templates'

/** Differences between a zone and a template. */
export interface ZoneDrift {
  /** The template link of the zone, to any template; null without a link. */
  link: StoredLink | null
  /** Value of time placeholders. */
  linkedAt: string
  input: DriftInput
  differences: TemplateDifference[]
}

/** Returns the template link of a zone; null without a link. */
export async function linkOf(zone: BackendZone): Promise<StoredLink | null> {
  const row = await findZoneRow(zone)
  return row && findTemplateLink(db.connection(), row.uid)
}

/**
 * Compares a zone with a template. Records from another template count as records from this one; a
 * sync deletes them if this one lacks them. Throws a 400 `Refusal` if the template does not fit the
 * zone.
 */
export async function driftOf(
  backend: DnsBackend,
  zone: BackendZone,
  template: ZoneTemplateDetail
): Promise<ZoneDrift> {
  const link = await linkOf(zone)
  const isSame = link?.templateId === template.id
  const linkedAt = isSame ? link.linkedAt : timestampNow()
  const { rrsets: wanted } = expandTemplate(zone.name, template.records, linkedAt)
  const fromTemplate = linkedRRsets(zone.name, link?.templateRecords ?? [])
  const names = [...new Set([...wanted, ...fromTemplate].map(({ name }) => name))]
  const current = names.length > 0 ? await backend.rrsetsAt(zone, names) : []
  const input = { apex: zone.name, wanted, given: fromTemplate, current }
  return { link, linkedAt, input, differences: templateDrift(input) }
}
