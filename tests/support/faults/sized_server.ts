import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import db from '@adonisjs/lucid/services/db'
import { rawRows } from '#database/raw_rows'
import { testFolder } from '#tests/support/app/server'
import { ace } from '#tests/support/app/commands'
import { unique } from '#tests/support/app/names'
import { ServerProcess } from '#tests/support/faults/server_process'

/** PostgreSQL tells what a connection read once a second at most. */
const COUNTED_WITHIN_MS = 1_100

/** What was filled in. */
export interface Filled {
  first: number
  last: number
  /** Id of the one large zone. */
  large: number
}

/** A server on a database of its own, filled with made-up zones, and somebody who asks it. */
export class SizedServer {
  private constructor(
    private readonly server: ServerProcess,
    private readonly database: string,
    private readonly keys: Record<string, string>,
    private readonly run: (...words: string[]) => Promise<string>,
    readonly filled: Filled
  ) {}

  /**
   * Fills a new database and serves it. `admin` may do everything; `owner` owns some of the zones.
   *
   * @param zones   zones of 10 records
   * @param records records of the large zone
   * @param owned   zones that `owner` owns
   */
  static async start(zones: number, records: number, owned: number): Promise<SizedServer> {
    const name = unique('zonewright_sized').replaceAll('-', '_').toLowerCase()
    const variables = await newDatabase(name)
    const run = async (...words: string[]) => {
      const { code, stdout, stderr } = await ace(words, { variables })
      if (code !== 0) throw new Error(`${words.join(' ')}: ${stderr}`)
      return stdout
    }
    const fill = async (...words: string[]) => JSON.parse(await run('bench:seed', ...words))
    await run('setup', '--admin=admin')
    await run('user:create', 'owner', '--template=Editor')
    const one = await fill('--zones=1', `--records=${records}`)
    const all = await fill(`--zones=${zones}`, '--records=10', '--user=owner', `--owned=${owned}`)
    const keys: Record<string, string> = {}
    for (const user of ['admin', 'owner']) {
      keys[user] = JSON.parse(await run('api-key:create', user, '--name=growth')).key
    }
    const server = await ServerProcess.start(variables)
    const ids = { first: all.first_zone_id, last: all.last_zone_id, large: one.first_zone_id }
    return new SizedServer(server, name, keys, run, ids)
  }

  /** Has the sort keys of the large zone, which a sorted page asks for, and a server makes when it has time. */
  async makeSortKeys(): Promise<void> {
    await this.time(`/zones/${this.filled.large}/rrsets?per_page=50&sort=ttl&page=3`, 'admin')
    await this.run('search:index')
  }

  /** Asks once; milliseconds until the whole answer was there. Throws when it is no 200. */
  async time(path: string, user: string): Promise<number> {
    const since = performance.now()
    const headers = { 'x-api-key': this.keys[user] }
    const response = await fetch(`${this.server.url}/api/v2${path}`, { headers })
    const text = await response.text()
    const milliseconds = performance.now() - since
    if (response.status !== 200) throw new Error(`${path} answered ${response.status}: ${text}`)
    return milliseconds
  }

  /**
   * Rows and index entries that the database reads for one request, on average, once caches are warm. On PostgreSQL
   * and MariaDB; SQLite does not count them.
   */
  async rowsRead(path: string, user: string): Promise<number> {
    const times = 20
    await this.time(path, user)
    const before = await this.#read(path, user)
    for (let i = 0; i < times; i++) await this.time(path, user)
    const after = await this.#read(path, user)
    return (after - before) / times
  }

  /** All that was ever read. PostgreSQL tells it with the first statement after a while. */
  async #read(path: string, user: string): Promise<number> {
    const client = db.connection()
    if (client.dialect.name === 'postgres') {
      await sleep(COUNTED_WITHIN_MS)
      await this.time(path, user)
      const sql = 'select tup_returned as total from pg_stat_database where datname = ?'
      const [row] = await rawRows<{ total: string }>(client, sql, [this.database])
      return Number(row.total)
    }
    const sql = "show global status like 'Handler_read%'"
    const rows = await rawRows<{ Value: string }>(client, sql, [])
    return rows.reduce((sum, { Value }) => sum + Number(Value), 0)
  }

  stop(): Promise<void> {
    return this.server.stop()
  }
}

/** The environment that leads to a new, empty database beside that of the test run. */
async function newDatabase(name: string): Promise<Record<string, string>> {
  if (db.connection().dialect.name === 'better-sqlite3') {
    return { DB_FILE: join(testFolder('sized'), 'zonewright.sqlite3') }
  }
  await db.rawQuery(`create database ${name}`)
  return { DB_DATABASE: name }
}
