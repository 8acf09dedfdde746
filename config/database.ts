import { existsSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { defineConfig } from '@adonisjs/lucid'
import env from '#start/env'
import { homePath } from '#start/home'

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
if (connection === 'sqlite' && !existsSync(dirname(file))) {
  mkdirSync(dirname(file), { recursive: true, mode: 0o750 })
}

/** What better-sqlite3 hands to the pool hook; only the part used here. */
type SqliteHandle = { pragma(source: string): unknown }

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
        afterCreate(handle: SqliteHandle, done: () => void) {
          handle.pragma('journal_mode = WAL')
          // A success answer promises that the change is on disk.
          handle.pragma('synchronous = FULL')
          handle.pragma('foreign_keys = ON')
          handle.pragma('busy_timeout = 5000')
          done()
        },
      },
    },
    pg: {
      client: 'pg',
      connection: { ...server, port: server.port ?? 5432 },
      migrations,
      schemaGeneration,
      pool: { min: 0, max: 10 },
    },
    mysql: {
      client: 'mysql2',
      connection: { ...server, port: server.port ?? 3306, charset: 'utf8mb4', timezone: 'Z' },
      migrations,
      schemaGeneration,
      pool: { min: 0, max: 10 },
    },
  },
})
