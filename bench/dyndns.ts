/*
 * Measures unchanged updates (`nochg`) of the standalone dynamic DNS endpoint: the built product as `npm start` runs it, with
 * one worker per processor. Hosts with a token each, and one user with a password, send at maximum speed and at a fixed rate.
 * Prints the results and the statements per update. Exits with an error if the goal is missed, a response differs, or the
 * journal, the audit log or a serial changed (docs/performance.md).
 *
 *   npm run bench -- dyndns [--db=pg|mysql|sqlite] [--hosts=1000] [--zones=1000] [--rate=2000] [--seconds=10]
 *     [--connections=32] [--workers=0] [--no-build]
 *
 * --rate: the goal in updates per second. --workers: 0 for the default of npm start.
 */
import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { cpus, tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Connection } from './api/connection.ts'
import { Loader, type Load } from './api/load.ts'
import { build, Product } from './api/product.ts'
import { startBenchServer } from './support/database.ts'
import { basic, quantile } from './support/http.ts'
import { listen, recordedStatements } from './support/recorded_statements.ts'
import { option, word } from './support/options.ts'
import { serveTasks, Worker } from './support/worker.ts'

const MAX_P99_MS = 20
/** Required fraction of the goal's rate: the last requests of a measurement may still be running. */
const MIN_RATE_FRACTION = 0.99
const PASSWORD = 'a password for measuring'
const AGENT = 'inadyn/2.12.0 https://github.com/troglobit/inadyn/issues'

interface Scene {
  /** Host names, and their tokens in the same order. */
  hosts: string[]
  tokens: string[]
  username: string
}

interface SceneSize {
  hosts: number
  zones: number
}

/** Row counts and serials that must not change. */
type Counts = Record<string, number>

async function tasks() {
  const { default: app } = await import('@adonisjs/core/services/app')
  const { default: db } = await import('@adonisjs/lucid/services/db')
  const { maintainer } = await import('#access/actor')
  const { addKey } = await import('#accounts/keys/api_keys')
  const { hostTokenScope } = await import('#accounts/keys/host_tokens')
  const { seedIdentity } = await import('#accounts/seed')
  const { commandOptions } = await import('#accounts/terms')
  const { createUser } = await import('#accounts/users/named_users')
  const { fillZones } = await import('#bench/seed/zones')
  const { BackendManager } = await import('#backends/manager')
  const { importNewZones } = await import('#changes/zone_index/discover')
  const { default: User } = await import('#models/user')
  const { OwnerSeeder } = await import('#bench/seed/owners')

  let url: string | undefined

  return {
    async fill({ hosts: count, zones }: SceneSize): Promise<Scene> {
      await seedIdentity()
      const manager = await app.container.make(BackendManager)
      const filled = await fillZones(db.connection(), { zones, records: 10 })
      await importNewZones(manager.use())
      const username = 'bench-routers'
      const more = { email: 'routers@bench.invalid', template: 'Editor', groups: [], active: true }
      const { id: userId } = await createUser(
        { username, password: PASSWORD, ...more },
        maintainer()
      )
      const owners = await app.container.make(OwnerSeeder)
      await owners.assignTo(filled, zones, { userId })
      const rows: { name: string }[] = await db
        .from('domains')
        .whereBetween('id', [filled.firstId, filled.lastId])
        .whereIn('type', ['MASTER', 'NATIVE'])
        .select('name')
      const owner = await User.findOrFail(userId)
      const hosts: string[] = []
      const tokens: string[] = []
      for (let index = 0; index < count; index++) {
        const name = `router${index}.${rows[index % rows.length].name}`
        const scope = hostTokenScope({
          hosts: [name],
          withTxt: false,
          zones: null,
          networks: null,
          expiresAt: null,
        })
        const { key } = await addKey(owner, { name, scope }, commandOptions(maintainer()), 'dyndns')
        hosts.push(name)
        tokens.push(key)
      }
      return { hosts, tokens, username }
    },

    async counts(): Promise<Counts> {
      const counts: Counts = {}
      for (const table of ['zw_journal', 'zw_audit', 'zw_outbox', 'zw_dyndns_limits', 'records']) {
        const [row] = await db.from(table).count('* as count')
        counts[table] = Number(row.count)
      }
      const serials = await db.from('records').where('type', 'SOA').select('content')
      counts['sum of serials'] = serials.reduce(
        (sum, { content }) => sum + Number(content.split(' ')[2]),
        0
      )
      return counts
    },

    /** Number of statements by request path. */
    async statements(requests: { path: string; headers: Record<string, string> }[]) {
      url ??= await listen(app)
      const noted = await recordedStatements(
        url,
        requests.map((request) => ({ ...request, status: 200 }))
      )
      return requests.map(({ path }) => noted[path].statements.map(({ sql }) => sql))
    },
  }
}

const ADDRESS = '198.51.100.7'

