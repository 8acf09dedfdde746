import type { QueryClientContract, TransactionClientContract } from '@adonisjs/lucid/types/database'
import { retryOnConflict } from '#database/conflicts'

/** Knex' promise of the outcome of a transaction; missing in its types. */
type RunningTransaction = { executionPromise: Promise<unknown> }

/** Errors after COMMIT was sent. */
const afterCommit = new WeakSet<object>()

/** Whether the error came after COMMIT was sent. If the connection was lost, it is unknown whether the change was committed. */
export function isAfterCommit(error: unknown): boolean {
  return typeof error === 'object' && error !== null && afterCommit.has(error)
}

/**
 * Runs work in a transaction and commits it. Repeats both on conflicts with other writers (`retryOnConflict`): `work` must have
 * no effect outside of the transaction.
 */
export function inTransaction<T>(
  client: QueryClientContract,
  work: (trx: TransactionClientContract) => Promise<T>
): Promise<T> {
  return retryOnConflict(() => runOnce(client, work))
}

/**
 * One attempt. Rolls back if `work` throws. Resolves after the database confirmed COMMIT: `commit()` of knex also resolves if
 * the statement failed, and only `executionPromise` rejects then.
 */
async function runOnce<T>(
  client: QueryClientContract,
  work: (trx: TransactionClientContract) => Promise<T>
): Promise<T> {
  const trx = await client.transaction()
  const { executionPromise: outcome } = trx.knexClient as unknown as RunningTransaction
  outcome.catch(() => {})
  let isSent = false
  try {
    const result = await work(trx)
    isSent = true
    await trx.commit()
    await outcome
    return result
  } catch (error) {
    if (!trx.isCompleted) {
      await trx.rollback().catch(() => {})
      throw error
    }
    // BEGIN or COMMIT failed: the outcome has the cause, `error` only a consequence.
    const reason: unknown = await outcome.then(
      () => error,
      (rollbackCause: unknown) => rollbackCause
    )
    if (isSent && typeof reason === 'object' && reason !== null) {
      afterCommit.add(reason)
    }
    throw reason
  }
}
