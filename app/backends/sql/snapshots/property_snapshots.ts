import { isDeepStrictEqual } from 'node:util'
import type { BackendZone, PropertyChange } from '#backends/contract/types'
import { metadataKind, type Metadata } from '#dns/metadata/metadata'

type Properties = Pick<BackendZone, 'kind' | 'masters' | 'account'>

/** A primary with the usual port: `192.0.2.1:53`, `[2001:db8::1]:53`. */
const USUAL_PORT = /^(?:\[(.+)\]|([^:]+)):53$/

/** The properties of a zone as they are noted: always written the same way, so that notes are compared as text. */
export function propertiesSnapshot(zone: Properties): string {
  return JSON.stringify(trackedProperties(zone))
}

/** Properties as a name server has them: primaries without the default port (RFC 1035, section 4.2). */
function trackedProperties({ kind, masters, account }: Properties): Properties {
  return { kind, masters: masters.map((primary) => primary.replace(USUAL_PORT, '$1$2')), account }
}

/** What differs between a note and the zone; null where nothing does. */
export function changedProperties(note: string, zone: BackendZone): PropertyChange | null {
  const known = JSON.parse(note) as Properties
  const now = trackedProperties(zone)
  const keys = (Object.keys(known) as (keyof Properties)[]).filter(
    (key) => !isDeepStrictEqual(known[key], now[key])
  )
  const among = (all: Properties) => Object.fromEntries(keys.map((key) => [key, all[key]]))
  return keys.length > 0 ? { before: among(known), after: among(now) } : null
}

/** The snapshot of metadata, without kinds that signing adds and those of the name server. */
export function metadataSnapshot(metadata: Metadata): string {
  const kinds = Object.entries(metadata)
    .filter(([kind, values]) => values.length > 0 && !isOfServer(kind))
    .map(([kind, values]) => [kind, [...values].sort()] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1))
  return JSON.stringify(Object.fromEntries(kinds))
}

/** The kinds whose values differ from a note; null where none does. */
export function changedMetadata(
  note: string,
  metadata: Metadata
): { before: Metadata; after: Metadata } | null {
  const [known, there] = [note, metadataSnapshot(metadata)].map(
    (text) => JSON.parse(text) as Metadata
  )
  const kinds = [...new Set([...Object.keys(known), ...Object.keys(there)])].filter(
    (kind) => !isDeepStrictEqual(known[kind], there[kind])
  )
  const among = (all: Metadata) => Object.fromEntries(kinds.map((kind) => [kind, all[kind] ?? []]))
  return kinds.length > 0 ? { before: among(known), after: among(there) } : null
}

/** A note as it is after metadata was written. */
export function mergedMetadataSnapshot(note: string, written: Metadata): string {
  return metadataSnapshot({ ...(JSON.parse(note) as Metadata), ...written })
}

/** Kinds that signing adds, and those of the name server. */
function isOfServer(kind: string): boolean {
  const { isDenial, writer } = metadataKind(kind)
  return isDenial || writer === 'server' || kind === 'PRESIGNED'
}
