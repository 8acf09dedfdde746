import { authorize, type ZoneFacts } from '#access/authorize'
import { demand } from '#access/demand'
import type { Actor } from '#access/actor'
import type { BackendZone } from '#backends/contract/backend'
import type { RecordAction, ZoneEdit } from '#changes/model/change_set'
import { checkActionConditions } from '#changes/planning/preconditions'
import { ActionRefused, forAction, MAX_ACTION_ERRORS } from '#changes/model/action_error'
import { desiredSteps } from '#changes/planning/target_rrsets'
import { namesOf, type TouchedSet } from '#changes/planning/affected_rrsets'
import type { ZoneReader } from '#changes/model/zone_reader'
import { RuleBroken, checkRules } from '#changes/planning/rules'
import { runYielding, mapYielding } from '#database/event_loop'
import { diffSteps, isEvenedAlone, operationsApart, operationsOf } from '#dns/diff'
import { nextSerial, serialIsNewer } from '#dns/rdata/serial'
import { serialOfSet, setAtSerial } from '#dns/rdata/soa'
import type { Violation } from '#dns/rules/violation'
import type { Operation, RRset, RRsetChange, RRsetKey } from '#dns/types'
import { today } from '#changes/model/clock'

/** What a change set would do to the records of one zone. */
export interface RecordPlan {
  changes: RRsetChange[]
  /** The RRsets at the names that the actions are about, before and after them. */
  state: { before: RRset[]; after: RRset[] }
  /** Operations on records that the changes amount to, which an API key must allow. */
  operations: Operation[]
  /** null where the zone has no SOA record. */
  serialBefore: number | null
  serialAfter: number | null
  /** The SOA record with the new serial; absent when nothing changes or the changes bring their own. */
  serialChange: RRsetChange | null
  warnings: Violation[]
}

/** What is wished of the records of one zone. */
export interface RecordWishes {
  actions: RecordAction[]
  /** What `touchedSets` says of the actions. */
  touched: TouchedSet[]
  /** The serial moves though no record changes. */
  touchSerial: boolean
  /** These as of `ZoneEdit`. */
  stepSerial: ZoneEdit['stepSerial']
  asksByDifference?: boolean
  restores?: ZoneEdit['restores']
}

/**
 * Plans record actions on one zone: reads the RRsets concerned once, normalises and validates what is
 * wished, derives the difference and the operations, and checks that the actor may do each of them.
 * Writes nothing; the reader says what state the plan is made against.
 *
 * Throws `InvalidDns` or a `Refusal` when an action cannot be carried out, and `PreconditionFailed` or
 * `StateChanged` when the condition of one does not hold.
 */
export async function planRecords(
  reader: ZoneReader,
  zone: BackendZone,
  facts: ZoneFacts,
  actor: Actor,
  { actions, touched, touchSerial, stepSerial, restores, asksByDifference = false }: RecordWishes
): Promise<RecordPlan> {
  const mayWrite = ({ name, type }: RRsetKey) =>
    demand(actor, { action: 'rrset.write', zone: facts, name, type })
  if (!asksByDifference) {
    await mapYielding(touched, (set) => forAction(set.action, () => mayWrite(set)))
  }
  const before = await reader.rrsetsAt(zone, namesOf(zone, touched))
  await checkActionConditions(zone, before, actions)
  const { rrsets: wanted, warnings: readings } = await runYielding(
    desiredSteps(zone, before, actions)
  )
  const steps = stepsSerial(zone, before, wanted, stepSerial)
  const after = steps ? withStoredSerial(zone, before, wanted) : wanted
  const differing = await runYielding(diffSteps(before, after))
  // Who gives all that is to be there touches what differs, and not what another tool gave rows of different TTLs.
  const changes = asksByDifference
    ? differing.filter((change) => !isEvenedAlone(change))
    : differing
  if (asksByDifference) {
    await mapYielding(changes, mayWrite)
  }
  const operations = await permittedOperations(actor, changes)
  demand(actor, { action: 'key.operate', operations })
  const broken = await checkRules(reader, zone, before, after, changes, restores).catch(
    toldOf(touched)
  )
  const warnings = [...readings, ...broken]
  const serial = serialStep(zone, before, changes, { touchSerial, steps })
  return { changes, state: { before, after }, operations, warnings, ...serial }
}

