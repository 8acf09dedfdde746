import { hash } from 'node:crypto'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { rawRows } from '#database/statements/raw_rows'
import { dialectOf } from '#database/dialects/dialect_of'
import { MYSQL } from '#database/dialects/mysql'
import { POSTGRES } from '#database/dialects/postgres'
import { SQLITE } from '#database/dialects/sqlite'
import type { SqlDialect } from '#database/dialects/sql_dialect'

type Value = string | number

/** The pool of a knex client; missing in its types. */
interface ConnectionPool {
  acquireConnection(): Promise<object>
  /** Only SQLite; see `addReadConnection`. */
  acquireReadConnection?(): Promise<object>
  releaseConnection(connection: object): Promise<void>
}

/** A connection of better-sqlite3, of pg and of mysql2; only the part used here. */
interface SqliteConnection {
  prepare(sql: string): SqliteStatement
}
interface SqliteStatement {
  all(values: readonly Value[]): unknown[]
}
interface PgConnection {
  query(query: { name?: string; text: string; values: readonly Value[] }): Promise<{
    rows: unknown[]
  }>
}
interface MysqlConnection {
  execute(
    sql: string,
    values: readonly Value[],
    done: (error: Error | null, rows: unknown[]) => void
  ): void
}

/** Errors of PostgreSQL after which a statement must be prepared again. */
const STALE_CODES = new Set(['0A000', '26000', '42P05'])

/** Stale statements of PostgreSQL connections. They are sent unprepared from then on. */
const stale = new WeakMap<object, Set<PreparedStatement<object>>>()

/** Statements of each SQLite connection. */
const sqliteStatements = new WeakMap<object, Map<PreparedStatement<object>, SqliteStatement>>()

/**
 * A frequent select that each connection prepares once, because building and planning it costs more than running it. Its SQL
 * uses `?` for values only.
 */
export class PreparedStatement<Row extends object> {
  readonly #texts = new Map<SqlDialect, string>()
  #postgres: { name: string; text: string } | undefined

  /** @param sql the statement, or a function that returns it for a dialect */
  constructor(private readonly sql: string | ((dialect: SqlDialect) => string)) {}

  /**
   * Returns the rows of the driver. In a transaction the statement is sent unprepared, since a stale one could not be
   * repeated there. Throws the error of the driver, or of knex if the pool has no connection.
   */
  async rows(client: QueryClientContract, values: readonly Value[]): Promise<Row[]> {
    const sql = this.#sqlOf(dialectOf(client))
    if (client.isTransaction) {
      return rawRows<Row>(client, sql, [...values])
    }
    const knex = client.getReadClient()
    // As knex does for other statements: listeners count queries.
    knex.emit('query', { sql, bindings: values })
    const pool = knex.client as ConnectionPool
    const connection = await (pool.acquireReadConnection?.() ?? pool.acquireConnection())
    try {
      return (await this.#send(client.dialect.name, connection, values)) as Row[]
    } finally {
      void pool.releaseConnection(connection)
    }
  }

  #send(
    driver: QueryClientContract['dialect']['name'],
    connection: object,
    values: readonly Value[]
  ): unknown[] | Promise<unknown[]> {
    switch (driver) {
      case 'better-sqlite3':
        return this.#prepareSqlite(connection as SqliteConnection).all(values)
      case 'postgres':
        return this.#runPostgres(connection as PgConnection, values)
      default:
        return this.#runMysql(connection as MysqlConnection, values)
    }
  }

  #prepareSqlite(connection: SqliteConnection): SqliteStatement {
    let statements = sqliteStatements.get(connection)
    if (!statements) {
      statements = new Map()
      sqliteStatements.set(connection, statements)
    }
    let statement = statements.get(this)
    if (!statement) {
      statement = connection.prepare(this.#sqlOf(SQLITE))
      statements.set(this, statement)
    }
    return statement
  }

  async #runPostgres(connection: PgConnection, values: readonly Value[]): Promise<unknown[]> {
    const { name, text } = this.#namedStatement
    const isStale = stale.get(connection)?.has(this) === true
    try {
      const { rows } = await connection.query(isStale ? { text, values } : { name, text, values })
      return rows
    } catch (error) {
      if (isStale || !STALE_CODES.has(String((error as { code?: unknown }).code))) {
        throw error
      }
      stale.set(connection, (stale.get(connection) ?? new Set()).add(this))
      const { rows } = await connection.query({ text, values })
      return rows
    }
  }

  #runMysql(connection: MysqlConnection, values: readonly Value[]): Promise<unknown[]> {
    const sql = this.#sqlOf(MYSQL)
    return new Promise((resolve, reject) => {
      connection.execute(sql, values, (error, rows) => (error ? reject(error) : resolve(rows)))
    })
  }

  #sqlOf(dialect: SqlDialect): string {
    if (typeof this.sql === 'string') {
      return this.sql
    }
    const text = this.#texts.get(dialect) ?? this.sql(dialect)
    this.#texts.set(dialect, text)
    return text
  }

  /**
   * The statement with `$1`, `$2`. Its name is a hash of the text: a pooler can pass a connection with prepared
   * statements to another process.
   */
  get #namedStatement(): { name: string; text: string } {
    if (!this.#postgres) {
      let number = 0
      const text = this.#sqlOf(POSTGRES).replaceAll('?', () => `$${++number}`)
      this.#postgres = { name: `zw_${hash('sha256', text).slice(0, 32)}`, text }
    }
    return this.#postgres
  }
}
