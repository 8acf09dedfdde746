import type { HostOutcome } from '#zones/dynamic_dns/update_hosts'

/** What became of a dynamic update, as the API tells it. */
export function dynamicUpdateItem({ hostname, zone, applied, changed }: HostOutcome) {
  return {
    hostname,
    zone_id: zone.id,
    applied_ipv4: applied.A,
    applied_ipv6: applied.AAAA,
    changed,
  }
}
