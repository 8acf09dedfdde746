import db from '@adonisjs/lucid/services/db'
import type { Actor } from '#access/actor'
import { authorize } from '#access/authorize'
import { demand } from '#access/demand'
import type { RecordInput } from '#changes/model/change_set'
import { momentNow, today } from '#changes/model/clock'
import type { TemplateLink } from '#changes/model/template_link'
import { givenRecords } from '#changes/transaction/template_links'
import dns, { EXAMPLE_NAME_SERVERS } from '#config/dns'
import { firstSerial } from '#dns/rdata/serial'
import { expandTemplate } from '#zones/templates/expansion'
import { missingTemplate, zoneTemplateOf } from '#zones/templates/zone_templates'

/** What a zone begins with. */
export interface Beginning {
  records: RecordInput[]
  template?: TemplateLink
}

/**
 * The records that a zone begins with: those of a template, with an SOA record where it has none, or else an SOA
 * record and the name servers of the settings. A replica begins with none, and is linked to no template.
 *
 * Throws a 404 `Refusal` for a template that is not there or that the actor does not see, a 403 for one with
 * records that the actor may not write, and a 400 for one that does not fit the zone.
 */
export async function beginningOf(
  actor: Actor,
  zone: { name: string; isReplica: boolean },
  templateId: number | undefined
): Promise<Beginning> {
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
  const linkedAt = momentNow()
  const { records, rrsets } = expandTemplate(zone.name, template.records, linkedAt)
  const hasSoa = records.some(({ type }) => type === 'SOA')
  return {
    records: hasSoa ? records : [firstSoa(), ...records],
    template: { templateId, linkedAt, given: givenRecords(zone.name, rrsets) },
  }
}

/** The SOA record of a zone that has none, as the settings `dns.*` have it. */
export function firstSoa(): RecordInput {
  const timers = [dns.soa_refresh, dns.soa_retry, dns.soa_expire, dns.soa_minimum].join(' ')
  return apexRecord('SOA', `${dns.ns1} ${dns.hostmaster} ${firstSerial(today())} ${timers}`)
}

/** NS records of `dns.default_ns`, or else of `dns.ns1` to `dns.ns4` as far as they name real hosts. */
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
