/* Bare statements on the product's database driver: the minimum cost of a request. */
import Sqlite, { type Statement as PreparedSql } from 'better-sqlite3'
import mysql from 'mysql2/promise'
import pg from 'pg'
import type { Variables } from '../support/database.ts'
import { quantile } from '../support/http.ts'

export type Row = Record<string, unknown>
/** A statement with `?` for each value. */
export type Statement = [sql: string, ...values: unknown[]]

/** A connection to the database under test. */
export interface BareDatabase {
  kind: 'sqlite' | 'pg' | 'mysql'
  /** Runs a prepared statement. */
  rows: (statement: Statement) => Promise<Row[]>
  close: () => Promise<void>
}

/** Connects as the application does with these variables. */
export async function openBare(variables: Variables): Promise<BareDatabase> {
  switch (variables.DB_CONNECTION) {
    case 'pg':
      return overPostgres(variables)
    case 'mysql':
      return overMysql(variables)
    default:
      return inFile(variables.DB_FILE)
  }
}

function inFile(file: string): BareDatabase {
  const database = new Sqlite(file)
  database.pragma('synchronous = FULL')
  database.pragma('busy_timeout = 5000')
  const prepared = new Map<string, PreparedSql>()
  return {
    kind: 'sqlite',
    async rows([sql, ...values]) {
      const statement: PreparedSql = prepared.get(sql) ?? database.prepare(sql)
      prepared.set(sql, statement)
      if (statement.reader) return statement.all(...values) as Row[]
      statement.run(...values)
      return []
    },
    close: async () => void database.close(),
  }
}

async function overPostgres(variables: Variables): Promise<BareDatabase> {
  const client = new pg.Client({
    host: variables.DB_HOST,
    port: Number(variables.DB_PORT),
    user: variables.DB_USER,
    password: variables.DB_PASSWORD,
    database: variables.DB_DATABASE,
  })
  // A server that stops first causes a connection error, which is not reported.
  client.on('error', () => {})
  await client.connect()
  const prepared = new Map<string, { name: string; text: string }>()
  return {
    kind: 'pg',
    async rows([sql, ...values]) {
      let statement = prepared.get(sql)
      if (!statement) {
        let place = 0
        const text = sql.replace(/\?/g, () => `$${++place}`)
        statement = { name: `bare_${prepared.size}`, text }
        prepared.set(sql, statement)
      }
      const result = await client.query({ ...statement, values })
      return result.rows as Row[]
    },
    close: () => client.end(),
  }
}

async function overMysql(variables: Variables): Promise<BareDatabase> {
  const connection = await mysql.createConnection({
    host: variables.DB_HOST,
    port: Number(variables.DB_PORT),
    user: variables.DB_USER,
    password: variables.DB_PASSWORD,
    database: variables.DB_DATABASE,
  })
  return {
    kind: 'mysql',
    async rows([sql, ...values]) {
      // MariaDB cannot prepare COMMIT and similar statements.
      const isFrame = values.length === 0 && !/^select/i.test(sql)
      const [rows] = isFrame
        ? await connection.query(sql)
        : await connection.execute(sql, values as string[])
      return Array.isArray(rows) ? (rows as Row[]) : []
    },
    close: () => connection.end(),
  }
}

/** Statements of work item `n`, sent in sequence. */
export type BareWork = (n: number) => Statement[]

/** Median milliseconds of one work item, and the number of the next item. */
export async function timeBare(
  database: BareDatabase,
  work: BareWork,
  { seconds, least, from }: { seconds: number; least: number; from: number }
): Promise<{ ms: number; next: number }> {
  const once = async (n: number) => {
    for (const statement of work(n)) await database.rows(statement)
  }
  let n = from
  // Prepares the statements and warms up.
  await once(n++)
  const begin = performance.now()
  const times: number[] = []
  while (times.length < least || performance.now() - begin < seconds * 1000) {
    const since = performance.now()
    await once(n++)
    times.push(performance.now() - since)
  }
  return { ms: quantile(times, 0.5), next: n }
}
