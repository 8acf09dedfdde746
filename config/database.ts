import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { dirname } from 'node:path'
import app from '@adonisjs/core/services/app'
import { defineConfig } from '@adonisjs/lucid'
import dbSettings from '#config/db'
import { postgresLimits } from '#database/statements/limits'
import { yieldAfterStatements } from '#database/event_loop'
import { silenceWatch } from '#database/silent_host'
import { DatabaseFile } from '#database/schema/sqlite_file'
import { cacheStatements } from '#database/statements/sqlite_cache'
import { prepareInTransactions } from '#database/statements/pg_prepared'
import env from '#support/env'
import { homePath } from '#support/home'

const migrations = { paths: ['database/migrations'], tableName: 'zw_migrations' }
const schemaGeneration = { enabled: false }

const server = {
  host: env.get('DB_HOST', '127.0.0.1'),
  port: env.get('DB_PORT'),
  user: env.get('DB_USER'),
  password: env.get('DB_PASSWORD')?.release(),
  database: env.get('DB_DATABASE'),
}

const file = homePath(env.get('DB_FILE', 'tmp/zonewright.sqlite3'))
const connection = env.get('DB_CONNECTION', 'sqlite')
if (connection === 'sqlite' && !existsSync(file)) {
  mkdirSync(dirname(file), { recursive: true, mode: 0o750 })
  // It holds hashes and keys: for nobody but its owner and, where the umask lets it, the group that the
  // name server is in.
  writeFileSync(file, '', { flag: 'a', mode: 0o660 })
}

/** Nobody waits longer for a row lock, or for a connection. */
const LOCK_TIMEOUT_MS = 10_000
const CONNECT_TIMEOUT_MS = 5_000
const SERVER_POOL = {
  min: 0,
  max: 10,
  acquireTimeoutMillis: 10_000,
  // Below the time after which silence counts as loss.
  idleTimeoutMillis: 10_000,
}

/** For who waits for SQLite's one connection. */
const SQLITE_ACQUIRE_TIMEOUT_MS = 20_000

/** Commands may take their time: migrations build indexes. */
const isCommand = app.getEnvironment() === 'console'
const LIMITS = {
  lockMs: LOCK_TIMEOUT_MS,
  statementMs: isCommand ? 0 : dbSettings.statement_seconds * 1000,
}

/** Notices that the database server stopped answering; `database_provider.ts` says how it is asked. */
function watchSilence(stream: Socket): void {
  if (!isCommand) {
    silenceWatch().watch(stream)
  }
}

/** Options of the drivers that Lucid's types do not know. */
const PG_OPTIONS: object = {
  keepAlive: true,
  connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
}
/** MariaDB cuts off what it gathers into a JSON array beyond that: the zones of a key, the rights of a user. */
const LONGEST_LIST_BYTES = 67_108_864
const MYSQL_OPTIONS: object = { connectTimeout: CONNECT_TIMEOUT_MS }

/** What mysql2 hands to the pool hook; only the part used here. */
type MysqlHandle = {
  stream: Socket
  query(sql: string, done: (error: unknown) => void): unknown
}

/** MariaDB has a limit for statements, in seconds; MySQL has one for SELECT, in milliseconds. */
function limitStatements(handle: MysqlHandle, done: (error: unknown) => void): void {
  const { statementMs } = LIMITS
  handle.query(`SET SESSION max_statement_time = ${statementMs / 1000}`, (error) => {
    if (!error) return done(null)
    handle.query(`SET SESSION max_execution_time = ${statementMs}`, done)
  })
}

/** What pg hands to the pool hook; only the part used here. */
type PgHandle = {
  connection: { stream: Socket }
  query(query: unknown, done?: (error: unknown, result?: unknown) => void): unknown
}

/** What better-sqlite3 hands to the pool hook; only the part used here. */
type SqliteHandle = {
  prepare(sql: string): object
  pragma(source: string): unknown
  function(name: string, options: object, work: (value: unknown) => unknown): unknown
}

/** Who takes the connection asks whether it leads to the file of that name still. */
export const databaseFile = new DatabaseFile(file)

/** Readies a connection of SQLite, one that only reads included. */
export function prepareSqlite(handle: SqliteHandle): void {
  // SQLite's lower() knows ASCII only. Queries alone may use this one, not the schema.
  handle.function('zw_lower', { deterministic: true }, (value) =>
    typeof value === 'string' ? value.toLowerCase() : value
  )
  // Short where requests are served: the wait holds the event loop, and writes that meet another
  // process try again later. Commands have nobody else to keep waiting.
  const busyTimeoutMs = app.getEnvironment() === 'web' ? 250 : 5_000
  handle.pragma(`busy_timeout = ${busyTimeoutMs}`)
}

export default defineConfig({
  connection,
  connections: {
    sqlite: {
      client: 'better-sqlite3',
      connection: { filename: file },
      useNullAsDefault: true,
      migrations,
      schemaGeneration,
      pool: {
        // One connection: better-sqlite3 is synchronous, and a second one would wait for the first
        // while holding the event loop.
        min: 1,
        max: 1,
        // Who waits longer for the one connection, while a write waits for a name server, is answered that it is busy.
        acquireTimeoutMillis: app.getEnvironment() === 'web' ? SQLITE_ACQUIRE_TIMEOUT_MS : 60_000,
        afterCreate(handle: SqliteHandle, done: () => void) {
          databaseFile.opened()
          handle.pragma('journal_mode = WAL')
          // A success answer promises that the change is on disk.
          handle.pragma('synchronous = FULL')
          handle.pragma('foreign_keys = ON')
          prepareSqlite(handle)
          cacheStatements(handle)
          yieldAfterStatements(handle)
          done()
        },
      },
    },
    pg: {
      client: 'pg',
      connection: {
        ...server,
        port: server.port ?? 5432,
        ...PG_OPTIONS,
      },
      migrations,
      schemaGeneration,
      pool: {
        ...SERVER_POOL,
        afterCreate(handle: PgHandle, done: (error: unknown) => void) {
          watchSilence(handle.connection.stream)
          prepareInTransactions(handle, postgresLimits('local', LIMITS))
          // For statements outside of transactions. As parameters of the start, PgBouncer would refuse them.
          handle.query(postgresLimits('session', LIMITS), done)
        },
      },
    },
    mysql: {
      client: 'mysql2',
      connection: {
        ...server,
        port: server.port ?? 3306,
        charset: 'utf8mb4',
        timezone: 'Z',
        ...MYSQL_OPTIONS,
      },
      migrations,
      schemaGeneration,
      pool: {
        ...SERVER_POOL,
        afterCreate(handle: MysqlHandle, done: (error: unknown) => void) {
          watchSilence(handle.stream)
          // Read committed, as PostgreSQL has it by default: fewer deadlocks between writers.
          handle.query('SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED', (error) => {
            const limits = [
              `innodb_lock_wait_timeout = ${LOCK_TIMEOUT_MS / 1000}`,
              `group_concat_max_len = ${LONGEST_LIST_BYTES}`,
            ]
            if (error) return done(error)
            handle.query(`SET SESSION ${limits.join(', ')}`, (refused) =>
              refused ? done(refused) : limitStatements(handle, done)
            )
          })
        },
      },
    },
  },
})