/** Update requests: each host with its token, or all hosts with one password. */
function loads({ hosts, tokens, username }: Scene, port: number): Record<string, Load> {
  const common = {
    ports: [port],
    method: 'GET',
    status: 200,
    answer: `nochg ${ADDRESS}`,
    from: 0,
    least: 100,
    warmUp: 1,
    seconds: option('seconds', 10),
    connections: option('connections', 32),
  }
  const agent = { 'User-Agent': AGENT }
  const update = `hostname={host}&myip=${ADDRESS}`
  return {
    'a token each': {
      ...common,
      // `{token}` and the host name rotate together by the number of the request.
      path: `/nic/update/{token}?${update}`,
      headers: agent,
      values: { host: hosts, token: tokens },
    },
    'one password': {
      ...common,
      path: `/nic/update?${update}`,
      headers: { ...agent, Authorization: basic({ username, password: PASSWORD }).authorization },
      values: { host: hosts },
    },
  }
}

/** Sends the first update of each host, which creates its record. */
async function createRecords({ hosts, tokens }: Scene, port: number): Promise<void> {
  const connection = new Connection(port)
  for (const [index, host] of hosts.entries()) {
    const path = `/nic/update/${tokens[index]}?hostname=${host}&myip=${ADDRESS}`
    const head = `GET ${path} HTTP/1.1\r\nHost: 127.0.0.1\r\nUser-Agent: ${AGENT}\r\n\r\n`
    const { body } = await connection.ask(head, true)
    if (!body.startsWith('good')) throw new Error(`${host}: ${body}`)
  }
  connection.close()
}

async function run(): Promise<boolean> {
  if (!process.argv.includes('--no-build')) build()
  const database = word('db', 'pg')
  const home = mkdtempSync(join(tmpdir(), 'zonewright-dyndns-'))
  const server = await startBenchServer([...process.argv, `--db=${database}`])
  const workers = option('workers', 0)
  const variables = {
    ...server.createDatabase('zonewright_dyndns'),
    APP_KEY: randomBytes(16).toString('hex'),
    HEALTH_ENABLED: 'true',
    HEALTH_PING_ENABLED: 'true',
    // All requests come from one address.
    DYNDNS_CHANGES_PER_ADDRESS: '0',
    DYNDNS_MAX_TOKENS_PER_USER: '10000',
    ...(workers > 0 ? { SERVER_WORKERS: String(workers) } : {}),
  }
  const broken: string[] = []
  const stops: (() => Promise<unknown>)[] = [() => server.stop()]
  try {
    const worker = await Worker.start(fileURLToPath(import.meta.url), variables)
    stops.unshift(() => worker.stop())
    const size = { hosts: option('hosts', 1000), zones: option('zones', 1000) }
    const scene = await worker.ask<Scene>('fill', size)
    const product = await Product.start(variables, join(home, 'server.log'))
    stops.unshift(() => product.stop())
    await createRecords(scene, product.port)
    const loader = await Loader.start()
    stops.unshift(() => loader.stop())
    console.log(
      `${database}, ${cpus().length} processors, Node.js ${process.versions.node}, ` +
        `${product.processes} server process(es), ${size.hosts} hosts in ${size.zones} zones\n`
    )
    const before = await worker.ask<Counts>('counts')
    const rate = option('rate', 2000)
    for (const [who, load] of Object.entries(loads(scene, product.port))) {
      const filled = (text: string) =>
        text.replace('{host}', scene.hosts[0]).replace('{token}', scene.tokens[0])
      const request = { path: filled(load.path), headers: load.headers }
      const [statements] = await worker.ask<string[][]>('statements', [request])
      console.log(`${who}: ${statements.length} statements`)
      for (const perSecond of [undefined, rate]) {
        const cpuBefore = product.cpu
        const { result, memory } = await product.watch(() => loader.run({ ...load, perSecond }))
        const cpu = (product.cpu - cpuBefore) / result.next
        const p50 = quantile(result.times, 0.5)
        const p99 = quantile(result.times, 0.99)
        const pace = perSecond === undefined ? 'as fast as it goes' : `${perSecond}/s wanted`
        console.log(
          `  ${pace.padEnd(20)} ${result.rate.toFixed(0).padStart(6)}/s  ` +
            `p50 ${p50.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, ` +
            `${cpu.toFixed(2)} ms of processor time each, ` +
            `${(memory.peak - memory.before).toFixed(0)} MiB more memory`
        )
        if (result.errors > 0) broken.push(`${who}: ${result.errors} errors, ${result.trouble}`)
        if (perSecond !== undefined) {
          if (result.rate < perSecond * MIN_RATE_FRACTION)
            broken.push(`${who}: ${result.rate.toFixed(0)}/s`)
          if (p99 >= MAX_P99_MS) broken.push(`${who}: p99 ${p99.toFixed(1)} ms`)
        }
      }
    }
    const after = await worker.ask<Counts>('counts')
    for (const [what, count] of Object.entries(after)) {
      if (count !== before[what]) broken.push(`${what}: ${before[what]} before, ${count} after`)
    }
    console.log(`\nrows before and after: ${JSON.stringify(after)}`)
  } finally {
    for (const stop of stops) await stop().catch(() => {})
    rmSync(home, { recursive: true, force: true })
  }
  const goal = `${option('rate', 2000)} updates a second, p99 below ${MAX_P99_MS} ms, nothing written`
  console.log(broken.length === 0 ? `Met: ${goal}.` : `Missed: ${goal}.\n${broken.join('\n')}`)
  return broken.length === 0
}

if (process.argv[2] === 'worker') {
  await serveTasks(tasks)
} else if (!(await run())) {
  process.exit(1)
}
