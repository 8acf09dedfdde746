import type { Actor } from '#access/actor'
import { canView } from '#access/demand'
import { loadZoneFacts } from '#access/ownership'
import type { BackendZone, DnsBackend } from '#backends/contract/backend'
import type { Violation } from '#dns/rules/violation'
import { relativeName } from '#dns/names'
import { findClosestZone } from '#changes/zone_index/closest_zone'

/**
 * Warns if the parent zone is on this server, visible to the actor, and has no delegation to the
 * new zone. Resolvers that start at the parent do not find the child (RFC 1034, 4.2.1).
 *
 * @param name canonical name of the new zone
 */
export async function missingDelegation(
  backend: DnsBackend,
  actor: Actor,
  name: string
): Promise<Violation[]> {
  const closest = await findClosestZone(backend, name, { above: true })
  const parent = closest && (await backend.findZone(closest.id))
  if (!parent || !canView(actor, await loadZoneFacts(parent))) return []
  const sets = await backend.rrsetsAt(parent, [name])
  const servers = sets.find((set) => set.type === 'NS' && set.name === name)?.records ?? []
  if (servers.some(({ disabled }) => !disabled)) return []
  const label = relativeName(name, parent.name)
  return [
    {
      rule: 'parent-delegation',
      severity: 'warning',
      name,
      type: 'NS',
      message: `${name} NS: the zone ${parent.name} above has no NS records for it; add them there at "${label}", with the name servers of this zone (RFC 1034, 4.2.1)`,
    },
  ]
}

/**
 * Warns if a former secondary zone has no SOA record: it was never transferred and is not served.
 */
export async function missingSoa(backend: DnsBackend, zone: BackendZone): Promise<Violation[]> {
  const sets = await backend.rrsetsAt(zone, [zone.name])
  if (sets.some(({ type }) => type === 'SOA')) return []
  return [
    {
      rule: 'soa-missing',
      severity: 'warning',
      name: zone.name,
      type: 'SOA',
      message: `${zone.name} SOA: the zone was never transferred and has no SOA record, so name servers refuse to answer for it; add one (RFC 1035, 3.3.13)`,
    },
  ]
}
