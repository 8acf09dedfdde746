// @databases
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import env from '#support/env'
import { eventually } from '#tests/support/eventually'
import { zoneNamed } from '#tests/support/app/names'
import { administrator } from '#tests/support/app/people/people'
import { type Answer, ApiCalls, dataOf, isSuccess } from '#tests/support/faults/api_calls'
import { ServerProcess } from '#tests/support/faults/server_process'
import { afterBytes, TcpProxy } from '#tests/support/faults/tcp_proxy'
import { assertDown, assertUnavailable } from '#tests/support/faults/unavailable'
import { assertWhole } from '#tests/support/faults/verdict'
import {
  faultsOfWrites,
  isDone,
  type LoadedZone,
  loadZones,
  planWrites,
  send,
  unexpectedResponses,
  Workload,
  type Write,
} from '#tests/support/faults/workload'
import { contradictionsIn, entriesOf, recordRowsOf } from '#tests/support/faults/zone_history'
import { Random } from '#tests/support/random'

/** Maximum milliseconds that a request waits for a database without answers. */
const LIMIT = 30_000
/** Maximum milliseconds until a silent database counts as lost: twice `db.silence_seconds`, and time for a connection. */
const SILENCE_LIMIT = 15_000
/** Seconds of health.db_timeout and of the response. */
const HEALTH_SECONDS = 3.5
const CUTS = 24
/** Writes whose bytes are counted, to find the possible positions of a cut. */
const REHEARSED = 6

const CALLS: { what: string; call: (api: ApiCalls, id: number) => Promise<Answer> }[] = [
  { what: 'zones', call: (api) => api.get('/zones') },
  { what: 'a zone', call: (api, id) => api.get(`/zones/${id}`) },
  { what: 'a new zone', call: (api) => api.post('/zones', { name: zoneNamed() }) },
  {
    what: 'a new record',
    call: (api, id) =>
      api.post(`/zones/${id}/records`, { name: 'x', type: 'A', content: '192.0.2.9' }),
  },
  { what: 'a deletion', call: (api, id) => api.delete(`/zones/${id}`) },
]

/** Writes whose COMMIT is lost. */
const WRITES: { what: string; call: (api: ApiCalls, zone: LoadedZone) => Promise<Answer> }[] = [
  {
    what: 'a new record',
    call: (api, { id }) =>
      api.post(`/zones/${id}/records`, { name: 'y', type: 'A', content: '192.0.2.9' }),
  },
  {
    what: 'a changed record',
    call: (api, { id, seeded }) =>
      api.put(`/zones/${id}/records/${seeded[0].id}`, { disabled: true }),
  },
  {
    what: 'a deleted record',
    call: (api, { id, seeded }) => api.delete(`/zones/${id}/records/${seeded[0].id}`),
  },
  { what: 'a renamed zone', call: (api, { id }) => api.put(`/zones/${id}`, { name: zoneNamed() }) },
  { what: 'a deleted zone', call: (api, { id }) => api.delete(`/zones/${id}`) },
]

/** Starts a server with a proxy before its database, and creates a zone. */
async function bench(cleanup: (work: () => Promise<void>) => void) {
  const { key } = await administrator()
  const host = env.get('DB_HOST', '127.0.0.1')
  const port = env.get('DB_PORT', env.get('DB_CONNECTION') === 'pg' ? 5432 : 3306)
  const proxy = await TcpProxy.start({ host, port })
  cleanup(() => proxy.close())
  const server = await ServerProcess.start({ DB_HOST: '127.0.0.1', DB_PORT: proxy.port })
  cleanup(() => server.stop())
  const api = new ApiCalls(server.url, key)
  const random = new Random(5)
  const wishes = new Workload()
  const [zone] = await loadZones(api, [zoneNamed()], random, wishes).catch((error) => {
    throw new Error(server.log(), { cause: error })
  })
  const whole = () => eventually(async () => contradictionFree(zone.id), { within: 3_000 })
  const works = () =>
    eventually(async () => dataOf(await api.get(`/zones/${zone.id}`)), { within: 5_000 })
  return { proxy, server, api, random, wishes, zone, whole, works }
}

async function contradictionFree(zoneId: number): Promise<void> {
  const found = await contradictionsIn(zoneId)
  if (found.length > 0) {
    throw new Error(found.join('\n'))
  }
}

