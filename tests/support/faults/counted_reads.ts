import db from '@adonisjs/lucid/services/db'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { rawRows } from '#database/statements/raw_rows'
import { unique } from '#tests/support/app/names'

interface SqliteHandle {
  function(name: string, work: (column: unknown) => number): unknown
  exec(sql: string): unknown
}

interface PooledConfig {
  pool: { afterCreate(handle: unknown, done: (error: unknown) => void): void }
}

/**
 * A connection to the test database that counts the rows and index entries read from some tables. Reads of other
 * connections do not count.
 */
export class CountedReads {
  /** Rows read on SQLite, which has no counter of its own. */
  #seen = 0
  readonly #name = unique('counted')

  /** @param tables tables of the product, each with a column that all of its indexes contain */
  constructor(private readonly tables: Record<string, string>) {
    const known = db.manager.get(db.primaryConnectionName)!.config
    const { pool, ...config } = known as unknown as PooledConfig
    const afterCreate: PooledConfig['pool']['afterCreate'] = (handle, done) => {
      pool.afterCreate(handle, (error) => {
        if (this.#isOnSqlite) this.#countRead(handle as SqliteHandle)
        done(error)
      })
    }
    const own = { ...config, pool: { ...pool, afterCreate } }
    db.manager.add(this.#name, own as unknown as typeof known)
  }

  /** Returns the number of reads of `work` on this connection. */
  async of(work: (client: QueryClientContract) => Promise<unknown>): Promise<number> {
    return db.connection(this.#name).transaction(async (trx) => {
      const before = await this.#total(trx)
      await work(trx)
      return (await this.#total(trx)) - before
    })
  }

  async close(): Promise<void> {
    await db.manager.close(this.#name, true)
  }

  get #isOnSqlite(): boolean {
    return db.connection().dialect.name === 'better-sqlite3'
  }

  /** Hides the tables behind views. The views call a function for each row, before any condition that no index covers. */
  #countRead(handle: SqliteHandle): void {
    handle.function('seen', (_column) => {
      this.#seen += 1
      return 1
    })
    for (const [table, column] of Object.entries(this.tables)) {
      handle.exec(`CREATE TEMP VIEW ${table} AS SELECT * FROM main.${table} WHERE seen(${column})`)
    }
  }

  async #total(trx: QueryClientContract): Promise<number> {
    if (this.#isOnSqlite) return this.#seen
    if (trx.dialect.name === 'mysql') {
      const sql = "show session status like 'Handler_read%'"
      const rows = await rawRows<{ Value: string }>(trx, sql, [])
      return rows.reduce((sum, { Value }) => sum + Number(Value), 0)
    }
    const names = Object.keys(this.tables)
    const [row] = await rawRows<{ total: string }>(
      trx,
      `SELECT sum(pg_stat_get_xact_tuples_returned(c.oid) + pg_stat_get_xact_tuples_fetched(c.oid)) AS total
       FROM pg_class c LEFT JOIN pg_index i ON i.indexrelid = c.oid
       WHERE coalesce(i.indrelid, c.oid) IN (${names.map(() => '?::regclass').join(', ')})`,
      names
    )
    return Number(row.total)
  }
}
