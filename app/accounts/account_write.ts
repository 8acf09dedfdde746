import db from '@adonisjs/lucid/services/db'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { AccountWriteOptions } from '#accounts/terms'
import { withRemainingAdministrator } from '#accounts/users/last_administrator'
import type { AuditEvent } from '#audit/event'
import { record } from '#audit/record'
import { inTransaction } from '#database/transaction'

/** Result of a change, and its audit events; no events without a change. */
export interface AuditedChange<T> {
  result: T
  events: AuditEvent[]
}

/**
 * Runs a change of groups, members or permission templates and its audit events in one transaction.
 * These rare changes are serialized, so their checks still hold at the commit. Throws a 409
 * `Refusal` if no active administrator would be left.
 */
export function writeAccounts<T>(
  { actor, finish }: AccountWriteOptions,
  change: (trx: TransactionClientContract) => Promise<AuditedChange<T>>
): Promise<T> {
  return inTransaction(db.connection(), async (trx) => {
    // The first statement locks out other changes.
    const { result, events } = await withRemainingAdministrator(trx, () => change(trx))
    await record(trx, actor, events)
    await finish(trx)
    return result
  })
}
