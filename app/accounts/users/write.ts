import db from '@adonisjs/lucid/services/db'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { GroupName } from '#accounts/groups/references'
import type { AccountTerms } from '#accounts/terms'
import { userEvents } from '#accounts/users/events'
import type { UserRow } from '#accounts/users/row'
import { record } from '#audit/record'
import { isUniqueViolation } from '#database/conflicts'
import { inTransaction } from '#database/transaction'
import { conflict } from '#exceptions/refusal'

/** What was done to a user, who is named as they are called afterwards. Holds no password and no hash. */
export type UserEvent = { user: { id: number; username: string } } & (
  | { action: 'user.create'; after: UserRow; groups: GroupName[] }
  | {
      action: 'user.update'
      before: UserRow
      after: UserRow
      /** Absent where the password stays. */
      password?: 'set' | 'removed'
    }
  | {
      action: 'user.delete'
      /** Those that the user was in. */
      groups: GroupName[]
      /** API keys that are gone with the user. */
      keys: { id: number; name: string }[]
      /** What became of their zones. */
      transfers: Transfer[]
    }
)

/** Zones that went to somebody, by their ids; `to` is null where they stayed with their other owners. */
export interface Transfer {
  to: { kind: 'user' | 'group'; id: number; name: string } | null
  zones: number[]
}

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
