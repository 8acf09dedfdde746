import { request } from 'node:http'
import { monitorEventLoopDelay, performance } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { test } from '@japa/runner'
import { baseUrl } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { administrator } from '#tests/support/app/people'

/** Hosts of a large change: without pauses, each operation on so many holds the event loop for seconds. */
const HOSTS = 20_000
/** Milliseconds that an operation may hold the event loop beyond what the idle process does. Machines may be slow. */
const BOUND = 1_000

const generated = (content: string) => `$TTL 60\n$GENERATE 0-${HOSTS - 1} h$ A ${content}\n`

interface Call {
  method: string
  path: string
  type?: string
  body?: string
}

/** In this order: later operations work on the zone that earlier ones fill. */
const OPERATIONS: [what: string, status: number, call: Call][] = [
  [
    'the plan of a $GENERATE line',
    200,
    { method: 'POST', path: '/import?mode=merge&dry_run=true', body: generated('192.0.2.1') },
  ],
  [
    'a file of faulty lines',
    400,
    {
      method: 'POST',
      path: '/import?mode=merge&dry_run=true',
      body: 'h A 1.2.3\n'.repeat(120_000),
    },
  ],
  [
    'the plan of one large RRset',
    200,
    {
      method: 'POST',
      path: '/import?mode=merge&dry_run=true',
      body: '$TTL 60\n$GENERATE 0-9999 h TXT "$"\n',
    },
  ],
  ['an import', 200, { method: 'POST', path: '/import?mode=merge', body: generated('192.0.2.1') }],
  [
    'the plan of a changed zone',
    200,
    { method: 'POST', path: '/import?mode=merge&dry_run=true', body: generated('192.0.2.2') },
  ],
  ['an export', 200, { method: 'GET', path: '/export?format=text' }],
  ['an export as JSON', 200, { method: 'GET', path: '/export?format=json' }],
  ['an export as a table', 200, { method: 'GET', path: '/export?format=csv' }],
  ['the difference of two entries', 200, { method: 'GET', path: '/diff?from=1&to=2' }],
  [
    'the plan of a restore',
    200,
    {
      method: 'POST',
      path: '/restore?dry_run=true',
      type: 'application/json',
      body: '{"entry":1}',
    },
  ],
]

/** Sends a request and drops the body of the answer: reading it would cost the same process time. */
function send(key: string, path: string, { method, type, body }: Omit<Call, 'path'>) {
  const headers = { 'x-api-key': key, 'content-type': type ?? 'text/dns' }
  return new Promise<number>((resolve, reject) => {
    const call = request(`${baseUrl()}${path}`, { method, headers }, (response) => {
      response.resume()
      response.on('end', () => resolve(response.statusCode!))
    })
    call.on('error', reject)
    call.end(body)
  })
}

/** Runs work while it asks /ping. Returns the longest stop of the event loop and the longest answer. */
async function observed<T>(key: string, work: () => Promise<T>) {
  const delays = monitorEventLoopDelay({ resolution: 5 })
  delays.enable()
  await wait(50)
  let isOver = false
  let ping = 0
  const asking = async () => {
    while (!isOver) {
      const since = performance.now()
      await send(key, '/ping', { method: 'GET' })
      ping = Math.max(ping, performance.now() - since)
      await wait(5)
    }
  }
  const asked = asking()
  const result = await work()
  isOver = true
  await asked
  delays.disable()
  return { result, stop: delays.max / 1e6, ping }
}

test.group('Event loop', (group) => {
  group.tap((one) => one.timeout(120_000))

  test('large operations of one caller leave room for the requests of others', async ({
    client,
    assert,
  }) => {
    const { key } = await administrator()
    const zone = { name: zoneNamed('loop'), type: 'MASTER' }
    const made = await client.post('/api/v2/zones').header('x-api-key', key).json(zone)
    made.assertStatus(201)
    const path = `/api/v2/zones/${made.body().data.zone_id}`
    const idle = await observed(key, () => wait(500))

    const held: string[] = []
    for (const [what, status, call] of OPERATIONS) {
      const { result, stop, ping } = await observed(key, () => send(key, path + call.path, call))
      assert.equal(result, status, what)
      const isWithin = stop < BOUND + idle.stop && ping < BOUND + idle.ping
      if (!isWithin) {
        held.push(`${what}: event loop ${Math.round(stop)} ms, /ping ${Math.round(ping)} ms`)
      }
    }
    assert.deepEqual(held, [])
  })
})
