import db from '@adonisjs/lucid/services/db'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { AccountTerms } from '#accounts/terms'
import { userEvents, type UserEvent } from '#accounts/users/events'
import { record } from '#audit/record'
import { isUniqueViolation } from '#database/conflicts'
import { inTransaction } from '#database/transaction'
import { conflict } from '#exceptions/refusal'

/**
 * Changes users in one transaction, as a whole or not at all. When somebody else took a name in the same
 * moment, the change is tried once more, so that its own checks say which. Throws a 409 when that does not.
 */
export function writeUsers<T>(work: (trx: TransactionClientContract) => Promise<T>): Promise<T> {
  return withUniqueNames(() => inTransaction(db.connection(), work))
}

/**
 * The last steps of every change of a user: the audit log tells of it, and the terms end the transaction.
 *
 * @param event null when there was nothing to change
 */
export async function settleUser(
  trx: TransactionClientContract,
  { actor, settle }: AccountTerms,
  event: UserEvent | null
): Promise<void> {
  if (event) {
    await record(trx, actor, userEvents(event))
  }
  await settle(trx)
}

async function withUniqueNames<T>(write: () => Promise<T>): Promise<T> {
  for (let isLast = false; ; isLast = true) {
    try {
      return await write()
    } catch (error) {
      if (!isUniqueViolation(error)) {
        throw error
      }
      if (isLast) {
        throw conflict('Username or email already exists')
      }
    }
  }
}
