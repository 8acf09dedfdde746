/** An error prevents a change; a warning is returned with its result. */
export type Severity = 'error' | 'warning'

/** A rule that the state of a zone violates. */
export interface Violation {
  /** Id of the rule. */
  rule: string
  severity: Severity
  name: string
  type: string
  message: string
  /** Target name of the RRset, if the rule concerns one. */
  target?: string
}
