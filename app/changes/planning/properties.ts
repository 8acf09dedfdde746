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

/** Properties that change, before and after. Of metadata, only the kinds that do. */
export interface PropertyStep {
  before: ZoneProperties
  after: ZoneProperties
}

/**
 * The properties that really change: a value equal to the stored one is no change, needs no permission
 * and leaves no trace. null when none does.
 *
 * @param known the metadata that is stored, where some is wanted; kinds that are misspelt are written anew
 */
export function propertyStep(
  zone: BackendZone,
  row: ZoneRow,
  { metadata, misspelt }: { metadata: Metadata; misspelt: string[] },
  { metadata: wishes = {}, ...wanted }: ZoneProperties
): PropertyStep | null {
  const stored: Required<Omit<ZoneProperties, 'metadata'>> = {
    name: zone.name,
    kind: zone.kind,
    masters: zone.masters,
    account: zone.account,
    description: row.description,
  }
  const changed = (Object.keys(wanted) as (keyof typeof wanted)[]).filter(
    (key) => wanted[key] !== undefined && !isDeepStrictEqual(wanted[key], stored[key])
  )
  const pick = (source: ZoneProperties): ZoneProperties =>
    Object.fromEntries(changed.map((key) => [key, source[key]]))
  const [before, after] = [pick(stored), pick(wanted)]

  const kinds = Object.keys(wishes).filter(
    (kind) => misspelt.includes(kind) || !sameValues(metadata[kind] ?? [], wishes[kind])
  )
  if (kinds.length > 0) {
    const values = (of: Metadata) => Object.fromEntries(kinds.map((kind) => [kind, of[kind] ?? []]))
    before.metadata = values(metadata)
    after.metadata = values(wishes)
  }
  return changed.length + kinds.length > 0 ? { before, after } : null
}

/** A property of a zone; of `metadata`, one kind. */
export interface ChangedProperty {
  property: keyof ZoneProperties
  kind?: string
}

/** The properties that are not what an entry made them. */
export function changedSince(
  { metadata: stored = {}, ...properties }: ZoneProperties,
  { metadata = {}, ...made }: ZoneProperties
): ChangedProperty[] {
  const keys = (Object.keys(made) as (keyof typeof made)[]).filter(
    (key) => !isDeepStrictEqual(properties[key], made[key])
  )
  const kinds = Object.keys(metadata).filter(
    (kind) => !sameValues(stored[kind] ?? [], metadata[kind])
  )
  return [
    ...keys.map((property) => ({ property })),
    ...kinds.map((kind) => ({ property: 'metadata' as const, kind })),
  ]
}

/** Goes on only if the actor may change these properties. Throws as `demand` does. */
export function demandProperties(actor: Actor, zone: ZoneFacts, changed: ZoneProperties): void {
  const { description, metadata, ...patch } = changed
  if (Object.keys(patch).length > 0) {
    demand(actor, { action: 'zone.edit_properties', zone })
  }
  const isOfReplica =
    patch.kind !== undefined && [zone.kind, patch.kind].some((kind) => isReplica({ kind }))
  if (patch.masters !== undefined || isOfReplica) {
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
 * Goes on only if the actor may serve what a replica holds, where it stops being one: its primary chose the records.
 * Throws as `demand` does.
 */
export async function demandServing(
  { set, session }: Pick<ChangeContext, 'set' | 'session'>,
  zone: BackendZone,
  { after: { kind } }: PropertyStep
): Promise<void> {
  if (kind !== undefined && isReplica(zone) && !isReplica({ kind })) {
    const rrsets = await session.allRRsets(zone)
    const types = new Set(rrsets.map(({ type }) => type))
    demand(set.intent.actor, { action: 'zone.serve', types })
  }
}

/** What a key has to allow for the step: a kind of metadata that ends is a deletion. */
export function propertyOperations({ after }: PropertyStep): KeyOperation[] {
  const { metadata = {}, ...others } = after
  const ends = Object.values(metadata).map((values) => values.length === 0)
  const operations: KeyOperation[] = []
  if (Object.keys(others).length > 0 || ends.includes(false)) operations.push('update')
  if (ends.includes(true)) operations.push('delete')
  return operations
}

/** Throws a 422 `Refusal` where the metadata would not fit together any more, or become too much. */
export function checkMetadata(stored: Metadata, { metadata = {} }: ZoneProperties): void {
  const all = { ...stored, ...metadata }
  const conflict = metadataConflict(stored) === null ? metadataConflict(all) : null
  const problem = conflict ?? metadataExcess(stored, all)
  if (problem !== null) {
    throw new Refusal(422, problem)
  }
}

/** Writes a step, and returns the zone as it is then. */
export async function writeProperties(
  { session, ...own }: Pick<ChangeContext, 'session' | 'trx' | 'tally'>,
  zone: BackendZone,
  { after }: PropertyStep
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
  await updateZoneRow(own, zone, { name, kind: patch.kind, description })
  return current
}
