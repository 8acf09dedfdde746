import { setTimeout as sleep } from 'node:timers/promises'
import type { Database } from '@adonisjs/lucid/database'
import { dialectOf } from '#database/dialects/dialect_of'
import { invalid } from '#exceptions/refusal'

/** Maximum wait for another process that migrates the same database, and the time between two attempts. */
const MAX_WAIT_MS = 10 * 60_000
const POLL_MS = 500

/** A query of knex that is sent on a given connection. */
interface KnexQuery {
  connection(connection: object): Promise<unknown>
}

/**
 * Runs work that changes the schema, one process at a time: other processes wait, at most ten minutes. One connection
 * holds the lock from the first statement to the last. SQLite needs no lock: it has one writer.
 *
 * Throws a `Refusal` if another process holds the lock for longer.
 */
export async function whileMigrating<T>(database: Database, work: () => Promise<T>): Promise<T> {
  const client = database.connection()
  const { migrationLock, rowsOf } = dialectOf(client)
  if (migrationLock === null) {
    return work()
  }
  const knex = client.getWriteClient()
  const connection: object = await knex.client.acquireConnection()
  const isDone = async (sql: string): Promise<boolean> => {
    const query = knex.raw(sql) as unknown as KnexQuery
    const [{ done }] = rowsOf<{ done: unknown }>(await query.connection(connection))
    return done === true || done === 1
  }
  try {
    for (const since = Date.now(); !(await isDone(migrationLock.acquire)); await sleep(POLL_MS)) {
      if (Date.now() - since > MAX_WAIT_MS) {
        throw invalid('Another process is migrating this database; run the command again later')
      }
    }
    try {
      return await work()
    } finally {
      // A lost connection has released it.
      await isDone(migrationLock.release).catch(() => {})
    }
  } finally {
    await knex.client.releaseConnection(connection)
  }
}
