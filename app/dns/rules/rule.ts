import { recordType } from '#dns/records/registry'
import type { ZoneView } from '#dns/rules/zone_view'
import type { RRset, RRsetChange } from '#dns/types'

/** An error keeps a change from being made; a warning is told beside its success. */
export type Severity = 'error' | 'warning'

/** A rule that a state of the zone breaks. */
export interface Violation {
  /** Id of the rule. */
  rule: string
  severity: Severity
  name: string
  type: string
  message: string
  /** The name that the RRset points to, where the rule is about one. */
  target?: string
}

/** What there is to know of a rule without carrying it out. */
export interface RuleAbout {
  readonly id: string
  readonly severity: Severity
  /** Severity where another zone has part in it: no rule of one zone blocks another. */
  readonly across?: 'warning'
  readonly rfc: string
  /** One sentence. */
  readonly demands: string
}

/** Everything at one owner name, as it would be; RRsets without records are left out. */
export interface NameState {
  apex: string
  name: string
  rrsets: RRset[]
}

/** A type at a name that breaks a rule, with the message. */
export interface Finding {
  type: string
  message: string
  target?: string
  /** Where it is not that of the rule. */
  severity?: Severity
}

/** A rule about one owner name. Disabled records count: they can be enabled at any time. */
export interface NameRule extends RuleAbout {
  check(state: NameState): Finding[]
}

/** A rule about one owner name for which other names are looked up. */
export interface ZoneRule extends RuleAbout {
  check(state: NameState, view: ZoneView): Finding[]
}

/** A rule about the step from one state to the next. */
export interface ChangeRule extends RuleAbout {
  check(change: RRsetChange): Finding[]
}

/** Findings at a name in the words of a violation. */
export function violationsOf(rule: RuleAbout, name: string, findings: Finding[]): Violation[] {
  return findings.map(({ type, message, target, severity }) => ({
    rule: rule.id,
    severity: severity ?? rule.severity,
    name,
    type,
    message: `${name} ${type}: ${message} (${rule.rfc})`,
    ...(target === undefined ? {} : { target }),
  }))
}

/** Whether there is an RRset of this type, disabled or not. */
export function has(rrsets: RRset[], wanted: string): boolean {
  return rrsets.some(({ type }) => type === wanted)
}

/** Whether name servers answer with at least one record of the RRset. */
export function isServed({ records }: RRset): boolean {
  return records.some(({ disabled }) => !disabled)
}

/** The host names that an RRset points to, each once. */
export function targetsOf({ type, records }: RRset): string[] {
  const known = recordType(type)
  if (!known) return []
  if (records.length === 1) return known.targets(records[0].content)
  return [...new Set(records.flatMap(({ content }) => known.targets(content)))]
}
