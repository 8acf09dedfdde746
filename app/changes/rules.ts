import type { BackendZone } from '#backends/contract'
import type { ZoneReader } from '#changes/zone_reader'
import type { RestoredScope } from '#changes/change_set'
import { neighboursOf } from '#changes/rule_neighbours'
import {
  changeRules,
  inOrder,
  NAME_RULES,
  nameRules,
  surroundingRules,
  type Violation,
  ZoneView,
} from '#dns/rules'
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
  const known = new Set(broken(viewOf(before), names, around.concerned).map(keyOf))
  const found = broken(viewOf(after), names, around.concerned).map((it) =>
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
  return inOrder([...told, ...changeRules(changes)])
}

/** What the changed names break, and what others break by them; rules about single names first. */
function broken(view: ZoneView, names: Set<string>, concerned: string[]): Violation[] {
  const alone = [...names].flatMap((name) => nameRules(view.apex, name, view.at(name)))
  const together = [...new Set([...names, ...concerned])].flatMap((name) =>
    surroundingRules(view, name)
  )
  return [...alone, ...together]
}

/** Whether a restored name, or zone, may break the rule because it did so then. */
function isForgiven({ rule }: Violation, restores: RestoredScope | undefined): boolean {
  const isAboutName = NAME_RULES.some(({ id }) => id === rule)
  return restores === 'zone' || (restores !== undefined && isAboutName)
}

function keyOf({ rule, severity, name, type, target }: Violation): string {
  return [rule, severity, name, type, target].join(' ')
}
