import { CHANGE_RULES } from '#dns/rules/change_rules'
import { CONTENT_RULES } from '#dns/rules/content_rules'
import { CUT_RULES } from '#dns/rules/cut_rules'
import { PLACEMENT_RULES } from '#dns/rules/placement_rules'
import {
  type Finding,
  type NameRule,
  type NameState,
  type RuleDescription,
  violationsOf,
} from '#dns/rules/rule'
import type { Violation } from '#dns/rules/violation'
import { SET_RULES } from '#dns/rules/set_rules'
import { TARGET_RULES } from '#dns/rules/target_rules'
import { ZoneView } from '#dns/rules/zone_view'
import { finished, sortSteps } from '#dns/steps'
import type { RRset, RRsetChange } from '#dns/types'

export { ZoneView } from '#dns/rules/zone_view'

const NAME_RULE_LISTS = [...PLACEMENT_RULES, ...SET_RULES, ...CONTENT_RULES]

/** Rules of one owner name, errors first, in the order of the report. */
export const NAME_RULES: readonly NameRule[] = [
  ...NAME_RULE_LISTS.filter(({ severity }) => severity === 'error'),
  ...NAME_RULE_LISTS.filter(({ severity }) => severity === 'warning'),
]

const ZONE_RULES = [...CUT_RULES, ...TARGET_RULES]

/** All rules between records. docs/reference/rules.md lists them. */
export const RULES: readonly RuleDescription[] = [...NAME_RULES, ...ZONE_RULES, ...CHANGE_RULES]

/**
 * Returns the violated rules of one owner name.
 *
 * @param apex canonical name of the zone
 * @param name canonical owner name
 * @param rrsets all RRsets at this name, as after the change
 */
export function nameRules(apex: string, name: string, rrsets: RRset[]): Violation[] {
  const state = { apex, name, rrsets: rrsets.filter(({ records }) => records.length > 0) }
  return carriedOut(NAME_RULES, state, (rule) => rule.check(state))
}

/**
 * Returns the rules that a name violates together with its targets and ancestors. The view must
 * contain these.
 */
export function surroundingRules(view: ZoneView, name: string): Violation[] {
  const state = { apex: view.apex, name, rrsets: view.rrsetsAt(name) }
  return carriedOut(ZONE_RULES, state, (rule) => rule.check(state, view))
}

/** Rules apply to names with records, and to the apex. Called for each name of large changes. */
function carriedOut<R extends RuleDescription>(
  rules: readonly R[],
  { apex, name, rrsets }: NameState,
  check: (rule: R) => Finding[]
): Violation[] {
  const violations: Violation[] = []
  if (rrsets.length === 0 && name !== apex) return violations
  for (const rule of rules) {
    const findings = check(rule)
    if (findings.length > 0) violations.push(...violationsOf(rule, name, findings))
  }
  return violations
}

/** Returns warnings about side effects of changes. */
export function changeRules(changes: RRsetChange[]): Violation[] {
  return changes.flatMap((change) =>
    CHANGE_RULES.flatMap((rule) => violationsOf(rule, change.name, rule.check(change)))
  )
}

/**
 * Returns all violations in a zone, in the order of `inOrder`.
 *
 * @param apex canonical name of the zone
 * @param rrsets all RRsets in any order, each owner name and type once
 * @param aliasesElsewhere names with a CNAME in another zone of this server, if known
 */
export function zoneRules(
  apex: string,
  rrsets: RRset[],
  aliasesElsewhere: ReadonlySet<string> = new Set()
): Violation[] {
  return finished(zoneRuleSteps(apex, rrsets, aliasesElsewhere))
}

/** As `zoneRules`, in steps of one name. */
export function* zoneRuleSteps(
  apex: string,
  rrsets: RRset[],
  aliasesElsewhere: ReadonlySet<string> = new Set()
): Generator<undefined, Violation[]> {
  const sorted = yield* sortSteps(rrsets, (a, b) => compare(a.type, b.type))
  const view = new ZoneView(apex, sorted, aliasesElsewhere)
  const found: Violation[] = []
  for (const name of view.names()) {
    for (const one of nameRules(apex, name, view.rrsetsAt(name))) found.push(one)
    for (const one of surroundingRules(view, name)) found.push(one)
    yield
  }
  return inOrder(found)
}

/** Sorts by name, type and message; drops duplicates. */
export function inOrder(violations: Violation[]): Violation[] {
  const distinct = new Map(violations.map((it) => [`${it.rule} ${it.message}`, it]))
  return [...distinct.values()].sort(
    (a, b) => compare(a.name, b.name) || compare(a.type, b.type) || compare(a.message, b.message)
  )
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}