/** Says of a broken rule which action broke it: the last that touched the RRset, or else the name. */
function toldOf(touched: TouchedSet[]): (error: unknown) => never {
  return (error) => {
    if (!(error instanceof RuleBroken)) {
      throw error
    }
    const causes = new Map<number, ActionRefused>()
    for (const violation of error.all.slice(0, MAX_ACTION_ERRORS)) {
      const atName = touched.filter((set) => set.name === violation.name)
      const cause = atName.findLast((set) => set.type === violation.type) ?? atName.at(-1)
      if (cause && !causes.has(cause.action)) {
        const reason = new RuleBroken(violation, error.all)
        causes.set(cause.action, new ActionRefused(cause.action, reason))
      }
    }
    const [first, ...others] = causes.values()
    if (!first) throw error
    first.others = others
    throw first
  }
}

/**
 * What the actor's key has to allow. A record that goes while another comes is an update; who may create and
 * delete may do that as well.
 */
async function permittedOperations(actor: Actor, changes: RRsetChange[]): Promise<Operation[]> {
  const operations = await runYielding(operationSteps(changes, operationsOf))
  const apart = await runYielding(operationSteps(changes, operationsApart))
  const { allowed } = authorize(actor, { action: 'key.operate', operations })
  const isAllowedApart = authorize(actor, { action: 'key.operate', operations: apart }).allowed
  return !allowed && isAllowedApart ? apart : operations
}

/**
 * Operations of changes as a whole: a record that leaves one RRset and appears in another under its id
 * was updated, not deleted and created.
 */
function* operationSteps(
  changes: RRsetChange[],
  operationsIn: (change: RRsetChange) => Operation[]
): Generator<undefined, Operation[]> {
  const idsIn = (sets: (RRset | null)[]) =>
    new Set(sets.flatMap((set) => set?.records.map((record) => record.id) ?? []))
  const gone = idsIn(changes.map((change) => change.before))
  const there = idsIn(changes.map((change) => change.after))
  const without = (set: RRset | null, ids: Set<unknown>, own: RRset | null): RRset | null => {
    const ownIds = idsIn([own])
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
    const before = without(change.before, there, change.after)
    const after = without(change.after, gone, change.before)
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

function serialStep(
  zone: BackendZone,
  before: RRset[],
  changes: RRsetChange[],
  { touchSerial, steps }: { touchSerial: boolean; steps: boolean }
): Pick<RecordPlan, 'serialBefore' | 'serialAfter' | 'serialChange'> {
  const stored = soaOf(zone, before) ?? null
  const serialBefore = serialOfSet(stored)
  const own = soaOf(zone, changes)
  if (own?.after && steps && serialBefore !== null) {
    const serialAfter = nextSerial(serialBefore, today())
    own.after = setAtSerial(own.after, serialAfter)
    return { serialBefore, serialAfter, serialChange: null }
  }
  if (own) {
    return { serialBefore, serialAfter: serialOfSet(own.after), serialChange: null }
  }
  if (!stored || serialBefore === null || (changes.length === 0 && !touchSerial)) {
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

/** Whether the serial goes on from the stored one, and not by that of the SOA record that is wanted. */
function stepsSerial(
  zone: BackendZone,
  before: RRset[],
  wanted: RRset[],
  rule: ZoneEdit['stepSerial']
): boolean {
  const stored = serialOfSet(soaOf(zone, before))
  const given = serialOfSet(soaOf(zone, wanted))
  const isNewer = stored !== null && given !== null && serialIsNewer(given, stored)
  return rule === 'unless-newer' ? !isNewer : (rule ?? false)
}

/** The wanted sets, the SOA among them with the serial that is stored: alone, that is no change. */
function withStoredSerial(zone: BackendZone, before: RRset[], wanted: RRset[]): RRset[] {
  const serial = serialOfSet(soaOf(zone, before))
  const soa = soaOf(zone, wanted)
  return wanted.map((set) => (set === soa && serial !== null ? setAtSerial(set, serial) : set))
}

function soaOf<Key extends RRsetKey>(zone: BackendZone, sets: Key[]): Key | undefined {
  return sets.find(({ name, type }) => type === 'SOA' && name === zone.name)
}
