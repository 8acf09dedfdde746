/*
 * Measures single reads over HTTP against the minimum: a bare node:http server that sends the same prepared statements on the
 * same driver. Both are one process each and alternate, with several connections. The caller is an editor who owns the zones,
 * with an API key. Exits with an error below half of the bare server's throughput, on SQLite below a quarter.
 *
 *   npm run bench -- reads [--db=sqlite|pg|mysql] [--connections=8] [--rounds=5] [--ms=1000] [--statements=1]
 */
import { fileURLToPath } from 'node:url'
import type { BareAnswer } from './support/bare.ts'
import { startBenchServer } from './support/database.ts'
import { quantile } from './support/http.ts'
import { load, type Request } from './support/load.ts'
import { listen, recordedStatements } from './support/recorded_statements.ts'
import { option } from './support/options.ts'
import { cpu, serveTasks, Worker } from './support/worker.ts'

/** Number of zones in the database, and number of requested zones. */
const ZONES = 1_000
const REQUESTED_ZONES = 20
const RECORDS = 10

/** The read of each requested zone. */
interface Route {
  what: string
  requests: Request[]
  answers: Record<string, BareAnswer>
}
type Scene = { url: string; routes: Route[] }

async function tasks() {
  const { default: app } = await import('@adonisjs/core/services/app')
  const { default: db } = await import('@adonisjs/lucid/services/db')
  const { fillZones } = await import('#bench/seed/zones')
  const { BackendManager } = await import('#backends/manager')
  const { importNewZones } = await import('#changes/zone_index/discover')
  const { maintainer } = await import('#access/actor')
  const { seedIdentity } = await import('#accounts/seed')
  const { createUser } = await import('#accounts/users/named_users')
  const { createApiKey } = await import('#accounts/keys/api_keys')
  const { commandOptions } = await import('#accounts/terms')

  /** Creates zones of an editor. Returns the editor's API key. */
  async function fill(): Promise<{ key: string; zones: number[] }> {
    await seedIdentity()
    const manager = await app.container.make(BackendManager)
    const { firstId } = await fillZones(db.connection(), { zones: ZONES, records: RECORDS - 1 })
    await importNewZones(manager.use())
    const user = { username: 'editor', password: 'a password of nobody', email: null }
    const more = { template: 'Editor', groups: [], active: true }
    const { id } = await createUser({ ...user, ...more }, maintainer())
    const named = { username: 'editor', name: 'bench', readOnly: false, operations: [], zones: [] }
    const { key } = await createApiKey({ ...named, expiresAt: null }, commandOptions(maintainer()))
    const zones = Array.from(
      { length: REQUESTED_ZONES },
      (_, i) => firstId + i * (ZONES / REQUESTED_ZONES)
    )
    const now = new Date().toISOString()
    const owned = zones.map((zone) => ({ zone_id: zone, user_id: id, created_at: now }))
    await db.table('zw_zone_owners').multiInsert(owned)
    return { key, zones }
  }

  async function pathsOf(zone: number): Promise<[what: string, path: string][]> {
    const record = await db.from('records').where({ domain_id: zone, type: 'A' }).first()
    return [
      ['zone', `/zones/${zone}`],
      ['its 10 records', `/zones/${zone}/records`],
      ['one record', `/zones/${zone}/records/${record.id}`],
      ['one RRset', `/zones/${zone}/rrsets/${record.name.split('.')[0]}/A`],
    ]
  }

  return {
    async serve(): Promise<Scene> {
      const { key, zones } = await fill()
      const url = await listen(app)
      const routes = new Map<string, Route>()
      const add = (what: string, path: string, status: number, shown: string) => {
        const route = routes.get(what) ?? { what, requests: [], answers: {} }
        route.requests.push({ path, headers: { 'x-api-key': shown }, status })
        routes.set(what, route)
      }
      for (const zone of zones) {
        for (const [what, path] of await pathsOf(zone)) {
          add(what, `/api/v2${path}`, 200, key)
        }
        add('wrong key: 401', `/api/v2/zones/${zone}?refused`, 401, `${key.slice(0, -1)}_`)
      }
      for (const route of routes.values()) {
        route.answers = await recordedStatements(url, route.requests)
      }
      return { url, routes: [...routes.values()] }
    },
    cpu,
  }
}

