import { authorize, type ZoneFacts } from '#access/authorize'
import { demand } from '#access/demand'
import { loadZoneFacts } from '#access/ownership'
import type { BackendZone } from '#backends/contract/backend'
import { isReplica } from '#backends/contract/zone_kinds'
import type { ChangeContext } from '#changes/transaction/change_context'
import type { RecordAction, ZoneEdit } from '#changes/model/change_set'
import { ActionErrors, StateChanged } from '#changes/model/action_error'
import { checkMetadataCondition, checkZoneCondition } from '#changes/planning/preconditions'
import { journalAuthorOf, writeEntry } from '#changes/journal/write_entry'
import { withStoredNames } from '#changes/model/rrset_key'
import type { Author } from '#changes/model/intent'
import { JournalReader } from '#changes/journal/reader'
import { recordExternalChanges } from '#changes/journal/external_changes'
import { hasSideEffects, storeEffects } from '#changes/transaction/effect_handlers'
import { planComments } from '#changes/planning/comments'
import { LoadedZone } from '#changes/planning/zone_snapshot'
import { namesOf, findAffectedRRsets, type AffectedRRset } from '#changes/planning/affected_rrsets'
import { requireDirectWrite } from '#changes/planning/review_routing'
import { planRecords, type RecordPlan } from '#changes/planning/records'
import { ensureZoneRow, type ZoneRow } from '#changes/zone_index/zone_rows'
import {
  findChangedSince,
  checkMetadata,
  demandProperties,
  demandServeRight,
  propertyOperations,
  planPropertyChange,
  writeProperties,
  type PropertyChangePlan,
} from '#changes/planning/properties'
import type { ZonePlan, AppliedZone } from '#changes/model/zone_plan'
import { changesRetainedComments } from '#dns/diff'
import { metadataKind } from '#dns/metadata/metadata'
import { withCommentChanges, type RRsetCommentChanges } from '#dns/record_comments'
import { recordType } from '#dns/records/registry'
import { serialOfSet } from '#dns/rdata/soa'
import type { RRset, RRsetKey } from '#dns/types'

/** Plans changes of records and properties of an existing zone. */
export async function planEdit(
  context: ChangeContext,
  zone: BackendZone,
  change: ZoneEdit
): Promise<ZonePlan> {
  const { set, session, trx, countChange } = context
  const { actor } = set.intent
  const facts = await loadZoneFacts(zone, trx)
  if (typeof change.actions === 'function' || change.actions.length > 0) {
    demand(actor, { action: 'zone.edit_records', zone: facts })
  }
  if (change.template) {
    demand(actor, { action: 'zone.link_template', zone: facts })
    demand(actor, { action: 'key.operate', operations: ['update'] })
  }
  const row = await ensureZoneRow(trx, zone, countChange)
  const actions = await withStoredNames(
    session,
    zone,
    await resolveActions(context, zone, row, change)
  )
  const errors = new ActionErrors()
  const namedSets = await findAffectedRRsets(session, zone, actions, errors)
  return planActions(context, { zone, facts, row, actions, namedSets, errors }, change).catch(
    (error: unknown) => errors.throwWith(error, ({ action }) => ({ item: action, record: null }))
  )
}

/** The zone of an edit, its actions, and the refusals of them. */
interface EditInput {
  zone: BackendZone
  facts: ZoneFacts
  row: ZoneRow
  actions: RecordAction[]
  namedSets: AffectedRRset[]
  errors: ActionErrors
}

