import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { Actor } from '#access/actor'

/** The actor of a change of accounts or API keys, and the end of its transaction. */
export interface AccountTerms {
  actor: Actor
  /**
   * The last step of the transaction: records the idempotency key, or ends a dry run by throwing,
   * which rolls back all writes and audit events.
   */
  settle: (trx: TransactionClientContract) => Promise<void>
  /**
   * Checks the stored state in the transaction, after all rights; throws if it differs from the
   * state that the actor read. Absent if the actor needs no precondition.
   */
  expect?: (stored: object) => void
}

/** Terms of commands, without dry run and idempotency key. */
export function plainTerms(actor: Actor): AccountTerms {
  return { actor, settle: () => Promise.resolve() }
}
