import { authorize, type ZoneFacts } from '#access/authorize'
import { demand } from '#access/demand'
import type { Actor } from '#access/actor'
import type { BackendZone } from '#backends/contract/backend'
import type { RecordAction, ZoneEdit } from '#changes/model/change_set'
import { checkActionConditions } from '#changes/planning/preconditions'
import { ActionRefused, MAX_ACTION_ERRORS, type ActionErrors } from '#changes/model/action_error'
import { targetSteps } from '#changes/planning/target_rrsets'
import { namesOf, type AffectedRRset } from '#changes/planning/affected_rrsets'
import type { ZoneReader } from '#changes/model/zone_reader'
import { RuleViolated, checkRules } from '#changes/planning/rules'
import { runYielding, mapYielding } from '#database/event_loop'
import { diffSteps, isEvenedAlone, operationsApart, operationsOf } from '#dns/diff'
import { nextSerial, serialIsNewer } from '#dns/rdata/serial'
import { serialOfSet, setAtSerial } from '#dns/rdata/soa'
import type { Violation } from '#dns/rules/violation'
import type { Operation, RRset, RRsetChange, RRsetKey } from '#dns/types'
import { today } from '#changes/model/clock'

/** The effect of a change set on the records of one zone. */
export interface RecordPlan {
  changes: RRsetChange[]
  /** The RRsets at the names of the actions, before and after them. */
  state: { before: RRset[]; after: RRset[] }
  /** Operations on records that an API key must allow. */
  operations: Operation[]
  /** null without an SOA record. */
  serialBefore: number | null
  serialAfter: number | null
  /** The SOA record with the new serial; absent without changes, or if the changes set a serial. */
  serialChange: RRsetChange | null
  warnings: Violation[]
}

/** Requested changes of the records of one zone. */
export interface RecordPlanInput {
  actions: RecordAction[]
  /** The result of `findAffectedRRsets` for the actions. */
  affected: AffectedRRset[]
  /** The actions that are refused already. The plan adds its own refusals and throws all. */
  errors: ActionErrors
  /** The serial increases although no record changes. */
  increasesSerial: boolean
  /** As in `ZoneEdit`. */
  continuesSerial: ZoneEdit['continuesSerial']
  checksChangedOnly?: boolean
  restores?: ZoneEdit['restores']
}

/**
 * Plans record actions on one zone. It reads the RRsets once, normalises and validates the actions,
 * and computes difference and operations. It checks the rights of the actor, and writes nothing.
 *
 * @throws InvalidDns or a `Refusal` if an action is not possible
 * @throws PreconditionFailed or `StateChanged` if the condition of an action does not hold
 */
export async function planRecords(
  reader: ZoneReader,
  zone: BackendZone,
  facts: ZoneFacts,
  actor: Actor,
  {
    actions,
    affected,
    errors,
    increasesSerial,
    continuesSerial,
    restores,
    checksChangedOnly = false,
  }: RecordPlanInput
): Promise<RecordPlan> {
  const requireWriteRight = ({ name, type }: RRsetKey) =>
    demand(actor, { action: 'rrset.write', zone: facts, name, type })
  if (!checksChangedOnly) {
    await mapYielding(affected, (set) => errors.attempt(set.action, () => requireWriteRight(set)))
  }
  const before = await reader.rrsetsAt(zone, namesOf(zone, affected))
  if (errors.isEmpty) {
    await checkActionConditions(zone, before, actions)
  }
  const { rrsets: plannedSets, warnings: parseWarnings } = await runYielding(
    targetSteps(zone, before, actions, errors)
  )
  const continuesStored = mustContinueSerial(zone, before, plannedSets, continuesSerial)
  const after = continuesStored ? withStoredSerial(zone, before, plannedSets) : plannedSets
  const differences = await runYielding(diffSteps(before, after))
  // A complete zone changes what differs. It does not even out different TTLs that another program
  // wrote.
  const changes = checksChangedOnly
    ? differences.filter((change) => !isEvenedAlone(change))
    : differences
  if (checksChangedOnly) {
    await mapYielding(changes, requireWriteRight)
  }
  const operations = await permittedOperations(actor, changes)
  demand(actor, { action: 'key.operate', operations })
  const ruleWarnings = await checkRules(reader, zone, before, after, changes, restores).catch(
    toActionError(affected, errors)
  )
  errors.throwIfAny()
  const warnings = [...parseWarnings, ...ruleWarnings]
  const serial = planSerial(zone, before, changes, {
    increasesSerial: increasesSerial,
    continuesStored,
  })
  return { changes, state: { before, after }, operations, warnings, ...serial }
}

/**
 * Assigns each broken rule to an action: the last on the RRset, else the last on the name. Names of
 * refused actions have no state to judge.
 */
