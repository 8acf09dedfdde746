/** Why a decision came out as it did, for people and for `explain`. */
export interface Reason {
  rule: string
  message: string
  /** What gave or withheld the right: a permission, an API key, a kind of zone. */
  source: string
}

/** The answer to an access request. */
export interface Decision {
  allowed: boolean
  /** The object must look as if it did not exist. */
  hidden: boolean
  /** Allowed through review only: a change request takes the place of the write. */
  review?: boolean
  reasons: Reason[]
}

/** A decision with its one reason; nothing is hidden by it. */
export function decide(allowed: boolean, rule: string, message: string, source: string): Decision {
  return { allowed, hidden: false, reasons: [{ rule, message, source }] }
}

/** The decision to allow something for each of these reasons: where the right comes from. */
export function allow(sources: { permission: string; source: string }[]): Decision {
  const reasons = sources.map(({ permission, source }) => ({
    rule: 'permission',
    message: `Granted by ${permission}`,
    source,
  }))
  return { allowed: true, hidden: false, reasons }
}

/** The same decision to allow, but through review. */
export function throughReview(decision: Decision, message: string, source: string): Decision {
  const reason = { rule: 'approval', message, source }
  return { ...decision, review: true, reasons: [...decision.reasons, reason] }
}