/** Throws the first refusal; those of actions are in `errors`, too. */
async function planActions(
  context: ChangeContext,
  { zone, facts, row, actions, namedSets, errors }: EditInput,
  change: ZoneEdit
): Promise<ZonePlan> {
  const { set, session, trx } = context
  const { actor } = set.intent
  requireDirectWrite(context, facts, namedSets, change)
  // A precondition on the zone covers its whole state.
  const coversZone = change.condition !== undefined || change.isCompleteZone === true
  const withMetadata = coversZone || change.properties?.metadata !== undefined
  await recordExternalChanges(
    context,
    zone,
    row,
    coversZone ? undefined : namesOf(zone, namedSets),
    withMetadata
  )
  const { description, last_entry: lastEntry } = row

  const metadata = change.properties?.metadata ? await session.metadataOf(zone) : {}
  const currentProperties = { ...zone, description, metadata }
  if (
    change.propertiesFrom &&
    findChangedSince(currentProperties, change.propertiesFrom).length > 0
  ) {
    throw new StateChanged('properties')
  }
  const misspelt = change.properties?.metadata ? await session.misspeltKinds(zone) : []
  const properties = planPropertyChange(zone, row, { metadata, misspelt }, change.properties ?? {})
  if (properties) {
    demandProperties(actor, facts, properties.after)
    await demandServeRight(context, zone, properties)
  }
  checkZoneCondition(change.condition, { zone, description, lastEntry })
  checkMetadataCondition(zone, metadata, change.metadataCondition)
  const loaded = change.isCompleteZone
    ? new LoadedZone(await session.allRRsets(zone), session)
    : null
  const deletions = loaded
    ? findImpliedDeletions(loaded.all(), namedSets, actions.length)
    : NO_DELETIONS
  const records = await planRecords(loaded ?? session, zone, facts, actor, {
    actions: [...actions, ...deletions.actions],
    affected: [...namedSets, ...deletions.affected],
    errors,
    increasesSerial: properties !== null && mustIncreaseSerial(zone, properties),
    continuesSerial: change.continuesSerial,
    checksChangedOnly: change.checksChangedOnly,
    restores: change.restores,
  })
  if (properties) {
    demand(actor, { action: 'key.operate', operations: propertyOperations(properties) })
    checkMetadata(metadata, properties.after)
  }
  const { serialBefore, serialAfter } = records
  const completeComments = change.comments && {
    comments: change.comments,
    rrsets: [...namedSets, ...deletions.affected],
    isWhole: change.isCompleteZone === true,
    canWrite: ({ name, type }: RRsetKey) =>
      authorize(actor, { action: 'rrset.write', zone: facts, name, type }).allowed,
  }
  const comments = await planComments(session, trx, zone, records.state, {
    actions,
    all: completeComments,
  })
  const changes = withCommentChanges(records.changes, comments, records.state.after)
  if (changes.some(changesRetainedComments)) {
    // Records that stay need the right to update, which the changed records may not require.
    demand(actor, { action: 'key.operate', operations: ['update'] })
  }
  const warnings = [...(change.warnings ?? []), ...records.warnings]
  const unchangedZone = { zone, description, entry: null, lastEntry }
  return {
    zoneId: zone.id,
    zoneName: zone.name,
    changes,
    properties,
    serialBefore,
    serialAfter,
    warnings,
    async apply() {
      const author = journalAuthorOf(context.set, change.origin)
      const effects = { template: change.template ?? null, comments }
      // Before a rename: the owner names of comments are those of the old zone.
      await storeEffects({ trx, actor, zone, row }, effects)
      const applied =
        changes.length === 0 && !properties
          ? { ...unchangedZone, changes, serialBefore, serialAfter, warnings }
          : await edit(context, zone, row, properties, { ...records, warnings, author }, comments)
      return hasSideEffects(effects) ? { ...applied, effects } : applied
    },
  }
}

/** The actions that delete RRsets which no other action names. */
interface ImpliedDeletions {
  actions: RecordAction[]
  affected: AffectedRRset[]
}

const NO_DELETIONS: ImpliedDeletions = { actions: [], affected: [] }

/** Deletions if the actions are the complete zone; RRsets of the name server stay. */
function findImpliedDeletions(
  rrsets: RRset[],
  namedSets: AffectedRRset[],
  count: number
): ImpliedDeletions {
  const namedKeys = new Set(namedSets.map(({ name, type }) => `${name} ${type}`))
  const deletedSets = rrsets.filter(
    ({ name, type }) => !namedKeys.has(`${name} ${type}`) && recordType(type)?.writer !== 'server'
  )
  return {
    actions: deletedSets.map(({ name, type }) => ({
      op: 'clear',
      name: `${name}.`,
      type,
      isKnown: true,
    })),
    affected: deletedSets.map(({ name, type }, index) => ({ name, type, action: count + index })),
  }
}

async function resolveActions(
  context: ChangeContext,
  zone: BackendZone,
  row: ZoneRow,
  { actions }: ZoneEdit
): Promise<RecordAction[]> {
  if (typeof actions !== 'function') {
    return actions
  }
  await recordExternalChanges(context, zone, row)
  const journal = new JournalReader(row.uid, context.trx)
  return actions({ zone, journal, lastEntry: row.last_entry })
}

/**
 * Whether a step changes what replicas transfer; the serial of a replica is that of its primary.
 */
function mustIncreaseSerial(
  zone: BackendZone,
  { after: { name, metadata = {} } }: PropertyChangePlan
): boolean {
  const isServed = Object.keys(metadata).some((kind) => metadataKind(kind).isServed)
  return name !== undefined || (isServed && !isReplica(zone))
}

type AuthoredPlan = RecordPlan & { author: Author }

async function edit(
  { session, trx, countChange }: ChangeContext,
  zone: BackendZone,
  row: ZoneRow,
  properties: PropertyChangePlan | null,
  { changes: planned, state, serialChange, serialBefore, warnings, author, ...plan }: AuthoredPlan,
  comments: RRsetCommentChanges[]
): Promise<AppliedZone> {
  const steps = serialChange ? [...planned, serialChange] : planned
  const written = await session.applyRRsets(zone, steps)
  const changes = withCommentChanges(written.slice(0, planned.length), comments, state.after)
  // A name server may set its own serial.
  const soa = written.find(({ name, type }) => type === 'SOA' && name === zone.name)
  const serialAfter = soa ? serialOfSet(soa.after) : plan.serialAfter
  const current = properties
    ? await writeProperties({ session, trx, countChange: countChange }, zone, properties)
    : zone
  const journal = { zoneBefore: properties?.before ?? null, zoneAfter: properties?.after ?? null }
  const entry = await writeEntry(trx, author, current, row, {
    changes,
    serialBefore,
    serialAfter,
    ...journal,
  })
  const { description = row.description } = properties?.after ?? {}
  const zoneAfter = { zone: current, description, entry, lastEntry: entry }
  return { ...zoneAfter, changes, serialBefore, serialAfter, warnings, journal }
}
