import db from '@adonisjs/lucid/services/db'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { AccountTerms } from '#accounts/terms'
import { keepingAnAdministrator } from '#accounts/users/last_administrator'
import type { AuditEvent } from '#audit/event'
import { record } from '#audit/record'
import { inTransaction } from '#database/transaction'

/** A change that was made, and what the audit log is to tell of it: nothing where all is as it was. */
export interface ToldChange<T> {
  result: T
  events: AuditEvent[]
}

/**
 * Carries out a change of groups, members or permission templates with its events in the audit log: as a
 * whole or not at all, and one after the other, so that what it checks still holds when it is committed. These
 * changes are rare. Throws a 409 `Refusal` when it takes the last active administrator away.
 */
export function writeAccounts<T>(
  { actor, settle }: AccountTerms,
  change: (trx: TransactionClientContract) => Promise<ToldChange<T>>
): Promise<T> {
  return inTransaction(db.connection(), async (trx) => {
    // First of all: it holds others off.
    const { result, events } = await keepingAnAdministrator(trx, () => change(trx))
    await record(trx, actor, events)
    await settle(trx)
    return result
  })
}
