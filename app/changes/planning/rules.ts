import type { BackendZone } from '#backends/contract/backend'
import type { ZoneReader } from '#changes/model/zone_reader'
import type { RestoredScope } from '#changes/model/change_set'
import { readRuleContext } from '#changes/planning/rule_context'
import { runYielding, mapYielding } from '#database/event_loop'
import { changeRules, inOrder, NAME_RULES, nameRules, surroundingRules, ZoneView } from '#dns/rules'
import type { Violation } from '#dns/rules/violation'
import type { RRset, RRsetChange } from '#dns/types'
import { Refusal } from '#exceptions/refusal'

/** A change that would break a rule: 409 for a duplicate record, else 400. */
export class RuleViolated extends Refusal {
  constructor(
    readonly violation: Violation,
    /** All violations of the change, including `violation`. */
    readonly all: Violation[] = [violation]
  ) {
    super(violation.rule === 'duplicate' ? 409 : 400, violation.message)
  }
}

/**
 * Refuses changes that break a rule which the zone does not break already. Invalid rows of another
 * program must not prevent other changes. Content of other zones refuses nothing.
 *
 * @param before all RRsets at the names of the changes and at the apex
 * @param after the same after the changes
 * @param restores scope that is restored completely; it may be as invalid as before
 * @returns warnings that are new or about a changed RRset; by name, type and message
 * @throws RuleBroken with all errors
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
  const context = await readRuleContext(reader, zone, before, after, changes)
  const viewOf = (state: RRset[]) =>
    new ZoneView(zone.name, [...context.rrsets, ...state], context.aliasesElsewhere)
  const violationsBefore = await runYielding(
    violationSteps(viewOf(before), names, context.affectedNames)
  )
  const known = new Set(violationsBefore.map(keyOf))
  const violationsAfter = await runYielding(
    violationSteps(viewOf(after), names, context.affectedNames)
  )
  const found = violationsAfter.map((it) =>
    isAcceptedByRestore(it, restores) ? { ...it, severity: 'warning' as const } : it
  )

  const errors = found.filter((it) => it.severity === 'error' && !known.has(keyOf(it)))
  if (errors.length > 0) {
    throw new RuleViolated(errors[0], errors)
  }
  const changed = new Set(changes.map(({ name, type }) => `${name} ${type}`))
  const warnings = found.filter(
    (it) =>
      it.severity === 'warning' && (!known.has(keyOf(it)) || changed.has(`${it.name} ${it.type}`))
  )
  const changeViolations = await mapYielding(changes, (change) => changeRules([change]))
  return inOrder([...warnings, ...changeViolations.flat()])
}

/** Violations of the changed names and of affected names; rules about single names first. */
function* violationSteps(
  view: ZoneView,
  names: Set<string>,
  affectedNames: string[]
): Generator<undefined, Violation[]> {
  const found: Violation[] = []
  for (const name of names) {
    for (const one of nameRules(view.apex, name, view.rrsetsAt(name))) found.push(one)
    yield
  }
  for (const name of new Set([...names, ...affectedNames])) {
    for (const one of surroundingRules(view, name)) found.push(one)
    yield
  }
  return found
}

/** Whether a restored name or zone may break the rule, as it did before. */
function isAcceptedByRestore({ rule }: Violation, restores: RestoredScope | undefined): boolean {
  const isAboutName = NAME_RULES.some(({ id }) => id === rule)
  return restores === 'zone' || (restores !== undefined && isAboutName)
}

function keyOf({ rule, severity, name, type, target }: Violation): string {
  return [rule, severity, name, type, target].join(' ')
}
