import type { QueryClientContract, TransactionClientContract } from '@adonisjs/lucid/types/database'
import { retryOnConflict } from '#database/conflicts'

/** knex' own promise of a transaction; its types do not show it. */
type Execution = { executionPromise: Promise<unknown> }

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
 * because the connection was lost, and tells that through `executionPromise` alone.
 */
async function once<T>(
  client: QueryClientContract,
  work: (trx: TransactionClientContract) => Promise<T>
): Promise<T> {
  const trx = await client.transaction()
  const { executionPromise: outcome } = trx.knexClient as unknown as Execution
  outcome.catch(() => {})
  try {
    const result = await work(trx)
    await trx.commit()
    await outcome
    return result
  } catch (error) {
    if (trx.isCompleted) {
      // BEGIN or COMMIT failed: the reason is there, and not in what came after it.
      throw await outcome.then(
        () => error,
        (reason: unknown) => reason
      )
    }
    await trx.rollback().catch(() => {})
    throw error
  }
}
