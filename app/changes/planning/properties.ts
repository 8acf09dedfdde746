import { isDeepStrictEqual } from 'node:util'
import type { Actor, KeyOperation } from '#access/actor'
import type { ZoneFacts } from '#access/authorize'
import { demand } from '#access/demand'
import type { BackendZone, ZonePatch } from '#backends/contract/backend'
import { isReplica } from '#backends/contract/zone_kinds'
import type { ChangeContext } from '#changes/transaction/change_context'
import type { ZoneProperties } from '#changes/model/zone_properties'
import { updateZoneRow, type ZoneRow } from '#changes/zone_index/zone_rows'
import { metadataConflict, metadataExcess, sameValues, type Metadata } from '#dns/metadata/metadata'
import { Refusal } from '#exceptions/refusal'

/** Changed properties, before and after; of metadata, the changed kinds only. */
export interface PropertyChangePlan {
  before: ZoneProperties
  after: ZoneProperties
}

/**
 * The properties that differ from the stored ones; null without a difference. An equal value needs
 * no permission and is not logged.
 *
 * @param known stored metadata, if some are requested; misspelt kinds are written again
 */
export function planPropertyChange(
  zone: BackendZone,
  row: ZoneRow,
  { metadata, misspelt }: { metadata: Metadata; misspelt: string[] },
  { metadata: requestedMetadata = {}, ...requestedProperties }: ZoneProperties
): PropertyChangePlan | null {
  const stored: Required<Omit<ZoneProperties, 'metadata'>> = {
    name: zone.name,
    kind: zone.kind,
    masters: zone.masters,
    account: zone.account,
    description: row.description,
  }
  const changed = (Object.keys(requestedProperties) as (keyof typeof requestedProperties)[]).filter(
    (key) =>
      requestedProperties[key] !== undefined &&
      !isDeepStrictEqual(requestedProperties[key], stored[key])
  )
  const pick = (source: ZoneProperties): ZoneProperties =>
    Object.fromEntries(changed.map((key) => [key, source[key]]))
  const [before, after] = [pick(stored), pick(requestedProperties)]

  const kinds = Object.keys(requestedMetadata).filter(
    (kind) => misspelt.includes(kind) || !sameValues(metadata[kind] ?? [], requestedMetadata[kind])
  )
  if (kinds.length > 0) {
    const values = (source: Metadata) =>
      Object.fromEntries(kinds.map((kind) => [kind, source[kind] ?? []]))
    before.metadata = values(metadata)
    after.metadata = values(requestedMetadata)
  }
  return changed.length + kinds.length > 0 ? { before, after } : null
}

/** A property of a zone; of `metadata`, one kind. */
export interface ChangedProperty {
  property: keyof ZoneProperties
  kind?: string
}

/** Properties that differ from the state after an entry. */
export function findChangedSince(
  { metadata: stored = {}, ...properties }: ZoneProperties,
  { metadata = {}, ...expected }: ZoneProperties
): ChangedProperty[] {
  const keys = (Object.keys(expected) as (keyof typeof expected)[]).filter(
    (key) => !isDeepStrictEqual(properties[key], expected[key])
  )
  const kinds = Object.keys(metadata).filter(
    (kind) => !sameValues(stored[kind] ?? [], metadata[kind])
  )
  return [
    ...keys.map((property) => ({ property })),
    ...kinds.map((kind) => ({ property: 'metadata' as const, kind })),
  ]
}

/** Requires the right to change these properties. Throws as `demand` does. */
export function demandProperties(actor: Actor, zone: ZoneFacts, changed: ZoneProperties): void {
  const { description, metadata, ...patch } = changed
  if (Object.keys(patch).length > 0) {
    demand(actor, { action: 'zone.edit_properties', zone })
  }
  if (patch.name !== undefined) {
    demand(actor, { action: 'key.rename_zone' })
  }
  const isReplicaChange =
    patch.kind !== undefined && [zone.kind, patch.kind].some((kind) => isReplica({ kind }))
  if (patch.masters !== undefined || isReplicaChange) {
    demand(actor, { action: 'zone.edit_source', zone })
  }
  for (const kind of Object.keys(metadata ?? {})) {
    demand(actor, { action: 'metadata.write', zone, kind })
  }
  if (description !== undefined) {
    demand(actor, { action: 'zone.edit_description', zone })
  }
}

/**
 * Requires the right to serve the records of a replica that becomes a primary: its primary chose
 * the records. Throws as `demand` does.
 */
export async function demandServeRight(
  { set, session }: Pick<ChangeContext, 'set' | 'session'>,
  zone: BackendZone,
  { after: { kind } }: PropertyChangePlan
): Promise<void> {
  if (kind !== undefined && isReplica(zone) && !isReplica({ kind })) {
    const rrsets = await session.allRRsets(zone)
    const types = new Set(rrsets.map(({ type }) => type))
    demand(set.intent.actor, { action: 'zone.serve', types })
  }
}

/**
 * Operations that an API key must allow for the step; deletion of a metadata kind is a deletion.
 */
export function propertyOperations({ after }: PropertyChangePlan): KeyOperation[] {
  const { metadata = {}, ...others } = after
  const isDeletion = Object.values(metadata).map((values) => values.length === 0)
  const operations: KeyOperation[] = []
  if (Object.keys(others).length > 0 || isDeletion.includes(false)) operations.push('update')
  if (isDeletion.includes(true)) operations.push('delete')
  return operations
}

/** Throws a 422 `Refusal` if the metadata would conflict, or exceed the limits. */
export function checkMetadata(stored: Metadata, { metadata = {} }: ZoneProperties): void {
  const all = { ...stored, ...metadata }
  const conflict = metadataConflict(stored) === null ? metadataConflict(all) : null
  const problem = conflict ?? metadataExcess(stored, all)
  if (problem !== null) {
    throw new Refusal(422, problem)
  }
}

/** Writes the step. Returns the zone after it. */
export async function writeProperties(
  { session, ...context }: Pick<ChangeContext, 'session' | 'trx' | 'countChange'>,
  zone: BackendZone,
  { after }: PropertyChangePlan
): Promise<BackendZone> {
  const { name, description, metadata, ...patch } = after
  let current = zone
  if (Object.keys(patch).length > 0) {
    current = await session.updateZone(current, patch satisfies ZonePatch)
  }
  if (name !== undefined) {
    current = await session.renameZone(current, name)
  }
  if (metadata !== undefined) {
    await session.writeMetadata(current, metadata)
  }
  await updateZoneRow(context, zone, { name, kind: patch.kind, description })
  return current
}
