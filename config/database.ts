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
  // The file contains hashes and keys: readable for its owner and, if the umask allows it, for the group of the name server.
  writeFileSync(file, '', { flag: 'a', mode: 0o660 })
}

/** Maximum wait for a row lock. */
const LOCK_TIMEOUT_MS = 10_000
const CONNECT_TIMEOUT_MS = 5_000
const SERVER_POOL = {
  min: 0,
  max: 10,
  acquireTimeoutMillis: 10_000,
  // Below the time after which a silent connection is probed (`database/silence.ts`).
  idleTimeoutMillis: 10_000,
}

/** Maximum wait for the only SQLite connection. */
const SQLITE_ACQUIRE_TIMEOUT_MS = 20_000

/** Commands have no statement limit, because migrations build indexes. */
const isCommand = app.getEnvironment() === 'console'
const LIMITS = {
  lockMs: LOCK_TIMEOUT_MS,
  statementMs: isCommand ? 0 : dbSettings.statement_seconds * 1000,
}

/** Watches a connection for a database server that stopped answering (`database/silent_host.ts`). */
function watchSilence(stream: Socket): void {
  if (!isCommand) {
    silenceWatch().watch(stream)
  }
}

/** Driver options that are missing in Lucid's types. */
const PG_OPTIONS: object = {
  keepAlive: true,
  connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
}
/** Maximum length of JSON arrays of MariaDB, which cuts longer ones: the zones of a key, the permissions of a user. */
const LONGEST_LIST_BYTES = 67_108_864
const MYSQL_OPTIONS: object = { connectTimeout: CONNECT_TIMEOUT_MS }

/** The part of the mysql2 connection that the pool hook uses. */
type MysqlHandle = {
  stream: Socket
  query(sql: string, done: (error: unknown) => void): unknown
}

/** MariaDB limits all statements, in seconds; MySQL limits SELECT, in milliseconds. */
function limitStatements(handle: MysqlHandle, done: (error: unknown) => void): void {
  const { statementMs } = LIMITS
  handle.query(`SET SESSION max_statement_time = ${statementMs / 1000}`, (error) => {
    if (!error) return done(null)
    handle.query(`SET SESSION max_execution_time = ${statementMs}`, done)
  })
}

/** The part of the pg connection that the pool hook uses. */
type PgHandle = {
  connection: { stream: Socket }
  query(query: unknown, done?: (error: unknown, result?: unknown) => void): unknown
}

/** The part of the better-sqlite3 connection that the pool hook uses. */
type SqliteHandle = {
  prepare(sql: string): object
  pragma(source: string): unknown
  function(name: string, options: object, work: (value: unknown) => unknown): unknown
}

/** Checks that the file name still leads to the open file, each time the connection is acquired. */
export const databaseFile = new DatabaseFile(file)

/** Prepares an SQLite connection, also a read-only one. */
export function prepareSqlite(handle: SqliteHandle): void {
  // SQLite's lower() supports ASCII only. Only queries may use this function, not the schema.
  handle.function('zw_lower', { deterministic: true }, (value) =>
    typeof value === 'string' ? value.toLowerCase() : value
  )
  // In milliseconds. Short in the web process, because the wait blocks the event loop; writes retry later. Commands can
  // wait.
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
        // One connection: better-sqlite3 is synchronous, so a second one would wait for the first and block the event loop.
        min: 1,
        max: 1,
        // A longer wait, while a write waits for a name server, ends with an error that the service is busy.
        acquireTimeoutMillis: app.getEnvironment() === 'web' ? SQLITE_ACQUIRE_TIMEOUT_MS : 60_000,
        afterCreate(handle: SqliteHandle, done: () => void) {
          databaseFile.opened()
          handle.pragma('journal_mode = WAL')
          // The change is on disk before the response reports success.
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
          // Limits statements outside of transactions. PgBouncer refuses these settings as startup parameters.
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
          // Read committed, the default of PostgreSQL, causes fewer deadlocks between writers.
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
