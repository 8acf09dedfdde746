import db from '@adonisjs/lucid/services/db'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { AccountWriteOptions } from '#accounts/terms'
import { userEvents, type UserEvent } from '#accounts/users/events'
import { record } from '#audit/record'
import { isUniqueViolation } from '#database/conflicts'
import { inTransaction } from '#database/transaction'
import { conflict } from '#exceptions/refusal'

/**
 * Runs a change of users in one transaction. After a unique constraint error it retries once, so
 * that the change's own check names the conflict. Throws a 409 if that check passes again.
 */
export function writeUsers<T>(work: (trx: TransactionClientContract) => Promise<T>): Promise<T> {
  return retryOnDuplicate(() => inTransaction(db.connection(), work))
}

/**
 * Last steps of every change of a user: writes the audit event and runs the last step of the terms.
 *
 * @param event null without a change
 */
export async function finishUserChange(
  trx: TransactionClientContract,
  { actor, finish }: AccountWriteOptions,
  event: UserEvent | null
): Promise<void> {
  if (event) {
    await record(trx, actor, userEvents(event))
  }
  await finish(trx)
}

async function retryOnDuplicate<T>(write: () => Promise<T>): Promise<T> {
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
