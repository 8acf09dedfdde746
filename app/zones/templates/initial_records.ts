import db from '@adonisjs/lucid/services/db'
import type { Actor } from '#access/actor'
import { authorize } from '#access/authorize'
import { demand } from '#access/demand'
import type { RecordInput } from '#changes/model/change_set'
import { timestampNow, today } from '#changes/model/clock'
import type { TemplateLink } from '#changes/model/template_link'
import { linkedRecords } from '#changes/transaction/template_links'
import dns, { EXAMPLE_NAME_SERVERS } from '#config/dns'
import { firstSerial } from '#dns/rdata/serial'
import { expandTemplate } from '#zones/templates/expansion'
import { missingTemplate, zoneTemplateOf } from '#zones/templates/zone_templates'

/** Initial records of a zone. */
export interface InitialRecords {
  records: RecordInput[]
  template?: TemplateLink
}

/**
 * Returns the records of the template, with an SOA record if it has none; without a template, the
 * defaults of the settings. A secondary zone gets none, and no template link.
 *
 * Throws a 404 `Refusal` for a missing or hidden template, a 403 for records that the actor may not
 * write, and a 400 if the template does not fit the zone.
 */
export async function beginningOf(
  actor: Actor,
  zone: { name: string; isReplica: boolean },
  templateId: number | undefined
): Promise<InitialRecords> {
  if (templateId === undefined) {
    return { records: zone.isReplica ? [] : [firstSoa(), ...defaultNameServers()] }
  }
  const template = await zoneTemplateOf(db.connection(), templateId)
  if (!authorize(actor, { action: 'zone_template.view', template }).allowed) {
    throw missingTemplate()
  }
  if (zone.isReplica) {
    return { records: [] }
  }
  const types = template.records.map(({ type }) => type)
  demand(actor, { action: 'zone_template.apply', template, types })
  const linkedAt = timestampNow()
  const { records, rrsets } = expandTemplate(zone.name, template.records, linkedAt)
  const hasSoa = records.some(({ type }) => type === 'SOA')
  return {
    records: hasSoa ? records : [firstSoa(), ...records],
    template: { templateId, linkedAt, templateRecords: linkedRecords(zone.name, rrsets) },
  }
}

/** Returns the default SOA record of the settings `dns.*`. */
export function firstSoa(): RecordInput {
  const timers = [dns.soa_refresh, dns.soa_retry, dns.soa_expire, dns.soa_minimum].join(' ')
  return apexRecord('SOA', `${dns.ns1} ${dns.hostmaster} ${firstSerial(today())} ${timers}`)
}

/**
 * NS records of `dns.default_ns`, or of those `dns.ns1` to `dns.ns4` that contain real host names.
 */
function defaultNameServers(): RecordInput[] {
  const configured = [dns.ns1, dns.ns2, dns.ns3, dns.ns4].filter(
    (host) => host !== '' && !EXAMPLE_NAME_SERVERS.includes(host)
  )
  const hosts = dns.default_ns.length > 0 ? dns.default_ns : [...new Set(configured)]
  return hosts.map((host) => apexRecord('NS', host))
}

function apexRecord(type: string, content: string): RecordInput {
  return { name: '@', type, content, ttl: dns.ttl, priority: 0, disabled: false }
}
