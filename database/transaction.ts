import type { QueryClientContract, TransactionClientContract } from '@adonisjs/lucid/types/database'
import { retryOnConflict } from '#database/conflicts'

/** knex' own promise of a transaction; its types do not show it. */
type Execution = { executionPromise: Promise<unknown> }

/** Errors that came after COMMIT was sent. */
const afterCommit = new WeakSet<object>()

/**
 * Whether the error came after COMMIT was sent. If it says that the database was lost, nobody knows whether the change
 * was made.
 */
export function isAfterCommit(error: unknown): boolean {
  return typeof error === 'object' && error !== null && afterCommit.has(error)
}

/**
 * Runs work in a transaction and commits it, again from its start while other writers are in the way
 * (`retryOnConflict`), so that `work` must have no effect outside the transaction.
 */
export function inTransaction<T>(
  client: QueryClientContract,
  work: (trx: TransactionClientContract) => Promise<T>
): Promise<T> {
  return retryOnConflict(() => once(client, work))
}

/**
 * Runs work in a transaction and commits it; rolls back when it throws. Resolves only once the database
 * has confirmed the COMMIT: knex' `commit()` resolves as well when the statement failed, for instance
 * because the connection was lost, and tells that through `executionPromise` alone. `isAfterCommit` tells such errors.
 */
async function once<T>(
  client: QueryClientContract,
  work: (trx: TransactionClientContract) => Promise<T>
): Promise<T> {
  const trx = await client.transaction()
  const { executionPromise: outcome } = trx.knexClient as unknown as Execution
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
    // BEGIN or COMMIT failed: the reason is there, and not in what came after it.
    const reason: unknown = await outcome.then(
      () => error,
      (why: unknown) => why
    )
    if (isSent && typeof reason === 'object' && reason !== null) {
      afterCommit.add(reason)
    }
    throw reason
  }
}
