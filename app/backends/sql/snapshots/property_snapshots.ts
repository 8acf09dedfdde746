import { isDeepStrictEqual } from 'node:util'
import type { BackendZone, PropertyChange } from '#backends/contract/types'
import { metadataKind, type Metadata } from '#dns/metadata/metadata'

type Properties = Pick<BackendZone, 'kind' | 'masters' | 'account'>

/** A primary with the usual port: `192.0.2.1:53`, `[2001:db8::1]:53`. */
const DEFAULT_PORT = /^(?:\[(.+)\]|([^:]+)):53$/

/** Serializes the properties of a zone, always in the same form, so that snapshots compare as text. */
export function propertiesSnapshot(zone: Properties): string {
  return JSON.stringify(trackedProperties(zone))
}

/** Properties as a name server has them: primaries without the default port (RFC 1035, section 4.2). */
function trackedProperties({ kind, masters, account }: Properties): Properties {
  return { kind, masters: masters.map((primary) => primary.replace(DEFAULT_PORT, '$1$2')), account }
}

/** The difference between a snapshot and the zone; null without a difference. */
export function changedProperties(snapshot: string, zone: BackendZone): PropertyChange | null {
  const previous = JSON.parse(snapshot) as Properties
  const current = trackedProperties(zone)
  const keys = (Object.keys(previous) as (keyof Properties)[]).filter(
    (key) => !isDeepStrictEqual(previous[key], current[key])
  )
  const pick = (all: Properties) => Object.fromEntries(keys.map((key) => [key, all[key]]))
  return keys.length > 0 ? { before: pick(previous), after: pick(current) } : null
}

/** The snapshot of metadata, without kinds that signing adds and those of the name server. */
export function metadataSnapshot(metadata: Metadata): string {
  const kinds = Object.entries(metadata)
    .filter(([kind, values]) => values.length > 0 && !isServerKind(kind))
    .map(([kind, values]) => [kind, [...values].sort()] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify(Object.fromEntries(kinds))
}

/** The kinds whose values differ from the snapshot; null without a difference. */
export function changedMetadata(
  snapshot: string,
  metadata: Metadata
): { before: Metadata; after: Metadata } | null {
  const [previous, current] = [snapshot, metadataSnapshot(metadata)].map(
    (text) => JSON.parse(text) as Metadata
  )
  const kinds = [...new Set([...Object.keys(previous), ...Object.keys(current)])].filter(
    (kind) => !isDeepStrictEqual(previous[kind], current[kind])
  )
  const pick = (all: Metadata) => Object.fromEntries(kinds.map((kind) => [kind, all[kind] ?? []]))
  return kinds.length > 0 ? { before: pick(previous), after: pick(current) } : null
}

/** The snapshot after metadata was written. */
export function mergedMetadataSnapshot(snapshot: string, written: Metadata): string {
  return metadataSnapshot({ ...(JSON.parse(snapshot) as Metadata), ...written })
}

/** Kinds that signing adds, and those of the name server. */
function isServerKind(kind: string): boolean {
  const { isDenial, writer } = metadataKind(kind)
  return isDenial || writer === 'server' || kind === 'PRESIGNED'
}
