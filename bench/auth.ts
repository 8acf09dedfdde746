/*
 * Measures authentication over HTTP. Compares a wrong key with an unknown one, and a wrong password with an unknown user. Also
 * compares the first request with a password with the next ones, and a zone with and without authentication. The cases
 * alternate.
 *
 * Exits with an error if the time of a refusal reveals its cause: the medians differ by more than the interquartile range.
 * Also if an API key makes GET /zones/{id} more than 1.5 times as slow.
 *
 *   npm run bench -- auth [--db=sqlite|pg|mysql] [--rounds=300] [--passwords=60]
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { fileURLToPath } from 'node:url'
import { startBenchServer } from './support/database.ts'
import { Client, basic, quantile } from './support/http.ts'
import { quick, serveTasks, Worker } from './support/worker.ts'
import { option } from './support/options.ts'

const MOST = 1.5
const BY_KEY = 'by API key'
const PASSWORD = 'a password of nobody'

type User = { id: number; username: string; password: string; key: string }
type Scene = { url: string; zone: number; users: User[]; inactive: User }
/** A measured request and its expected status. */
type Case = { what: string; path: string; headers: () => Record<string, string>; status: number }

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
  const { findActorOfKey } = await import('#accounts/authenticate')

  async function createTestUser(username: string, template: string, active = true): Promise<User> {
    const more = { email: null, template, groups: [], active: true }
    const { id } = await createUser({ username, password: PASSWORD, ...more }, maintainer())
    const named = { username, name: 'bench', readOnly: false, operations: [], zones: [] }
    const { key } = await createApiKey({ ...named, expiresAt: null }, commandOptions(maintainer()))
    await db.from('zw_users').where('id', id).update({ active })
    return { id, username, password: PASSWORD, key }
  }

  /** Adds the same route without authentication, for a fixed actor. */
  async function addOpenRoute(key: string): Promise<void> {
    const { default: router } = await import('@adonisjs/core/services/router')
    const { middleware } = await import('#start/kernel')
    const actor = await findActorOfKey(key, '127.0.0.1', 'api')
    const ZonesController = () => import('#controllers/api/zones/zones_controller')
    router
      .get('/api/v2/open/zones/:id', [ZonesController, 'show'])
      .as('bench.open')
      .use([
        middleware.singleValues(),
        middleware.apiEnabled(),
        (ctx, next) => {
          ctx.actor = actor!
          return next()
        },
        middleware.idempotency(),
      ])
  }

  return {
    async serve(count: number): Promise<Scene> {
      await seedIdentity()
      const manager = await app.container.make(BackendManager)
      const { firstId: zone } = await fillZones(db.connection(), { zones: 10, records: 10 })
      await importNewZones(manager.use())
      const users: User[] = []
      for (let i = 0; i < count; i++) {
        users.push(await createTestUser(`user-${i}`, 'Editor'))
      }
      const inactive = await createTestUser('inactive', 'Editor', false)
      const now = new Date().toISOString()
      await db
        .table('zw_zone_owners')
        .insert({ zone_id: zone, user_id: users[0].id, created_at: now })
      let port = 0
      await app.start(async () => {
        await addOpenRoute(users[0].key)
        const server = await app.container.make('server')
        await server.boot()
        const http = createServer(server.handle.bind(server))
        await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
        port = (http.address() as AddressInfo).port
      })
      return { url: `http://127.0.0.1:${port}`, zone, users, inactive }
    },
  }
}

async function measure(client: Client, cases: Case[], rounds: number): Promise<number[][]> {
  const times = cases.map((): number[] => [])
  const warmUp = 20
  for (let round = -warmUp; round < rounds; round++) {
    for (const [index, { path, headers, status }] of cases.entries()) {
      const ms = await client.time(path, headers(), status)
      if (round >= 0) times[index].push(ms)
    }
  }
  return times
}

const shown = (ms: number) => `${ms.toFixed(2)} ms`.padStart(10)

