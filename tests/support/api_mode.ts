import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import Sqlite from 'better-sqlite3'
import { endProgram, freePort, startProgram } from './programs.js'

const SCHEMA = '/usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql'
const KEY = 'key-of-the-tests'
const PATIENCE_MS = 15_000

/**
 * Starts a name server with a database of its own, and lets the application under test reach it over its API alone
 * (`TEST_BACKEND=api`). To be called before anything of the application is loaded. Answers what ends the server.
 */
export async function startApiMode(): Promise<() => Promise<void>> {
  const folder = mkdtempSync(join(process.env.ZW_TEST_DIR ?? tmpdir(), 'api-mode-'))
  const file = join(folder, 'pdns.sqlite3')
  const database = new Sqlite(file)
  database.pragma('journal_mode = WAL')
  const statements = readFileSync(SCHEMA, 'utf8').split(';')
  statements.filter((sql) => sql.trim() !== '').forEach((sql) => database.prepare(sql).run())
  database.close()
  mkdirSync(join(folder, 'run'))
  const [port, webPort] = [await freePort(), await freePort()]
  const settings = {
    'launch': 'gsqlite3',
    'gsqlite3-database': file,
    'gsqlite3-dnssec': 'yes',
    'gsqlite3-pragma-foreign-keys': 'yes',
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
    ZW_TEST_NAME_SERVER: file,
  })
  return () => endProgram(child)
}

async function untilItAnswers(url: string): Promise<void> {
  const deadline = Date.now() + PATIENCE_MS
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
