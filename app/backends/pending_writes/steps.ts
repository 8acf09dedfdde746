import type { NewZone, ZoneKey, ZonePatch } from '#backends/contract/types'
import type { Metadata } from '#dns/metadata/metadata'
import type { RRset, RRsetChange } from '#dns/types'

/** A step of a write at the server: one call, or calls that can be repeated. */
export type Step =
  | { kind: 'create'; zone: NewZone; sets: RRset[] }
  | { kind: 'records'; changes: RRsetChange[]; movesSerial: boolean }
  | { kind: 'properties'; before: ZonePatch; after: ZonePatch }
  | { kind: 'metadata'; before: Metadata; after: Metadata }
  | { kind: 'keys'; keys: ZoneKey[] }
  | { kind: 'rectify' }
  | { kind: 'delete' }

/** A step, and the zone that it is about. */
export type ZoneStep = { zoneId: number; zoneName: string } & Step

/** The stored form of a step for comparison; without secrets and ids. */
export function comparableStep(step: ZoneStep): { kind: string; changes: string } {
  const { kind } = step
  if (step.kind === 'keys') {
    return { kind, changes: JSON.stringify({ keys: step.keys.length }) }
  }
  if (step.kind === 'create') {
    const { name, kind: kindOfZone, masters, account, metadata } = step.zone
    const zone = { name, kind: kindOfZone, masters, account, metadata }
    const changes = step.sets.map((set) => {
      return { name: set.name, type: set.type, before: null, after: comparableSet(set) }
    })
    return { kind, changes: JSON.stringify({ zone, changes }) }
  }
  if (step.kind === 'records') {
    const changes = step.changes.map(({ name, type, before, after }) => {
      return {
        name,
        type,
        before: before && comparableSet(before),
        after: after && comparableSet(after),
      }
    })
    return { kind, changes: JSON.stringify({ changes }) }
  }
  if (step.kind === 'properties' || step.kind === 'metadata') {
    return { kind, changes: JSON.stringify({ before: step.before, after: step.after }) }
  }
  return { kind, changes: '{}' }
}

function comparableSet({ name, type, ttl, records }: RRset): RRset {
  return {
    name,
    type,
    ttl,
    records: records.map(({ content, priority, disabled }) => ({ content, priority, disabled })),
  }
}
