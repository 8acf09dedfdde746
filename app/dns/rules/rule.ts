import type { Severity, Violation } from '#dns/rules/violation'
import type { ZoneView } from '#dns/rules/zone_view'
import type { RRset, RRsetChange } from '#dns/types'

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
