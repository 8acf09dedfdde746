/** Reason of a decision, for people and for `explain`. */
export interface Reason {
  rule: string
  message: string
  /** Origin of the result: a permission, an API key, a kind of zone. */
  source: string
}

/** The answer to an access request. */
export interface Decision {
  allowed: boolean
  /** Whether the object must answer as a missing one. */
  hidden: boolean
  /** Allowed by review only: the write becomes a change request. */
  review?: boolean
  reasons: Reason[]
}

/** Returns a decision with one reason that hides nothing. */
export function decide(allowed: boolean, rule: string, message: string, source: string): Decision {
  return { allowed, hidden: false, reasons: [{ rule, message, source }] }
}

/** Allows a request; each source of the right becomes a reason. */
export function allow(sources: { permission: string; source: string }[]): Decision {
  const reasons = sources.map(({ permission, source }) => ({
    rule: 'permission',
    message: `Granted by ${permission}`,
    source,
  }))
  return { allowed: true, hidden: false, reasons }
}

/** Changes an allowing decision to one that needs review. */
export function withReview(decision: Decision, message: string, source: string): Decision {
  const reason = { rule: 'approval', message, source }
  return { ...decision, review: true, reasons: [...decision.reasons, reason] }
}
