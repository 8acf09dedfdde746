import type { BackendZone, FollowUp } from '#backends/types'
import { isNotified } from '#backends/zone_kinds'

/**
 * What follows a write to PowerDNS' tables: the server forgets what it remembers of the zone, under the old
 * name too, and only then tells replicas, who would otherwise be answered the old serial. Rectifying is
 * part of the write itself.
 */
export function followUps(before: BackendZone | null, after: BackendZone | null): FollowUp[] {
  const names = new Set([before?.name, after?.name])
  const zoneId = after?.id ?? before?.id ?? null
  const flushes = [...names]
    .filter((name) => name !== undefined)
    .map((zoneName) => ({ kind: 'flush' as const, zoneId, zoneName }))
  if (!after || !isNotified(after)) {
    return flushes
  }
  return [...flushes, { kind: 'notify', zoneId, zoneName: after.name }]
}
