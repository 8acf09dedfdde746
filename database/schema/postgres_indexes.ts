import type { QueryClientContract } from '@adonisjs/lucid/types/database'

/** Sends a statement without values. */
type SendStatement = (sql: string) => Promise<unknown>

/** The pool of a knex client; its types do not show it. */
interface ConnectionPool {
  acquireConnection(): Promise<{ query: SendStatement }>
  releaseConnection(connection: object): Promise<void>
}

/** A pg_trgm index on columns of a table, without case. */
export interface TrigramIndex {
  index: string
  table: string
  columns: readonly string[]
}

/** Whether PostgreSQL has a complete index of this name. */
export async function hasValidIndex(client: QueryClientContract, index: string): Promise<boolean> {
  const { rows } = (await client.rawQuery(
    'SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass(?)',
    [index]
  )) as { rows: { valid: boolean }[] }
  return rows[0]?.valid === true
}

/**
 * Creates a trigram index on PostgreSQL while other sessions read and write. Replaces an incomplete index of an earlier
 * attempt. Must not run inside a transaction.
 *
 * @param isRebuilt whether to replace a complete index, too
 * @returns null, or the error message of PostgreSQL: then the product uses its own trigram tables
 */
export async function createTrigramIndex(
  client: QueryClientContract,
  { index, table, columns }: TrigramIndex,
  isRebuilt = false
): Promise<string | null> {
  const parts = columns.map((column) => `lower(${column}) gin_trgm_ops`).join(', ')
  try {
    await client.rawQuery('CREATE EXTENSION IF NOT EXISTS pg_trgm')
    if (isRebuilt || !(await hasValidIndex(client, index))) {
      await withoutLockTimeout(client, (send) =>
        replaceIndex(send, index, table, `USING gin (${parts})`)
      )
    }
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/**
 * Runs work on one connection without a limit for lock waits. CREATE INDEX CONCURRENTLY waits for all transactions
 * that began before.
 */
async function withoutLockTimeout<T>(
  client: QueryClientContract,
  work: (send: SendStatement) => Promise<T>
): Promise<T> {
  const pool = client.getWriteClient().client as ConnectionPool
  const connection = await pool.acquireConnection()
  try {
    await connection.query('SET lock_timeout = 0')
    return await work((sql) => connection.query(sql))
  } finally {
    await connection.query('RESET lock_timeout').catch(() => {})
    await pool.releaseConnection(connection)
  }
}

/** Creates an index under a temporary name, drops the old one and renames the new one. */
async function replaceIndex(
  send: SendStatement,
  index: string,
  table: string,
  of: string
): Promise<void> {
  const next = `${index}_new`
  await send(`DROP INDEX CONCURRENTLY IF EXISTS ${next}`)
  await send(`CREATE INDEX CONCURRENTLY ${next} ON ${table} ${of}`)
  await send(`DROP INDEX CONCURRENTLY IF EXISTS ${index}`)
  await send(`ALTER INDEX ${next} RENAME TO ${index}`)
}
