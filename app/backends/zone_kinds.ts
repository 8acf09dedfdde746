import type { BackendZone, ZoneKind } from '#backends/types'

const PRIMARY_KINDS: ReadonlySet<ZoneKind> = new Set<ZoneKind>(['MASTER', 'PRODUCER'])

/** Whether replicas of the zone learn of its changes by NOTIFY (RFC 1996). */
export function isNotified(zone: Pick<BackendZone, 'kind'>): boolean {
  return PRIMARY_KINDS.has(zone.kind)
}