/** Results of one route on one server: requests per second, and milliseconds. */
interface Measured {
  rates: number[]
  times: number[]
  cpuMs: number
}

interface Server {
  url: string
  worker: Worker
}

async function compare(product: Server, bare: Server, routes: Route[]): Promise<number[]> {
  const connections = option('connections', 8)
  const rounds = option('rounds', 5)
  const ms = option('ms', 1000)
  const measured = routes.map(() =>
    [product, bare].map((): Measured => ({ rates: [], times: [], cpuMs: 0 }))
  )
  for (let round = -1; round < rounds; round++) {
    for (const [index, { requests }] of routes.entries()) {
      for (const [side, { url, worker }] of [product, bare].entries()) {
        const before = await worker.ask<number>('cpu')
        const { perSecond, times } = await load(url, requests, { connections, ms })
        if (round >= 0) {
          const sum = measured[index][side]
          sum.rates.push(perSecond)
          sum.times.push(...times)
          sum.cpuMs += (await worker.ask<number>('cpu')) - before
        }
      }
    }
  }
  return routes.map((route, index) => show(route, measured[index]))
}

const COLUMNS = [
  'queries',
  'req/s',
  'p50 ms',
  'p99 ms',
  'CPU µs',
  'bare',
  'p50 ms',
  'CPU µs',
  'ratio',
]

/** Prints one line. Returns the product's fraction of the bare server's throughput. */
function show({ what, answers }: Route, [ours, theirs]: Measured[]): number {
  const rate = ({ rates }: Measured) => quantile(rates, 0.5)
  const ms = ({ times }: Measured, part: number) => quantile(times, part).toFixed(2)
  const cpuOf = ({ cpuMs, times }: Measured) => ((cpuMs * 1000) / times.length).toFixed(0)
  const ratio = rate(ours) / rate(theirs)
  const [{ statements }] = Object.values(answers)
  line(what, [
    String(statements.length),
    rate(ours).toFixed(0),
    ms(ours, 0.5),
    ms(ours, 0.99),
    cpuOf(ours),
    rate(theirs).toFixed(0),
    ms(theirs, 0.5),
    cpuOf(theirs),
    ratio.toFixed(2),
  ])
  return ratio
}

function line(what: string, cells: string[]): void {
  console.log(what.padEnd(16) + cells.map((cell) => cell.padStart(9)).join(''))
}

async function run(): Promise<boolean> {
  const server = await startBenchServer(process.argv)
  const variables = server.createDatabase('zonewright_reads')
  const file = (path: string) => fileURLToPath(new URL(path, import.meta.url))
  const product = await Worker.start(fileURLToPath(import.meta.url), variables)
  try {
    const { url, routes } = await product.ask<Scene>('serve')
    if (option('statements', 0) > 0) {
      routes.forEach(({ what, answers }) => console.log(what, Object.values(answers)[0].statements))
    }
    const bare = await Worker.start(file('./support/bare.ts'), variables)
    try {
      const answers = Object.assign({}, ...routes.map((route) => route.answers)) as object
      const bareUrl = await bare.ask<string>('serve', answers)
      line('', COLUMNS)
      const ratios = await compare({ url, worker: product }, { url: bareUrl, worker: bare }, routes)
      const goal = variables.DB_CONNECTION === 'sqlite' ? 0.25 : 0.5
      return ratios.every((ratio) => ratio >= goal)
    } finally {
      await bare.stop()
    }
  } finally {
    await product.stop()
    await server.stop()
  }
}

if (process.argv[2] === 'worker') {
  await serveTasks(tasks)
} else if (!(await run())) {
  console.error('A read reached less than half of the bare server (on SQLite: a quarter).')
  process.exit(1)
}