/** Whether the times of refusals reveal nothing: the medians differ by less than the interquartile range. */
function isSilent(cases: Case[], times: number[][]): boolean {
  const medians = times.map((list) => quantile(list, 0.5))
  const noise = Math.max(...times.map((list) => quantile(list, 0.75) - quantile(list, 0.25)))
  const difference = Math.max(...medians) - Math.min(...medians)
  cases.forEach(({ what }, index) => console.log(`${what.padEnd(36)} ${shown(medians[index])}`))
  console.log(`${'  difference, and noise'.padEnd(36)} ${shown(difference)} ${shown(noise)}\n`)
  return difference <= noise
}

async function compare(client: Client, { zone, users, inactive }: Scene): Promise<boolean> {
  const [owner] = users
  const path = `/api/v2/zones/${zone}`
  const rounds = option('rounds', 300)
  const passwords = option('passwords', 60)
  let count = 0
  const wrongLast = owner.key.slice(0, -1) + (owner.key.endsWith('0') ? '1' : '0')
  const random = () => `pwa_${String(count++).padStart(64, '0')}`
  const refusedBy = (what: string, headers: Case['headers']) => ({
    what,
    path,
    headers,
    status: 401,
  })

  console.log('medians of refusals')
  const keys = [
    refusedBy('wrong key (last digit)', () => ({ 'x-api-key': wrongLast })),
    refusedBy('unknown key', () => ({ 'x-api-key': random() })),
  ]
  const areKeysSilent = isSilent(keys, await measure(client, keys, rounds))
  const names = [
    refusedBy('wrong password', () =>
      basic({ username: users[count++ % users.length].username, password: `wrong ${count}` })
    ),
    refusedBy('unknown user', () => basic({ username: `nobody-${count++}`, password: PASSWORD })),
    refusedBy('inactive user, right password', () => basic(inactive)),
  ]
  const areNamesSilent = isSilent(names, await measure(client, names, passwords))

  const first: number[] = []
  const next: number[] = []
  for (const user of users) {
    first.push(await client.time('/api/v2/zones?per_page=1', basic(user), 200))
    next.push(await client.time('/api/v2/zones?per_page=1', basic(user), 200))
  }
  console.log('medians of GET /zones?per_page=1 by HTTP Basic')
  console.log(`${'first request with a password'.padEnd(36)} ${shown(quantile(first, 0.5))}`)
  console.log(`${'the next one'.padEnd(36)} ${shown(quantile(next, 0.5))}\n`)

  const cases = [
    { what: 'without authentication', path: path.replace('v2', 'v2/open'), headers: () => ({}) },
    { what: BY_KEY, path, headers: () => ({ 'x-api-key': owner.key }) },
    { what: 'by HTTP Basic, remembered', path, headers: () => basic(owner) },
  ].map((one) => ({ ...one, status: 200 }))
  const times = await measure(client, cases, rounds)
  console.log('GET /zones/{id}, fastest tenth, and ratio')
  let isGood = areKeysSilent && areNamesSilent
  for (const [index, { what }] of cases.entries()) {
    const ratio = quick(times[index]) / quick(times[0])
    isGood &&= what !== BY_KEY || ratio <= MOST
    console.log(`${what.padEnd(36)} ${shown(quick(times[index]))} ${ratio.toFixed(2)}`)
  }
  return isGood
}

async function run(): Promise<boolean> {
  const server = await startBenchServer(process.argv)
  const variables = {
    ...server.createDatabase('zonewright_auth'),
    API_BASIC_AUTH_ENABLED: 'true',
    SECURITY_ACCOUNT_LOCKOUT_ENABLE_LOCKOUT: 'true',
    SECURITY_ACCOUNT_LOCKOUT_LOCKOUT_ATTEMPTS: '1000',
  }
  const worker = await Worker.start(fileURLToPath(import.meta.url), variables)
  try {
    const scene = await worker.ask<Scene>('serve', 30)
    const client = new Client(scene.url)
    try {
      return await compare(client, scene)
    } finally {
      client.close()
    }
  } finally {
    await worker.stop()
    await server.stop()
  }
}

if (process.argv[2] === 'worker') {
  await serveTasks(tasks)
} else if (!(await run())) {
  console.error(`A refusal told what was wrong, or a key cost more than ${MOST} times.`)
  process.exit(1)
}
