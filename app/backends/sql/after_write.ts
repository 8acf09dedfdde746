import type { BackendZone, FollowUp } from '#backends/contract/types'
import { isNotified } from '#backends/contract/zone_kinds'

/**
 * What follows a write to PowerDNS' tables: the server forgets what it remembers of the zone, under the old
 * name too, and only then tells replicas, who would otherwise be answered the old serial. Rectifying is
 * part of the write itself.
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
    ...(isNotified(after) ? [{ kind: 'notify' as const, zoneId, zoneName }] : []),
  ]
}
