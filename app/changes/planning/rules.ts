import type { BackendZone } from '#backends/contract/backend'
import type { ZoneReader } from '#changes/model/zone_reader'
import type { RestoredScope } from '#changes/model/change_set'
import { neighboursOf } from '#changes/planning/rule_context'
import { runYielding, mapYielding } from '#database/event_loop'
import { changeRules, inOrder, NAME_RULES, nameRules, surroundingRules, ZoneView } from '#dns/rules'
import type { Violation } from '#dns/rules/violation'
import type { RRset, RRsetChange } from '#dns/types'
import { Refusal } from '#exceptions/refusal'

/** A change that would break a rule: 409 for a record that is there already, else 400. */
export class RuleBroken extends Refusal {
  constructor(
    readonly violation: Violation,
    /** All that the change would break, that one among them. */
    readonly all: Violation[] = [violation]
  ) {
    super(violation.rule === 'duplicate' ? 409 : 400, violation.message)
  }
}

/**
 * Refuses changes by which the zone would break a rule that it does not break already: rows that another
 * tool left wrong must not keep anybody from writing beside them. What other zones hold refuses nothing.
 *
 * Returns the warnings that are new, or about an RRset that changes; by name, type and message. Throws
 * `RuleBroken` at the first error.
 *
 * @param before all RRsets at the names of the changes and at the apex
 * @param after  the same after the changes
 * @param restores what the changes bring back whole: that may be as broken as it was
 */
export async function checkRules(
  reader: ZoneReader,
  zone: BackendZone,
  before: RRset[],
  after: RRset[],
  changes: RRsetChange[],
  restores?: RestoredScope
): Promise<Violation[]> {
  if (changes.length === 0) {
    return []
  }
  const names = new Set(changes.map((change) => change.name))
  const around = await neighboursOf(reader, zone, before, after, changes)
  const viewOf = (state: RRset[]) =>
    new ZoneView(zone.name, [...around.rrsets, ...state], around.aliasesElsewhere)
  const brokenBefore = await runYielding(brokenSteps(viewOf(before), names, around.concerned))
  const known = new Set(brokenBefore.map(keyOf))
  const brokenAfter = await runYielding(brokenSteps(viewOf(after), names, around.concerned))
  const found = brokenAfter.map((it) =>
    isForgiven(it, restores) ? { ...it, severity: 'warning' as const } : it
  )

  const errors = found.filter((it) => it.severity === 'error' && !known.has(keyOf(it)))
  if (errors.length > 0) {
    throw new RuleBroken(errors[0], errors)
  }
  const changed = new Set(changes.map(({ name, type }) => `${name} ${type}`))
  const told = found.filter(
    (it) =>
      it.severity === 'warning' && (!known.has(keyOf(it)) || changed.has(`${it.name} ${it.type}`))
  )
  const ofChanges = await mapYielding(changes, (change) => changeRules([change]))
  return inOrder([...told, ...ofChanges.flat()])
}

/** What the changed names break, and what others break by them; rules about single names first. */
function* brokenSteps(
  view: ZoneView,
  names: Set<string>,
  concerned: string[]
): Generator<undefined, Violation[]> {
  const found: Violation[] = []
  for (const name of names) {
    for (const one of nameRules(view.apex, name, view.at(name))) found.push(one)
    yield
  }
  for (const name of new Set([...names, ...concerned])) {
    for (const one of surroundingRules(view, name)) found.push(one)
    yield
  }
  return found
}

/** Whether a restored name, or zone, may break the rule because it did so then. */
function isForgiven({ rule }: Violation, restores: RestoredScope | undefined): boolean {
  const isAboutName = NAME_RULES.some(({ id }) => id === rule)
  return restores === 'zone' || (restores !== undefined && isAboutName)
}

function keyOf({ rule, severity, name, type, target }: Violation): string {
  return [rule, severity, name, type, target].join(' ')
}
