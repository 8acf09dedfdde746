import type { ExplainedAction, Explanation } from '#access/explain'
import type { Subject } from '#accounts/explained_subject'

/** A decision with all reasons, as `data` of an answer. */
export function explanationItem(
  action: ExplainedAction,
  { actor, refusalReasons }: Subject,
  { decision, reasons }: Explanation
) {
  const cannotCall = refusalReasons.length > 0
  return {
    decision: cannotCall ? 'deny' : decision,
    reasons: [...refusalReasons, ...(cannotCall && decision !== 'deny' ? [] : reasons)],
    action,
    user: { id: actor.userId, username: actor.username },
    api_key_id: actor.key?.id ?? null,
  }
}
