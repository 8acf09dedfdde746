/*
 * What lists of zones cost where the zones are behind a name server's API, beside the same lists of the same zones in
 * PowerDNS' tables. Each is one process with a database of its own; they take turns. The name server is a stand-in that
 * counts calls: a page has to make none. Ends with an error for a call, and for a list that takes half as long again.
 *
 *   npm run bench -- mirror [--db=sqlite|pg|mysql] [--zones=10000] [--rounds=7] [--ms=400] [--connections=1]
 */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { benchZoneRow } from '#backends/sql/bench_names'
import { startBenchServer, type Variables } from './support/database.ts'
import { quantile } from './support/http.ts'
import { load, type Request } from './support/load.ts'
import { listen } from './support/noted.ts'
import { option } from './support/options.ts'
import { serveTasks, Worker } from './support/worker.ts'

const PAGE = 50
const OWNED = 1_000
/** Times as long as in SQL mode that a list may take. */
const MOST = 1.5
const LIST = '/api/v1/servers/localhost/zones?dnssec=false'
/** Of each zone. */
const SERIAL = 1

/** A list, and who asks for it. */
interface List {
  what: string
  request: Request
}
type Scene = { url: string; lists: List[] }

async function tasks() {
  const { default: app } = await import('@adonisjs/core/services/app')
  const { default: db } = await import('@adonisjs/lucid/services/db')
  const { maintainer } = await import('#access/actor')
  const { seedIdentity } = await import('#accounts/seed')
  const { createApiKey } = await import('#accounts/keys/api_keys')
  const { plainTerms } = await import('#accounts/terms')
  const { createUser } = await import('#accounts/users/named_users')
  const { fillForBench } = await import('#backends/sql/bench_rows')
  const { BackendManager } = await import('#backends/manager')
  const { adoptAllZones } = await import('#changes/zone_sweep')
  const { synchroniseZones } = await import('#changes/zone_synchronisation')
  const { chunks } = await import('#database/chunks')
  const { refreshStatistics } = await import('#database/statistics')

  async function keyOf(username: string, template: string): Promise<{ id: number; key: string }> {
    const user = { username, password: 'a password of nobody', email: null, template }
    const { id } = await createUser({ ...user, groups: [], active: true }, maintainer())
    const limits = { readOnly: false, operations: [], zones: [], expiresAt: null }
    const terms = plainTerms(maintainer())
    const { key } = await createApiKey({ username, name: 'bench', ...limits }, terms)
    return { id, key }
  }

  /** Gives zones to a user, spread evenly. */
  async function give(userId: number): Promise<void> {
    const rows: { id: number }[] = await db.from('zw_zones').orderBy('name').select('id')
    const step = Math.max(1, Math.floor(rows.length / OWNED))
    const mine = rows.filter((_, index) => index % step === 0).slice(0, OWNED)
    const now = new Date().toISOString()
    const owned = mine.map(({ id }) => ({ zone_id: id, user_id: userId, created_at: now }))
    for (const part of chunks(owned)) await db.table('zw_zone_owners').multiInsert(part)
    await refreshStatistics(db.connection(), ['zw_zones', 'zw_zone_owners'])
  }

  return {
    async serve(zones: number): Promise<Scene> {
      await seedIdentity()
      const manager = await app.container.make(BackendManager)
      const backend = manager.use()
      if (backend.sync) {
        await synchroniseZones(backend, { most: 0 })
        // As if each had been read: the service reads in the background what the list shows as moved.
        const read = { version: 1, digest: 'bench', serial: SERIAL, edited_serial: SERIAL }
        await db.from('zw_mirror_zones').update(read)
      } else {
        await fillForBench(db.connection(), { zones, records: 0 })
      }
      await adoptAllZones(backend)
      const admin = await keyOf('bench-admin', 'Administrator')
      const owner = await keyOf('bench-owner', 'Editor')
      await give(owner.id)
      const last = Math.ceil(zones / PAGE)
      const name = benchZoneRow(Math.floor(zones / 2), 0).name
      const of = (what: string, query: string, key = admin.key): List => {
        const path = `/api/v2/zones?per_page=${PAGE}${query}`
        return { what, request: { path, headers: { 'x-api-key': key }, status: 200 } }
      }
      const lists = [
        of('the first 50 zones', ''),
        of('50 in the middle', `&page=${Math.ceil(last / 2)}`),
        of('the last 50', `&page=${last}`),
        of('sort=name:desc', '&sort=name:desc'),
        of('sort=type,name', `&sort=type,name&page=${Math.ceil(last / 2)}`),
        of('q that one zone has', `&q=${name.split('.')[0]}`),
        of('q that all have', '&q=bench'),
        of('name=', `&name=${name}`),
        of('50 of 1 000 own zones', '', owner.key),
      ]
      return { url: await listen(app), lists }
    },
  }
}

