import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import type { TextSource } from '#database/text_index/source'

/** Whether PostgreSQL keeps the trigrams of a source by itself, by an index that is whole. */
export async function hasTrigramIndex(
  client: QueryClientContract,
  { index }: TextSource
): Promise<boolean> {
  const { rows } = (await client.rawQuery(
    'SELECT indisvalid AS valid FROM pg_index WHERE indexrelid = to_regclass(?)',
    [index]
  )) as { rows: { valid: boolean }[] }
  return rows[0]?.valid === true
}

/** Whether PostgreSQL would find the rows of a query by an index. Asks for its plan, which takes a thousandth of a second. */
export async function isPlannedWith(
  rows: DatabaseQueryBuilderContract,
  index: string
): Promise<boolean> {
  const { sql, bindings } = rows.toSQL()
  const plan: unknown = await rows.client.rawQuery(`EXPLAIN (FORMAT JSON) ${sql}`, [
    ...bindings,
  ] as string[])
  const { rows: lines } = plan as { rows: unknown[] }
  return JSON.stringify(lines).includes(`"${index}"`)
}

/** Sends a statement without values. */
type Send = (sql: string) => Promise<unknown>

/** The pool of a knex client; its types do not show it. */
interface Pool {
  acquireConnection(): Promise<{ query: Send }>
  releaseConnection(connection: object): Promise<void>
}

/**
 * Runs work on one connection that waits for the locks of others as long as it takes: making an index beside
 * running writes means to wait for every transaction that began before.
 */
export async function patiently<T>(
  client: QueryClientContract,
  work: (send: Send) => Promise<T>
): Promise<T> {
  const pool = client.getWriteClient().client as Pool
  const connection = await pool.acquireConnection()
  try {
    await connection.query('SET lock_timeout = 0')
    return await work((sql) => connection.query(sql))
  } finally {
    await connection.query('RESET lock_timeout').catch(() => {})
    await pool.releaseConnection(connection)
  }
}

/**
 * Makes an index anew under its own name, while others read and write. What an earlier try left half done goes.
 *
 * @param of what is behind the table in CREATE INDEX
 */
export async function replaceIndex(
  send: Send,
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

/**
 * Makes the index by which PostgreSQL keeps the trigrams of a source, while others read and write. What an
 * earlier try left half done is made anew. Not within a transaction.
 *
 * @param isAnew whether one that is whole is made anew, too
 * @returns null, or why there can be none: then the product keeps trigrams of its own
 */
export async function makeTrigramIndex(
  client: QueryClientContract,
  source: TextSource,
  isAnew = false
): Promise<string | null> {
  const columns = [...source.texts, ...source.apart, ...source.words]
    .map((text) => `lower(${text}) gin_trgm_ops`)
    .join(', ')
  try {
    await client.rawQuery('CREATE EXTENSION IF NOT EXISTS pg_trgm')
    if (isAnew || !(await hasTrigramIndex(client, source))) {
      await patiently(client, (send) =>
        replaceIndex(send, source.index, source.table, `USING gin (${columns})`)
      )
    }
    return null
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}
