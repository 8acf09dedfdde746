import type { BackendZone, ZoneKind } from '#backends/contract/types'

const PRIMARY_KINDS: ReadonlySet<ZoneKind> = new Set<ZoneKind>(['MASTER', 'PRODUCER'])

const REPLICA_KINDS: ReadonlySet<string> = new Set<ZoneKind>(['SLAVE', 'CONSUMER'])

/** Whether the records of the zone replicate from a primary, so that they cannot be written here. */
export function isReplica({ kind }: { kind: string }): boolean {
  return REPLICA_KINDS.has(kind)
}

/** Whether replicas of the zone learn of its changes by NOTIFY (RFC 1996). */
export function hasNotifiedReplicas(zone: Pick<BackendZone, 'kind'>): boolean {
  return PRIMARY_KINDS.has(zone.kind)
}