/** Lists these zones as PowerDNS would, and counts what else it is asked for. */
class NameServer {
  calls: string[] = []

  private constructor(
    private readonly server: Server,
    readonly url: string
  ) {}

  static async start(zones: number): Promise<NameServer> {
    const all = Array.from({ length: zones }, (_, i) => {
      const { name, type, master } = benchZoneRow(i, i)
      const masters = master === null ? [] : [master]
      return {
        name: `${name}.`,
        kind: type,
        masters,
        account: '',
        serial: SERIAL,
        edited_serial: SERIAL,
      }
    })
    const body = JSON.stringify(all)
    const server = createServer(({ method, url }, answer) => {
      const isList = method === 'GET' && url === LIST
      // The service compares the list once a minute, whoever asks for pages.
      if (!isList) found.calls.push(`${method} ${url}`)
      answer.writeHead(isList ? 200 : 404, { 'Content-Type': 'application/json' })
      answer.end(isList ? body : '{"error": "Not Found"}')
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const found = new NameServer(server, `http://127.0.0.1:${port}`)
    return found
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections()
    await new Promise((resolve) => this.server.close(resolve))
  }
}

/** Half and 99 of 100 requests of a list, in milliseconds. */
interface Measured {
  p50: number
  p99: number
}

async function measured(scenes: Scene[], index: number): Promise<Measured[]> {
  const times: number[][] = scenes.map(() => [])
  const [connections, ms] = [option('connections', 1), option('ms', 400)]
  for (let round = -1; round < option('rounds', 7); round++) {
    for (const [side, { url, lists }] of scenes.entries()) {
      const found = await load(url, [lists[index].request], { connections, ms })
      if (round >= 0) times[side].push(...found.times)
    }
  }
  return times.map((all) => ({ p50: quantile(all, 0.5), p99: quantile(all, 0.99) }))
}

async function run(): Promise<boolean> {
  const zones = option('zones', 10_000)
  const server = await startBenchServer(process.argv)
  const nameServer = await NameServer.start(zones)
  const file = fileURLToPath(import.meta.url)
  const api = { DNS_BACKEND: 'api', PDNS_API_URL: nameServer.url, PDNS_API_KEY: 'bench' }
  const workers: Worker[] = []
  const open = async (name: string, more: Variables): Promise<Scene> => {
    const worker = await Worker.start(file, { ...server.createDatabase(name), ...more })
    workers.push(worker)
    return worker.ask<Scene>('serve', zones)
  }
  try {
    const scenes = [await open('bench_sql', {}), await open('bench_api', api)]
    nameServer.calls = []
    let isKept = true
    console.log(`${zones} zones; p50 / p99 in ms`)
    for (const [index, { what }] of scenes[0].lists.entries()) {
      const [sql, mirror] = await measured(scenes, index)
      const ratio = mirror.p50 / sql.p50
      isKept &&= ratio <= MOST
      const shown = [sql, mirror].map(({ p50, p99 }) => `${p50.toFixed(2)} / ${p99.toFixed(2)}`)
      const [own, theirs] = shown.map((text) => text.padStart(15))
      console.log(`${what.padEnd(24)} sql ${own}   api ${theirs}   ${ratio.toFixed(2)}`)
    }
    const { calls } = nameServer
    console.log(
      `calls to the name server: ${calls.length}${calls.length > 0 ? ` (${calls[0]})` : ''}`
    )
    return isKept && calls.length === 0
  } finally {
    for (const worker of workers) await worker.stop()
    await nameServer.stop()
    await server.stop()
  }
}

if (process.argv[2] === 'worker') {
  await serveTasks(tasks)
} else if (!(await run())) {
  console.error('A list cost more behind an API, or called the name server.')
  process.exit(1)
}
