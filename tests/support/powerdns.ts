import { setTimeout as sleep } from 'node:timers/promises'
import { closeSync, mkdirSync, mkdtempSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import type { ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import env from '#support/env'
import { homePath } from '#support/home'
import { query, type DnsAnswer } from '#tests/support/dns'
import { eventually } from '#tests/support/eventually'
import { endProgram, freePort, runProgram, startProgram } from '#tests/support/programs'

type Settings = Record<string, string | number>

/** Options of a PowerDNS server. */
export interface PowerDnsOptions {
  /** Enables the HTTP API; see `apiUrl` and `apiKey`. */
  api?: boolean
  /** Uses its own SQLite database instead of the application's; see `databaseFile`. */
  ownDatabase?: boolean
  /** Further settings of pdns.conf. */
  settings?: Settings
}

const SCHEMA = '/usr/share/pdns-backend-sqlite3/schema/schema.sqlite3.sql'
const API_KEY = 'key-of-the-tests'

/** Disables all caches, so that a write is visible at once. */
const NO_CACHES: Settings = {
  'zone-cache-refresh-interval': 0,
  'cache-ttl': 0,
  'query-cache-ttl': 0,
  'negquery-cache-ttl': 0,
  'zone-metadata-cache-ttl': 0,
  'dnssec-key-cache-ttl': 0,
}

/** Returns the settings by which PowerDNS reads the database of the application under test. */
function databaseSettings(): Settings {
  const connection = env.get('DB_CONNECTION', 'sqlite')
  if (connection === 'sqlite') {
    return {
      'launch': 'gsqlite3',
      'gsqlite3-database': homePath(env.get('DB_FILE', 'tmp/zonewright.sqlite3')),
      'gsqlite3-dnssec': 'yes',
      'gsqlite3-pragma-foreign-keys': 'yes',
    }
  }
  const backend = connection === 'pg' ? 'gpgsql' : 'gmysql'
  return {
    launch: backend,
    [`${backend}-host`]: env.get('DB_HOST', '127.0.0.1'),
    [`${backend}-port`]: env.get('DB_PORT', connection === 'pg' ? 5432 : 3306),
    [`${backend}-user`]: env.get('DB_USER', ''),
    [`${backend}-password`]: env.get('DB_PASSWORD')?.release() ?? '',
    [`${backend}-dbname`]: env.get('DB_DATABASE', ''),
    [`${backend}-dnssec`]: 'yes',
  }
}

/** Creates an empty database with the schema of PowerDNS. */
function ownDatabase(folder: string): Settings {
  const file = databaseFile(folder)
  createTables(file)
  return {
    'launch': 'gsqlite3',
    'gsqlite3-database': file,
    'gsqlite3-dnssec': 'yes',
    'gsqlite3-pragma-foreign-keys': 'yes',
  }
}

function databaseFile(folder: string): string {
  return join(folder, 'pdns.sqlite3')
}

function writeConfig(folder: string, port: number, webPort: number, options: PowerDnsOptions) {
  const api: Settings = options.api
    ? {
        'api': 'yes',
        'api-key': API_KEY,
        'webserver': 'yes',
        'webserver-address': '127.0.0.1',
        'webserver-port': webPort,
        'webserver-allow-from': '127.0.0.1',
      }
    : {}
  const settings: Settings = {
    ...(options.ownDatabase ? ownDatabase(folder) : databaseSettings()),
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
    ...NO_CACHES,
    ...api,
    ...options.settings,
  }
  mkdirSync(join(folder, 'run'), { recursive: true })
  const lines = Object.entries(settings).map(([key, value]) => `${key}=${value}\n`)
  writeFileSync(join(folder, 'pdns.conf'), lines.join(''), { mode: 0o600 })
}

function startIn(folder: string): ChildProcess {
  const output = openSync(join(folder, 'log'), 'a')
  const child = startProgram('pdns_server', [`--config-dir=${folder}`], output)
  closeSync(output)
  return child
}

const LOCKED_RETRIES = 20

/** Repeats `run` while another process holds the lock of the SQLite database. */
async function unlocked<T>(run: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await run()
    } catch (error) {
      if (attempt === LOCKED_RETRIES || !String(error).includes('database is locked')) throw error
      await sleep(100)
    }
  }
}

