import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { endProgram, freePort, startProgram } from './programs.js'

const SCHEMAS = '/usr/share/pdns-backend-'
const KEY = 'key-of-the-tests'
const TIMEOUT_MS = 15_000

/**
 * Starts a name server with its own database. The application reaches it over the PowerDNS API only (`TEST_BACKEND=api`).
 * Must be called before any module of the application is loaded. Returns the function that stops the server.
 */
export async function startApiMode(): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(process.env.ZW_TEST_DIR ?? tmpdir(), 'api-mode-'))
  const database = await ownDatabase(folder)
  mkdirSync(join(folder, 'run'))
  const [port, webPort] = [await freePort(), await freePort()]
  const settings = {
    ...database.settings,
    'local-address': '127.0.0.1',
    'local-port': port,
    'socket-dir': join(folder, 'run'),
    'daemon': 'no',
    'guardian': 'no',
    'disable-syslog': 'yes',
    'write-pid': 'no',
    'loglevel': 4,
    'security-poll-suffix': '',
    'primary': 'yes',
    'receiver-threads': 1,
    'distributor-threads': 1,
    'zone-cache-refresh-interval': 0,
    'cache-ttl': 0,
    'query-cache-ttl': 0,
    'negquery-cache-ttl': 0,
    'zone-metadata-cache-ttl': 0,
    'dnssec-key-cache-ttl': 0,
    'api': 'yes',
    'api-key': KEY,
    'webserver': 'yes',
    'webserver-address': '127.0.0.1',
    'webserver-port': webPort,
    'webserver-allow-from': '127.0.0.1',
    // Required by tests of records and metadata.
    'enable-lua-records': 'yes',
    'allow-axfr-ips': '',
    'dnsupdate': 'yes',
  }
  const lines = Object.entries(settings).map(([name, value]) => `${name}=${value}\n`)
  writeFileSync(join(folder, 'pdns.conf'), lines.join(''), { mode: 0o600 })
  const output = openSync(join(folder, 'log'), 'a')
  const child = startProgram('pdns_server', [`--config-dir=${folder}`], output)
  closeSync(output)
  const url = `http://127.0.0.1:${webPort}`
  await untilItAnswers(`${url}/api/v1/servers/localhost`)
  Object.assign(process.env, {
    DNS_BACKEND: 'api',
    PDNS_API_URL: url,
    PDNS_API_KEY: KEY,
    ZW_TEST_NAME_SERVER: JSON.stringify(database.connection),
    ZW_TEST_DNS_PORT: String(port),
    ZW_TEST_DNS_FOLDER: folder,
  })
  return () => endProgram(child)
}

/** A database for the name server alone, with the schema of PowerDNS: settings for PowerDNS and for Lucid. */
interface OwnDatabase {
  settings: Record<string, string>
  connection: object
}

/** Creates a database of the same engine as the run: see `ZW_NAME_SERVER` of scripts/test.mjs. */
async function ownDatabase(folder: string): Promise<OwnDatabase> {
  const given = process.env.ZW_NAME_SERVER
  if (given === undefined) {
    return sqliteDatabase(join(folder, 'pdns.sqlite3'))
  }
  const variables = JSON.parse(given) as Record<string, string>
  const { DB_HOST: host, DB_USER: user, DB_PASSWORD: password, DB_DATABASE: database } = variables
  const connection = { host, port: Number(variables.DB_PORT), user, password, database }
  const isPostgres = variables.DB_CONNECTION === 'pg'
  const backend = isPostgres ? 'gpgsql' : 'gmysql'
  if (isPostgres) {
    const { default: pg } = await import('pg')
    const client = new pg.Client(connection)
    await client.connect()
    await client.query({ text: schemaOf('pgsql') })
    await client.end()
  } else {
    const { createConnection } = await import('mysql2/promise')
    const client = await createConnection({ ...connection, multipleStatements: true })
    await client.query(schemaOf('mysql'))
    await client.end()
  }
  return {
    settings: {
      launch: backend,
      [`${backend}-host`]: host,
      [`${backend}-port`]: variables.DB_PORT,
      [`${backend}-user`]: user,
      [`${backend}-password`]: password,
      [`${backend}-dbname`]: database,
      [`${backend}-dnssec`]: 'yes',
    },
    connection: { client: isPostgres ? 'pg' : 'mysql2', connection },
  }
}

function sqliteDatabase(file: string): OwnDatabase {
  const database = new Sqlite(file)
  database.pragma('journal_mode = WAL')
  const statements = schemaOf('sqlite3').split(';')
  statements.filter((sql) => sql.trim() !== '').forEach((sql) => database.prepare(sql).run())
  database.close()
  return {
    settings: {
      'launch': 'gsqlite3',
      'gsqlite3-database': file,
      'gsqlite3-dnssec': 'yes',
      'gsqlite3-pragma-foreign-keys': 'yes',
    },
    connection: {
      client: 'better-sqlite3',
      connection: { filename: file },
      useNullAsDefault: true,
    },
  }
}

function schemaOf(kind: 'sqlite3' | 'pgsql' | 'mysql'): string {
  return readFileSync(`${SCHEMAS}${kind}/schema/schema.${kind}.sql`, 'utf8')
}

async function untilItAnswers(url: string): Promise<void> {
  const deadline = Date.now() + TIMEOUT_MS
  for (;;) {
    try {
      const answer = await fetch(url, { headers: { 'X-API-Key': KEY } })
      if (answer.ok) return
    } catch (error) {
      if (Date.now() > deadline) throw error
    }
    await wait(50)
  }
}
