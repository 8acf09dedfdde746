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
