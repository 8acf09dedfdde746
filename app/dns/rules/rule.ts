import type { Severity, Violation } from '#dns/rules/violation'
import type { ZoneView } from '#dns/rules/zone_view'
import type { RRset, RRsetChange } from '#dns/types'

/** Description of a rule. */
export interface RuleDescription {
  readonly id: string
  readonly severity: Severity
  /** Severity if another zone is involved: no rule of one zone blocks another. */
  readonly across?: 'warning'
  readonly rfc: string
  /** One sentence. */
  readonly demands: string
}

/** All RRsets of one owner name after the change, without empty ones. */
export interface NameState {
  apex: string
  name: string
  rrsets: RRset[]
}

/** A type at a name that violates a rule, with the message. */
export interface Finding {
  type: string
  message: string
  target?: string
  /** Severity, if it differs from that of the rule. */
  severity?: Severity
}

/** A rule about one owner name. Disabled records count, because they can be enabled at any time. */
export interface NameRule extends RuleDescription {
  check(state: NameState): Finding[]
}

/** A rule about one owner name that reads other names. */
export interface ZoneRule extends RuleDescription {
  check(state: NameState, view: ZoneView): Finding[]
}

/** A rule about a change from one state to the next. */
export interface ChangeRule extends RuleDescription {
  check(change: RRsetChange): Finding[]
}

/** A message names one source; a finding may name a more precise section than the rule. */
function withSource(message: string, rfc: string): string {
  return /\(RFC \d[^()]*\)$/.test(message) ? message : `${message} (${rfc})`
}

/** Converts findings at a name to violations. */
export function violationsOf(
  rule: RuleDescription,
  name: string,
  findings: Finding[]
): Violation[] {
  return findings.map(({ type, message, target, severity }) => ({
    rule: rule.id,
    severity: severity ?? rule.severity,
    name,
    type,
    message: `${name} ${type}: ${withSource(message, rule.rfc)}`,
    ...(target === undefined ? {} : { target }),
  }))
}

/** Returns whether an RRset of this type exists, disabled or not. */
export function has(rrsets: RRset[], recordType: string): boolean {
  return rrsets.some(({ type }) => type === recordType)
}
