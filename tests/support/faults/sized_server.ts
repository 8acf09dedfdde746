import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import db from '@adonisjs/lucid/services/db'
import { rawRows } from '#database/statements/raw_rows'
import { testFolder } from '#tests/support/app/server'
import { ace } from '#tests/support/app/commands'
import { unique } from '#tests/support/app/names'
import { ServerProcess } from '#tests/support/faults/server_process'

/** PostgreSQL reports the reads of a connection at most once a second. */
const COUNTED_WITHIN_MS = 1_100
/** Size of the connection pool of a server. */
const CONNECTIONS = 10

/** Lifts the limit of dynamic DNS updates and enables change requests. */
const SETTINGS = {
  APPROVAL_ENABLED: 'true',
  DYNDNS_CHANGES_PER_HOST: '1000000',
  DYNDNS_CHANGES_PER_ADDRESS: '0',
}

/** Response of the API. */
export interface Answer {
  data: unknown
  /** Present for pages of a list. */
  pagination?: { total: number }
}

/** Ids of the seeded data. */
export interface Filled {
  first: number
  last: number
  /** Id of the one large zone. */
  large: number
  /** Id of a group that owns as many zones as `owner`. All users except these two are members. */
  group: number
}

/** A server with its own database of generated zones, and a client of this server. */
export class SizedServer {
  #number = 0
  /** Host name with one address, in a zone of `owner`. */
  host = ''

  private constructor(
    private readonly server: ServerProcess,
    private readonly database: string,
    private readonly keys: Record<string, string>,
    private readonly run: (...words: string[]) => Promise<string>,
    readonly filled: Filled
  ) {}

  /**
   * Seeds a new database and serves it. `admin` may do everything; `owner` owns `owned` zones including the first.
   * There are as many users as zones, each with an API key and in one group, as many deleted zones, and half as many change
   * requests.
   *
   * @param zones number of zones with 10 records each
   * @param records number of records of the large zone
   * @param owned number of zones of `owner`
   */
  static async start(zones: number, records: number, owned: number): Promise<SizedServer> {
    const name = unique('zonewright_sized').replaceAll('-', '_').toLowerCase()
    const variables = { ...(await newDatabase(name)), ...SETTINGS }
    const run = async (...words: string[]) => {
      const { code, stdout, stderr } = await ace(words, { variables })
      if (code !== 0) throw new Error(`${words.join(' ')}: ${stderr}`)
      return stdout
    }
    const fill = async (...words: string[]) => JSON.parse(await run('bench:seed', ...words))
    await run('setup', '--admin=admin')
    await run('user:create', 'owner', '--template=Editor')
    const { id: group } = JSON.parse(await run('group:create', 'team'))
    const one = await fill('--zones=1', `--records=${records}`)
    const all = await fill(
      ...[`--zones=${zones}`, '--records=10', '--user=owner', `--owned=${owned}`],
      ...['--group=team', `--users=${zones}`, `--requests=${zones / 2}`, `--deleted=${zones}`]
    )
    const keys: Record<string, string> = {}
    for (const user of ['admin', 'owner']) {
      keys[user] = JSON.parse(await run('api-key:create', user, '--name=growth')).key
    }
    const server = await ServerProcess.start(variables)
    const [first, last, large] = [all.first_zone_id, all.last_zone_id, one.first_zone_id]
    const sized = new SizedServer(server, name, keys, run, { first, last, large, group })
    await sized.#createHost()
    return sized
  }

  /** Creates a host with one address, in a zone of `owner`. */
  async #createHost(): Promise<void> {
    const { data } = await this.get(`/zones/${this.filled.first}`, 'admin')
    const { name } = (data as { zone: { name: string } }).zone
    const record = { name: 'moves', type: 'A', content: '192.0.2.1', ttl: 300 }
    await this.post(`/zones/${this.filled.first}/records`, record, 'admin')
    this.host = `moves.${name}`
  }

  /** Builds the sort keys of the large zone. Sorted pages use them, and a server builds them in the background. */
  async buildSortKeys(): Promise<void> {
    await this.get(`/zones/${this.filled.large}/rrsets?per_page=50&sort=ttl&page=3`, 'admin')
    await this.run('search:index')
  }

  /** Returns a new number at each call. */
  next(): number {
    return ++this.#number
  }

  get(path: string, user: string): Promise<Answer> {
    return this.send('GET', path, undefined, user)
  }

  post(path: string, body: object, user: string): Promise<Answer> {
    return this.send('POST', path, body, user)
  }

  /** Sends one request and reads the whole response. Throws for an error status. */
  async send(
    method: string,
    path: string,
    body: object | undefined,
    user: string
  ): Promise<Answer> {
    const type = body && { 'content-type': 'application/json' }
    const response = await fetch(`${this.server.url}/api/v2${path}`, {
      method,
      headers: { 'x-api-key': this.keys[user], ...type },
      body: body && JSON.stringify(body),
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`)
    return (text === '' ? { data: null } : JSON.parse(text)) as Answer
  }

  /**
   * Returns the average number of rows and index entries that the database reads and writes for `work` with warm caches.
   * PostgreSQL and MariaDB only; SQLite does not count them.
   */
  async rowsTouched(work: () => Promise<unknown>): Promise<number> {
    const times = 20
    await work()
    const before = await this.#touched()
    for (let i = 0; i < times; i++) await work()
    const after = await this.#touched()
    return (after - before) / times
  }

  /** Returns the total of reads and writes. PostgreSQL reports it with the first statement of a connection after a while. */
  async #touched(): Promise<number> {
    const client = db.connection()
    if (client.dialect.name === 'postgres') {
      await sleep(COUNTED_WITHIN_MS)
      const anything = `/zones/${this.filled.first}`
      await Promise.all(Array.from({ length: CONNECTIONS }, () => this.get(anything, 'admin')))
      const sql = `select tup_returned + tup_inserted + tup_updated + tup_deleted as total
        from pg_stat_database where datname = ?`
      const [row] = await rawRows<{ total: string }>(client, sql, [this.database])
      return Number(row.total)
    }
    const names = ['read%', 'write', 'update', 'delete'].map((name) => `Handler_${name}`)
    const sql = `show global status where ${names.map(() => 'variable_name like ?').join(' or ')}`
    const rows = await rawRows<{ Value: string }>(client, sql, names)
    return rows.reduce((sum, { Value }) => sum + Number(Value), 0)
  }

  stop(): Promise<void> {
    return this.server.stop()
  }
}

/** Returns environment variables for a new, empty database next to the database of the test run. */
async function newDatabase(name: string): Promise<Record<string, string>> {
  if (db.connection().dialect.name === 'better-sqlite3') {
    return { DB_FILE: join(testFolder('sized'), 'zonewright.sqlite3') }
  }
  await db.rawQuery(`create database ${name}`)
  return { DB_DATABASE: name }
}