/** A real `pdns_server` on the database of the application under test, and its `pdnsutil`. */
export class PowerDns {
  /** Base address of the HTTP API; null if the API is disabled. */
  readonly apiUrl: string | null
  readonly apiKey = API_KEY

  private constructor(
    /** Port of DNS, UDP and TCP, on 127.0.0.1. */
    readonly port: number,
    webPort: number | null,
    readonly configDir: string,
    private child: ChildProcess | null
  ) {
    this.apiUrl = webPort === null ? null : `http://127.0.0.1:${webPort}/api/v1/servers/localhost`
  }

  /** The file of `ownDatabase`. */
  get databaseFile(): string {
    return databaseFile(this.configDir)
  }

  /** Starts a server and waits until it responds. The tables of PowerDNS must exist. */
  static async start(options: PowerDnsOptions = {}): Promise<PowerDns> {
    const home = process.env.ZW_TEST_DIR ?? homePath('tmp')
    const folder = mkdtempSync(join(home, 'pdns-'))
    const port = await freePort()
    const webPort = await freePort()
    writeConfig(folder, port, webPort, options)
    const server = new PowerDns(port, options.api ? webPort : null, folder, startIn(folder))
    await server.#untilItAnswers()
    return server
  }

  /**
   * Returns a server of the application's zones: a new one on its database, or in API mode the name server of the run, with
   * its own settings (`tests/support/api_mode.ts`).
   */
  static async ofRun(options: PowerDnsOptions = {}): Promise<PowerDns> {
    const { ZW_TEST_DNS_FOLDER: folder, ZW_TEST_DNS_PORT: port, PDNS_API_URL: url } = process.env
    return folder === undefined
      ? PowerDns.start(options)
      : new PowerDns(Number(port), Number(new URL(url!).port), folder, null)
  }

  /** Kills the server. */
  async kill(): Promise<void> {
    await endProgram(this.child!, 0)
  }

  /** Starts the killed server on the same ports and data, and waits until it responds. */
  async startAgain(): Promise<void> {
    this.child = startIn(this.configDir)
    await this.#untilItAnswers()
  }

  async #untilItAnswers(): Promise<void> {
    const ended = new Promise<never>((_, reject) => {
      this.child!.once('error', reject)
      this.child!.once('exit', () => reject(new Error('pdns_server ended')))
    })
    ended.catch(() => {})
    const answers = () => query(this.port, 'ready.invalid', 'SOA', { tcp: true })
    try {
      await Promise.race([ended, eventually(answers, { within: 15_000 })])
    } catch (error) {
      await this.stop()
      throw new Error(`pdns_server did not start\n${this.log()}`, { cause: error })
    }
  }

  /** Queries this server; see `query`. */
  query(
    name: string,
    type: string,
    options: { tcp?: boolean; dnssec?: boolean } = {}
  ): Promise<DnsAnswer> {
    return query(this.port, name, type, options)
  }

  /** Runs `pdnsutil` on the same database and returns its output. Repeats the run if SQLite was locked. */
  util(...args: string[]): Promise<string> {
    return unlocked(() => runProgram('pdnsutil', [`--config-dir=${this.configDir}`, ...args]))
  }

  /** Returns the output of the server so far. */
  log(): string {
    return readFileSync(join(this.configDir, 'log'), 'utf8')
  }

  /** Stops the server, except the server of the run. Repeated calls have no effect. */
  async stop(): Promise<void> {
    await (this.child && endProgram(this.child))
  }
}

/** Creates an SQLite database with the empty tables of PowerDNS. */
export function createTables(file: string): void {
  const database = new Sqlite(file)
  database.pragma('journal_mode = WAL')
  const statements = readFileSync(SCHEMA, 'utf8').split(';')
  statements.filter((sql) => sql.trim() !== '').forEach((sql) => database.prepare(sql).run())
  database.close()
}

/** Returns a zone in the zone file format of `dig axfr`, with the given options. */
export function transferOf(server: PowerDns, zone: string, ...options: string[]): Promise<string> {
  return runProgram('dig', [
    ...['-r', '@127.0.0.1', '-p', String(server.port), '-q', `${zone}.`, '-t', 'AXFR'],
    ...['+time=10', ...options],
  ])
}
