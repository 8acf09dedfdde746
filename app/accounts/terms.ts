import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { Actor } from '#access/actor'

/** Who changes users, groups, permission templates or API keys, and how the transaction ends. */
export interface AccountTerms {
  actor: Actor
  /**
   * The last step of the transaction: notes that the request is carried out, or ends a dry run by throwing,
   * which takes back everything, events of the audit log as well.
   */
  settle: (trx: TransactionClientContract) => Promise<void>
  /**
   * Looks at what is about to be changed, as it is stored, in the transaction and after every right was asked for; throws
   * where it is not what the actor saw. Absent where they need not have seen it.
   */
  expect?: (stored: object) => void
}

/** The terms of commands, which make no dry runs and are not repeated: nothing is left to do at the end. */
export function plainTerms(actor: Actor): AccountTerms {
  return { actor, settle: () => Promise.resolve() }
}
