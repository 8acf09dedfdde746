import type { ZoneFacts } from '#access/authorize'
import { demand } from '#access/demand'
import type { Actor } from '#access/actor'
import type { BackendZone } from '#backends/contract'
import type { RecordAction } from '#changes/change_set'
import { desiredRRsets, touchedSets, type ZoneReader } from '#changes/record_actions'
import { checkRules } from '#changes/rules'
import { diffRRsets, operationsOf } from '#dns/diff'
import { nextSerial } from '#dns/serial'
import { serialOfSet, withSerial } from '#dns/soa'
import type { Operation, RRset, RRsetChange } from '#dns/types'
import { today } from '#changes/clock'

/** What a change set would do to the records of one zone. */
export interface RecordPlan {
  changes: RRsetChange[]
  /** Operations on records that the changes amount to, which an API key must allow. */
  operations: Operation[]
  /** null where the zone has no SOA record. */
  serialBefore: number | null
  serialAfter: number | null
  /** The SOA record with the new serial; absent when nothing changes or the changes bring their own. */
  serialChange: RRsetChange | null
}

/**
 * Plans record actions on one zone: reads the RRsets concerned once, normalises and validates what is
 * wished, derives the difference and the operations, and checks that the actor may do each of them.
 * Writes nothing; the reader says what state the plan is made against.
 *
 * Throws `InvalidDns` or a `Refusal` when an action cannot be carried out.
 */
export async function planRecords(
  reader: ZoneReader,
  zone: BackendZone,
  facts: ZoneFacts,
  actor: Actor,
  actions: RecordAction[],
  options: { touchSerial: boolean }
): Promise<RecordPlan> {
  const touched = await touchedSets(reader, zone, actions)
  for (const { name, type } of touched) {
    demand(actor, { action: 'rrset.write', zone: facts, name, type })
  }
  const names = new Set([
    zone.name,
    ...touched.flatMap(({ name, spelling }) => (spelling ? [name, spelling] : [name])),
  ])
  const before = await reader.rrsetsAt(zone, [...names])
  const after = desiredRRsets(zone, before, actions)
  const changes = diffRRsets(before, after)
  const operations = operationsAcross(changes)
  demand(actor, { action: 'key.operate', operations })
  await checkRules(reader, zone, before, after, changes)
  return { changes, operations, ...serialStep(zone, before, changes, options.touchSerial) }
}

/**
 * Operations of changes as a whole: a record that leaves one RRset and appears in another under its id
 * was updated, not deleted and created.
 */
function operationsAcross(changes: RRsetChange[]): Operation[] {
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
    const before = without(change.before, there, change.after)
    const after = without(change.after, gone, change.before)
    if (
      before?.records.length !== change.before?.records.length ||
      after?.records.length !== change.after?.records.length
    ) {
      operations.add('update')
    }
    operationsOf({ ...change, before, after }).forEach((operation) => operations.add(operation))
  }
  return [...operations]
}

function serialStep(
  zone: BackendZone,
  before: RRset[],
  changes: RRsetChange[],
  touchSerial: boolean
): Pick<RecordPlan, 'serialBefore' | 'serialAfter' | 'serialChange'> {
  const isSoa = (key: { name: string; type: string }) =>
    key.type === 'SOA' && key.name === zone.name
  const stored = before.find(isSoa) ?? null
  const serialBefore = serialOfSet(stored)
  const own = changes.find(isSoa)
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
  const after: RRset = {
    ...stored,
    records: stored.records.map((record) => ({
      ...record,
      content: withSerial(record.content, serialAfter),
    })),
  }
  const serialChange = { name: stored.name, type: stored.type, before: stored, after }
  return { serialBefore, serialAfter, serialChange }
}
