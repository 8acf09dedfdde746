import { isDeepStrictEqual } from 'node:util'
import type { Actor } from '#access/actor'
import { authorize, type ZoneFacts } from '#access/authorize'
import { demand } from '#access/demand'
import { factsOf } from '#access/ownership'
import type { BackendZone, ZonePatch } from '#backends/contract'
import type { AppliedZone, ChangeContext } from '#changes/change_context'
import type { RecordAction, ZoneEdit, ZoneProperties } from '#changes/change_set'
import { checkZoneCondition } from '#changes/conditions'
import { authorOf, writeEntry } from '#changes/journal'
import { JournalReader } from '#changes/journal_reader'
import { noteOutside } from '#changes/outside'
import { keepNotes } from '#changes/record_notes'
import { LoadedZone } from '#changes/loaded_zone'
import { namesOf, touchedSets, type TouchedSet } from '#changes/touched_sets'
import { planRecords, type RecordPlan } from '#changes/record_plan'
import { ensureZoneRow, listedKind, namedColumns, type ZoneRow } from '#changes/zone_registry'
import type { ZonePlan } from '#changes/zone_plan'
import { recordType } from '#dns/records/registry'
import type { RRset, RRsetKey } from '#dns/types'
import type { RecordComment } from '#dns/zonefile/index'
import { noteTexts } from '#database/text_index/pending'
import { ZONE_TEXTS } from '#database/text_index/source'

/** Plans changes of records and properties of a zone that is there. */
export async function planEdit(
  context: ChangeContext,
  zone: BackendZone,
  change: ZoneEdit
): Promise<ZonePlan> {
  const { set, session, trx, tally } = context
  const { actor } = set.intent
  const facts = await factsOf(zone, trx)
  if (typeof change.actions === 'function' || change.actions.length > 0) {
    demand(actor, { action: 'zone.edit_records', zone: facts })
  }
  const row = await ensureZoneRow(trx, zone, tally)
  const actions = await actionsOf(context, zone, row, change)
  const named = await touchedSets(session, zone, actions)
  // Whoever names the state of the whole zone means all of it.
  const isWhole = change.condition !== undefined || change.whole === true
  await noteOutside(context, zone, row, isWhole ? undefined : namesOf(zone, named))
  const { description, last_entry: lastEntry } = row

  const properties = propertyStep(zone, row, change.properties ?? {})
  const { description: newDescription, ...patch } = properties?.after ?? {}
  if (Object.keys(patch).length > 0) {
    demand(actor, { action: 'zone.edit_properties', zone: facts })
  }
  if (newDescription !== undefined) {
    demand(actor, { action: 'zone.edit_description', zone: facts })
  }
  checkZoneCondition(change.condition, { zone, description, lastEntry })
  const loaded = change.whole ? new LoadedZone(await session.allRRsets(zone), session) : null
  const ends = loaded ? endsOf(loaded.all(), named, actions.length) : NO_ENDS
  const records = await planRecords(loaded ?? session, zone, facts, actor, {
    actions: [...actions, ...ends.actions],
    touched: [...named, ...ends.touched],
    touchSerial: patch.name !== undefined,
    stepSerial: change.stepSerial,
    asksByDifference: change.asksByDifference,
    restores: change.restores,
  })
  if (properties) {
    demand(actor, { action: 'key.operate', operations: ['update'] })
  }
  const { changes, serialBefore, serialAfter } = records
  const warnings = [...(change.warnings ?? []), ...records.warnings]
  const untouched = { zone, description, entry: null, lastEntry }
  return {
    zoneId: zone.id,
    zoneName: zone.name,
    changes,
    properties,
    serialBefore,
    serialAfter,
    warnings,
    async apply() {
      if (change.notes) {
        const touched = change.whole ? undefined : named
        const own = actor.key?.patterns
          ? withinPatterns(actor, facts, change.notes, [...named, ...ends.touched])
          : { notes: change.notes, touched }
        await keepNotes(trx, zone, own.notes, own.touched)
      }
      return changes.length === 0 && !properties
        ? { ...untouched, changes, serialBefore, serialAfter, warnings }
        : edit(context, zone, row, properties, { ...records, warnings })
    },
  }
}

