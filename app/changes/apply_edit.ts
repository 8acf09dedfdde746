import { demand } from '#access/demand'
import { factsOf } from '#access/ownership'
import type { BackendZone, ZonePatch } from '#backends/contract'
import type { AppliedZone, ChangeContext } from '#changes/change_context'
import type { ZoneChangeSet, ZoneProperties } from '#changes/change_set'
import { writeEntry } from '#changes/journal'
import { planRecords } from '#changes/plan'
import { ensureZoneRow, nameKey, type ZoneRow } from '#changes/zone_registry'
import { isDeepStrictEqual } from 'node:util'

/** Changes records and properties of a zone that is there. */
export async function applyEdit(
  { set, session, trx }: ChangeContext,
  zone: BackendZone,
  change: Extract<ZoneChangeSet, { op: 'edit' }>
): Promise<AppliedZone> {
  const facts = await factsOf(zone, trx)
  if (change.actions.length > 0) {
    demand(set.actor, { action: 'zone.edit_records', zone: facts })
  }
  const row = await ensureZoneRow(trx, zone)
  const { patch, before, after } = propertySteps(zone, row, change.properties ?? {})
  const { description, ...properties } = patch
  if (Object.keys(properties).length > 0) {
    demand(set.actor, { action: 'zone.edit_properties', zone: facts })
  }
  if (description !== undefined) {
    demand(set.actor, { action: 'zone.edit_description', zone: facts })
  }

  const plan = await planRecords(session, zone, facts, set.actor, change.actions, {
    touchSerial: patch.name !== undefined,
  })
  const hasProperties = Object.keys(patch).length > 0
  if (plan.changes.length === 0 && !hasProperties) {
    const { serialBefore, serialAfter } = plan
    return { zone, changes: [], entry: null, serialBefore, serialAfter }
  }
  if (hasProperties) {
    demand(set.actor, { action: 'key.operate', operations: ['update'] })
  }

  const changes = await session.applyRRsets(zone, [
    ...plan.changes,
    ...(plan.serialChange ? [plan.serialChange] : []),
  ])
  const written = changes.slice(0, plan.changes.length)
  let current = zone
  const { name, ...rest } = properties
  if (Object.keys(rest).length > 0) {
    current = await session.updateZone(current, rest satisfies ZonePatch)
  }
  if (name !== undefined) {
    current = await session.renameZone(current, name)
  }
  if (name !== undefined || description !== undefined) {
    await trx
      .from('zw_zones')
      .where('id', zone.id)
      .update({
        ...(name === undefined ? {} : { name, name_key: nameKey(name) }),
        ...(description === undefined ? {} : { description }),
      })
  }
  const { serialBefore, serialAfter } = plan
  const entry = await writeEntry(trx, set, current, row, {
    changes: written,
    serialBefore,
    serialAfter,
    zoneBefore: hasProperties ? before : null,
    zoneAfter: hasProperties ? after : null,
  })
  return { zone: current, changes: written, entry, serialBefore, serialAfter }
}

/**
 * The properties that really change: a value equal to the stored one is no change, needs no permission
 * and leaves no trace.
 */
function propertySteps(zone: BackendZone, row: ZoneRow, wanted: ZoneProperties) {
  const stored: Required<ZoneProperties> = {
    name: zone.name,
    kind: zone.kind,
    masters: zone.masters,
    account: zone.account,
    description: row.description,
  }
  const changed = (Object.keys(wanted) as (keyof ZoneProperties)[]).filter(
    (key) => wanted[key] !== undefined && !isDeepStrictEqual(wanted[key], stored[key])
  )
  const pick = (source: ZoneProperties): ZoneProperties =>
    Object.fromEntries(changed.map((key) => [key, source[key]]))
  return { patch: pick(wanted), before: pick(stored), after: pick(wanted) }
}