/** Rows of a zone that a write changes. */
async function stateOf(zoneId: number) {
  return { rows: await recordRowsOf(zoneId), entries: await entriesOf(zoneId) }
}

function registerNetworkTests(): void {
  test.group('Lost database', () => {
    test('a refused connection is a 503 without its cause, until the database is back', async ({
      assert,
      cleanup,
    }) => {
      const { proxy, server, api, zone, works, whole } = await bench(cleanup)
      const before = await stateOf(zone.id)
      await proxy.refuse()
      for (const { what, call } of CALLS) {
        const answer = await call(api, zone.id)
        assertUnavailable(assert, answer)
        assert.isBelow(answer.milliseconds, 10_000, what)
      }
      await assertDown(assert, api, HEALTH_SECONDS)
      const crowd = await Promise.all(
        Array.from({ length: 30 }, () => api.get(`/zones/${zone.id}`))
      )
      crowd.forEach((answer) => assertUnavailable(assert, answer))

      await proxy.restore()
      await works()
      const health = await api.call('GET', '/api/health')
      assert.equal(health.status, 200)
      assert.deepEqual(await stateOf(zone.id), before)
      const added = await CALLS[3].call(api, zone.id)
      assert.equal(added.status, 201)
      await whole()
      assert.isTrue(server.isRunning)
    }).timeout(120_000)

    test('broken idle connections are not noticed', async ({ assert, cleanup }) => {
      const { proxy, api, zone } = await bench(cleanup)
      for (let i = 0; i < 5; i += 1) {
        await Promise.all(Array.from({ length: 8 }, () => api.get(`/zones/${zone.id}`)))
        proxy.cut()
        await sleep(100)
        const answer = await api.get(`/zones/${zone.id}`)
        assert.equal(answer.status, 200)
      }
    })

    test('a database that accepts connections but never answers is a 503, until it is back', async ({
      assert,
      cleanup,
    }) => {
      const { proxy, server, api, zone, works, whole } = await bench(cleanup)
      proxy.silence()
      // More checks than the pool has connections.
      for (let i = 0; i < 4; i += 1) {
        await Promise.all(Array.from({ length: 3 }, () => assertDown(assert, api, HEALTH_SECONDS)))
      }
      const answers = await Promise.all(CALLS.map(({ call }) => call(api, zone.id)))
      for (const answer of answers) {
        assertUnavailable(assert, answer)
        assert.isBelow(answer.milliseconds, SILENCE_LIMIT)
      }
      // Later requests fail at once.
      for (const { what, call } of CALLS) {
        const answer = await call(api, zone.id)
        assertUnavailable(assert, answer)
        assert.isBelow(answer.milliseconds, 2_000, what)
      }
      await assertDown(assert, api, 2)
      await proxy.restore()
      await works()
      await whole()
      assert.isTrue(server.isRunning)
    }).timeout(180_000)

    test('an Idempotency-Key is free again after the database fell silent during a write', async ({
      assert,
      cleanup,
    }) => {
      const { proxy, api, zone, works, whole } = await bench(cleanup)
      const body = { name: 'once', type: 'A', content: '192.0.2.9' }
      const write = (key: string) =>
        api.call('POST', `/api/v2/zones/${zone.id}/records`, body, { 'Idempotency-Key': key })
      // The row of the key exists, and its change does not.
      const pieces = ['zw_idempotency_keys', 'COMMIT', 'BEGIN']
      proxy.cutWhen((chunk) => {
        if (pieces.length > 0 && chunk.includes(pieces[0])) pieces.shift()
        if (pieces.length === 0) proxy.silence()
        return false
      })
      const lostAnswer = await write('silent')
      assertUnavailable(assert, lostAnswer)
      assert.isBelow(lostAnswer.milliseconds, SILENCE_LIMIT)
      proxy.cutWhen(() => false)
      await proxy.restore()
      await works()
      const secondAnswer = await write('silent')
      assert.equal(secondAnswer.status, 201, secondAnswer.text)
      await whole()
    }).timeout(120_000)

    test('a database that makes a write wait for a lock is not lost', async ({
      assert,
      cleanup,
    }) => {
      const { api, zone, whole } = await bench(cleanup)
      const trx = await db.transaction()
      await trx.from('zw_zones').where('id', zone.id).forUpdate().select('id')
      const waiting = CALLS[3].call(api, zone.id)
      await sleep(7_000)
      const read = await api.get(`/zones/${zone.id}`)
      assert.equal(read.status, 200)
      await trx.rollback()
      const answer = await waiting
      assert.equal(answer.status, 201, answer.text)
      await whole()
    }).timeout(60_000)

    test('a database that lost its connections is found again without a restart', async ({
      assert,
      cleanup,
    }) => {
      const { proxy, api, zone } = await bench(cleanup)
      await Promise.all(Array.from({ length: 20 }, () => api.get(`/zones/${zone.id}`)))
      proxy.silence()
      const lost = Promise.all(Array.from({ length: 10 }, () => api.get(`/zones/${zone.id}`)))
      await sleep(500)
      await proxy.restore('stay')
      for (const answer of await lost) {
        assertUnavailable(assert, answer)
        assert.isBelow(answer.milliseconds, LIMIT)
      }
      await eventually(async () => dataOf(await api.get(`/zones/${zone.id}`)), { within: LIMIT })
    }).timeout(240_000)

    test('a write is complete or absent wherever its connection is cut {$self}')
      .with(['up', 'down'] as const)
      .run(async ({ assert, cleanup }, way) => {
        const { proxy, server, api, random, wishes, zone, works, whole } = await bench(cleanup)
        const rehearsal = planWrites(random, wishes, [zone], 3 * REHEARSED)
        for (const write of rehearsal.slice(0, 2 * REHEARSED)) {
          await send(api, write)
        }
        // Frequent statements are prepared by then and take fewer bytes.
        const bytes = proxy.count(way)
        for (const write of rehearsal.slice(2 * REHEARSED)) {
          await send(api, write)
        }
        const perWrite = bytes() / REHEARSED
        assert.isAbove(perWrite, 100)

        const writes: Write[] = planWrites(random, wishes, [zone], CUTS)
        for (const write of writes) {
          proxy.cutWhen(afterBytes(Math.floor(random.next() * perWrite * 1.1)), way)
          await send(api, write)
          if (write.answer!.status === 503) {
            assertUnavailable(assert, write.answer!)
            write.answer = null
          }
          await works()
          await whole()
        }
        const all = [...rehearsal, ...writes]
        assert.deepEqual(unexpectedResponses(all), [])
        assert.deepEqual(await faultsOfWrites(zone, all), [])
        await assertWhole(assert, api, zone)
        // Most cuts are between statements and are not noticed; some are.
        assert.isAbove(writes.filter((write) => !isDone(write)).length, 0)
        assert.isTrue(server.isRunning)
      })
      .timeout(180_000)

    test('a lost COMMIT of {what} is not reported as a success')
      .with(WRITES)
      .run(async ({ assert, cleanup }, { call }) => {
        const { proxy, api, zone, works, whole } = await bench(cleanup)
        const before = await stateOf(zone.id)
        proxy.cutWhen((chunk) => chunk.includes('COMMIT'))
        const answer = await call(api, zone)
        assertUnavailable(assert, answer)
        // The cut closes all connections: sometimes it hits the COMMIT of background work.
        assert.match(answer.text, /its outcome is unknown\. .*Idempotency-Key|be reached/)
        await works()
        await whole()
        assert.deepEqual(await stateOf(zone.id), before)
        const secondAnswer = await call(api, zone)
        assert.isTrue(isSuccess(secondAnswer), secondAnswer.text)
        await whole()
      })

    test('a lost BEGIN of {what} is a 503')
      .with(WRITES)
      .run(async ({ assert, cleanup }, { call }) => {
        const { proxy, api, zone, works } = await bench(cleanup)
        const before = await stateOf(zone.id)
        proxy.cutWhen((chunk) => chunk.includes('BEGIN'))
        const answer = await call(api, zone)
        if (!isSuccess(answer)) {
          assertUnavailable(assert, answer)
          await works()
          assert.deepEqual(await stateOf(zone.id), before)
        }
      })
  })
}

if (env.get('DB_CONNECTION', 'sqlite') !== 'sqlite') {
  registerNetworkTests()
}