/** Notes of the RRsets that a key for some records may write; those of others stay as they are. */
function withinPatterns(
  actor: Actor,
  zone: ZoneFacts,
  notes: RecordComment[],
  touched: RRsetKey[]
): { notes: RecordComment[]; touched: RRsetKey[] } {
  const isWritable = ({ name, type }: RRsetKey) =>
    authorize(actor, { action: 'rrset.write', zone, name, type }).allowed
  return { notes: notes.filter(isWritable), touched: touched.filter(isWritable) }
}

/** The actions by which RRsets end that no other action is about. */
interface Ends {
  actions: RecordAction[]
  touched: TouchedSet[]
}

const NO_ENDS: Ends = { actions: [], touched: [] }

/** What ends where the actions are all that the zone is to hold; what the name server writes stays. */
function endsOf(rrsets: RRset[], named: TouchedSet[], count: number): Ends {
  const kept = new Set(named.map(({ name, type }) => `${name} ${type}`))
  const ending = rrsets.filter(
    ({ name, type }) => !kept.has(`${name} ${type}`) && recordType(type)?.writer !== 'server'
  )
  return {
    actions: ending.map(({ name, type }) => ({ op: 'clear', name: `${name}.`, type })),
    touched: ending.map(({ name, type }, index) => ({ name, type, action: count + index })),
  }
}

async function actionsOf(
  context: ChangeContext,
  zone: BackendZone,
  row: ZoneRow,
  { actions }: ZoneEdit
): Promise<RecordAction[]> {
  if (typeof actions !== 'function') {
    return actions
  }
  await noteOutside(context, zone, row)
  const journal = new JournalReader(row.uid, context.trx)
  return actions({ zone, journal, lastEntry: row.last_entry })
}

/** Properties that change, before and after. */
type PropertyStep = { before: ZoneProperties; after: ZoneProperties }

async function edit(
  { set, session, trx, tally }: ChangeContext,
  zone: BackendZone,
  row: ZoneRow,
  properties: PropertyStep | null,
  { changes: planned, serialChange, serialBefore, serialAfter, warnings }: RecordPlan
): Promise<AppliedZone> {
  const steps = serialChange ? [...planned, serialChange] : planned
  const written = await session.applyRRsets(zone, steps)
  const changes = written.slice(0, planned.length)
  const current = properties
    ? await editProperties({ session, trx, tally }, zone, properties)
    : zone
  const entry = await writeEntry(trx, authorOf(set), current, row, {
    changes,
    serialBefore,
    serialAfter,
    zoneBefore: properties?.before ?? null,
    zoneAfter: properties?.after ?? null,
  })
  const { description = row.description } = properties?.after ?? {}
  const now = { zone: current, description, entry, lastEntry: entry }
  return { ...now, changes, serialBefore, serialAfter, warnings }
}

async function editProperties(
  { session, trx, tally }: Pick<ChangeContext, 'session' | 'trx' | 'tally'>,
  zone: BackendZone,
  { after: { name, description, ...patch } }: PropertyStep
): Promise<BackendZone> {
  let current = zone
  if (Object.keys(patch).length > 0) {
    current = await session.updateZone(current, patch satisfies ZonePatch)
  }
  if (name !== undefined) {
    current = await session.renameZone(current, name)
  }
  const own = {
    ...(name === undefined ? {} : namedColumns(name)),
    ...(patch.kind === undefined ? {} : { kind: listedKind(patch.kind) }),
    ...(description === undefined ? {} : { description }),
  }
  if (Object.keys(own).length > 0) {
    await trx.from('zw_zones').where('id', zone.id).update(own)
  }
  if (name !== undefined || patch.kind !== undefined) {
    tally.touch()
  }
  if (name !== undefined || description !== undefined) {
    await noteTexts(trx, ZONE_TEXTS, [zone.id])
  }
  return current
}

/**
 * The properties that really change: a value equal to the stored one is no change, needs no permission
 * and leaves no trace. null when none does.
 */
function propertyStep(
  zone: BackendZone,
  row: ZoneRow,
  wanted: ZoneProperties
): PropertyStep | null {
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
  return changed.length > 0 ? { before: pick(stored), after: pick(wanted) } : null
}
