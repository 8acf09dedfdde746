import type { BackendZone, FollowUp } from '#backends/contract/types'
import { hasNotifiedReplicas } from '#backends/contract/zone_kinds'

/**
 * Outbox messages of a write to PowerDNS' tables: the server flushes its caches of the zone, also of its old name, and then
 * notifies replicas, which would read the old serial otherwise. The write itself rectifies.
 *
 * @param withMetadata whether metadata of the zone was written
 */
export function followUps(
  before: BackendZone | null,
  after: BackendZone | null,
  withMetadata = false
): FollowUp[] {
  const names = new Set([before?.name, after?.name])
  const zoneId = after?.id ?? before?.id ?? null
  const flushes = [...names]
    .filter((name) => name !== undefined)
    .map((zoneName) => ({ kind: 'flush' as const, zoneId, zoneName }))
  if (!after) {
    return flushes
  }
  const { name: zoneName } = after
  return [
    ...(withMetadata ? [{ kind: 'forget' as const, zoneId, zoneName }] : []),
    ...flushes,
    ...(hasNotifiedReplicas(after) ? [{ kind: 'notify' as const, zoneId, zoneName }] : []),
  ]
}
