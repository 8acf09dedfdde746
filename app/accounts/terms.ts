import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { Actor } from '#access/actor'

/** The actor of a change of accounts or API keys, and the end of its transaction. */
export interface AccountWriteOptions {
  actor: Actor
  /**
   * The last step of the transaction: records the idempotency key, or ends a dry run by throwing,
   * which rolls back all writes and audit events.
   */
  finish: (trx: TransactionClientContract) => Promise<void>
  /**
   * Checks the stored state in the transaction, after all rights; throws if it differs from the
   * state that the actor read. Absent if the actor needs no precondition.
   */
  checkStored?: (stored: object) => void
}

/** Terms of commands, without dry run and idempotency key. */
export function commandOptions(actor: Actor): AccountWriteOptions {
  return { actor, finish: () => Promise.resolve() }
}