function toActionError(affected: AffectedRRset[], errors: ActionErrors): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof RuleViolated)) {
      throw error
    }
    const namesOfRefused = new Set(
      affected.flatMap((set) => (errors.has(set.action) ? [set.name] : []))
    )
    for (const violation of error.all.slice(0, MAX_ACTION_ERRORS)) {
      const atName = affected.filter((set) => set.name === violation.name)
      const cause = atName.findLast((set) => set.type === violation.type) ?? atName.at(-1)
      if (cause && !namesOfRefused.has(violation.name)) {
        const reason = new RuleViolated(violation, error.all)
        errors.add(cause.action, new ActionRefused(cause.action, reason))
      }
    }
    errors.throwIfAny()
    throw error
  }
}

/**
 * Operations that the API key must allow. A removed and an added record are an update; a key that
 * may create and delete may do the same.
 */
async function permittedOperations(actor: Actor, changes: RRsetChange[]): Promise<Operation[]> {
  const operations = await runYielding(operationSteps(changes, operationsOf))
  const separateOperations = await runYielding(operationSteps(changes, operationsApart))
  const { allowed } = authorize(actor, { action: 'key.operate', operations })
  const isSeparateAllowed = authorize(actor, {
    action: 'key.operate',
    operations: separateOperations,
  }).allowed
  return !allowed && isSeparateAllowed ? separateOperations : operations
}

/**
 * Operations of all changes. A record that moves between RRsets with its id is updated, not deleted
 * and created.
 */
function* operationSteps(
  changes: RRsetChange[],
  operationsIn: (change: RRsetChange) => Operation[]
): Generator<undefined, Operation[]> {
  const idsIn = (sets: (RRset | null)[]) =>
    new Set(sets.flatMap((set) => set?.records.map((record) => record.id) ?? []))
  const idsBefore = idsIn(changes.map((change) => change.before))
  const idsAfter = idsIn(changes.map((change) => change.after))
  const withoutIds = (
    set: RRset | null,
    ids: Set<unknown>,
    counterpart: RRset | null
  ): RRset | null => {
    const ownIds = idsIn([counterpart])
    return (
      set && {
        ...set,
        records: set.records.filter(({ id }) => id === undefined || ownIds.has(id) || !ids.has(id)),
      }
    )
  }
  const operations = new Set<Operation>()
  for (const change of changes) {
    yield
    const before = withoutIds(change.before, idsAfter, change.after)
    const after = withoutIds(change.after, idsBefore, change.before)
    if (
      before?.records.length !== change.before?.records.length ||
      after?.records.length !== change.after?.records.length
    ) {
      operations.add('update')
    }
    operationsIn({ ...change, before, after }).forEach((operation) => operations.add(operation))
  }
  return [...operations]
}

function planSerial(
  zone: BackendZone,
  before: RRset[],
  changes: RRsetChange[],
  { increasesSerial, continuesStored }: { increasesSerial: boolean; continuesStored: boolean }
): Pick<RecordPlan, 'serialBefore' | 'serialAfter' | 'serialChange'> {
  const stored = soaOf(zone, before) ?? null
  const serialBefore = serialOfSet(stored)
  const writtenSoa = soaOf(zone, changes)
  if (writtenSoa?.after && continuesStored && serialBefore !== null) {
    const serialAfter = nextSerial(serialBefore, today())
    writtenSoa.after = setAtSerial(writtenSoa.after, serialAfter)
    return { serialBefore, serialAfter, serialChange: null }
  }
  if (writtenSoa) {
    return { serialBefore, serialAfter: serialOfSet(writtenSoa.after), serialChange: null }
  }
  if (!stored || serialBefore === null || (changes.length === 0 && !increasesSerial)) {
    return { serialBefore, serialAfter: serialBefore, serialChange: null }
  }
  const serialAfter = nextSerial(serialBefore, today())
  if (serialAfter === serialBefore) {
    return { serialBefore, serialAfter, serialChange: null }
  }
  const after = setAtSerial(stored, serialAfter)
  const serialChange = { name: stored.name, type: stored.type, before: stored, after }
  return { serialBefore, serialAfter, serialChange }
}

/** Whether the serial continues from the stored one, not from the wanted SOA record. */
function mustContinueSerial(
  zone: BackendZone,
  before: RRset[],
  plannedSets: RRset[],
  rule: ZoneEdit['continuesSerial']
): boolean {
  const stored = serialOfSet(soaOf(zone, before))
  const requested = serialOfSet(soaOf(zone, plannedSets))
  const isNewer = stored !== null && requested !== null && serialIsNewer(requested, stored)
  return rule === 'unless-newer' ? !isNewer : (rule ?? false)
}

/** The wanted RRsets, with the stored serial in the SOA: a new serial alone is no change. */
function withStoredSerial(zone: BackendZone, before: RRset[], plannedSets: RRset[]): RRset[] {
  const serial = serialOfSet(soaOf(zone, before))
  const soa = soaOf(zone, plannedSets)
  return plannedSets.map((set) => (set === soa && serial !== null ? setAtSerial(set, serial) : set))
}

function soaOf<Key extends RRsetKey>(zone: BackendZone, sets: Key[]): Key | undefined {
  return sets.find(({ name, type }) => type === 'SOA' && name === zone.name)
}
