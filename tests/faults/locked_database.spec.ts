// @databases
import { setTimeout as sleep } from 'node:timers/promises'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import env from '#support/env'
import { ace } from '#tests/support/app/commands'
import { unique, zoneNamed } from '#tests/support/app/names'
import { administrator } from '#tests/support/app/people/people'
import { stateOf } from '#tests/support/app/zones/zones'
import { ApiCalls, dataOf } from '#tests/support/faults/api_calls'
import { ServerProcess } from '#tests/support/faults/server_process'
import { assertUnavailable } from '#tests/support/faults/unavailable'
import { contradictionsIn } from '#tests/support/faults/zone_history'

const RECORD = { name: 'www', type: 'A', content: '192.0.2.1' }

/** Takes SQLite's write lock from this process. Returns a function that releases it. */
async function lockDatabase(): Promise<() => Promise<void>> {
  const trx = await db.transaction()
  await trx.from('domains').where('id', 0).update({ account: 'locked' })
  return async () => {
    if (!trx.isCompleted) {
      await trx.rollback()
    }
  }
}

async function bench(cleanup: (work: () => void | Promise<void>) => void) {
  const { key } = await administrator()
  const server = await ServerProcess.start()
  cleanup(() => server.stop())
  const api = new ApiCalls(server.url, key)
  const id: number = dataOf(await api.post('/zones', { name: zoneNamed() })).zone_id
  return { server, api, id, key }
}

function registerSqliteTests(): void {
  test.group('SQLite file that another process writes to', () => {
    test('a lock of 2 s delays writes by as much', async ({ assert, cleanup }) => {
      const { api, id } = await bench(cleanup)
      const unlock = await lockDatabase()
      cleanup(unlock)
      const writing = Promise.all([
        api.post(`/zones/${id}/records`, RECORD),
        api.post('/zones', { name: zoneNamed() }),
        api.put(`/zones/${id}`, { description: 'waited for' }),
      ])
      await sleep(2_000)
      await unlock()
      const answers = await writing
      assert.deepEqual(
        answers.map(({ status }) => status),
        [201, 201, 200],
        answers.map(({ text }) => text).join('\n')
      )
      assert.isTrue(answers.every(({ milliseconds }) => milliseconds > 1_500))
      assert.deepEqual(await contradictionsIn(id), [])
    }).timeout(60_000)

    test('a lock delays commands that create users and keys without failing them', async ({
      assert,
      cleanup,
    }) => {
      const { username } = await administrator()
      const unlock = await lockDatabase()
      cleanup(unlock)
      const commands = Promise.all([
        ace(['user:create', unique('locked')], { spawned: true }),
        ace(['api-key:create', username], { spawned: true }),
      ])
      await sleep(4_000)
      await unlock()
      for (const { code, stderr } of await commands) {
        assert.equal(code, 0, stderr)
      }
    }).timeout(60_000)

    test('a long lock makes writes a 503 without effect, and reads continue', async ({
      assert,
      cleanup,
    }) => {
      const { server, api, id } = await bench(cleanup)
      const before = await stateOf(id)
      const unlock = await lockDatabase()
      cleanup(unlock)
      const writing = api.post(`/zones/${id}/records`, RECORD)
      let isAnswered = false
      void writing.then(() => (isAnswered = true))
      const pauses: number[] = []
      while (!isAnswered) {
        await sleep(250)
        const ping = await api.call('GET', '/ping')
        const read = await api.get(`/zones/${id}`)
        assert.deepEqual([ping.status, read.status], [200, 200])
        pauses.push(ping.milliseconds, read.milliseconds)
      }
      const answer = await writing
      assertUnavailable(assert, answer)
      assert.isBelow(answer.milliseconds, 30_000)
      // A synchronous wait for the lock would block the event loop for the whole write.
      assert.isBelow(Math.max(...pauses), answer.milliseconds / 2, 'the server was deaf meanwhile')
      await unlock()
      assert.deepEqual(await stateOf(id), before)
      const secondAnswer = await api.post(`/zones/${id}/records`, RECORD)
      assert.equal(secondAnswer.status, 201)
      assert.deepEqual(await contradictionsIn(id), [])
      assert.isTrue(server.isRunning)
    }).timeout(120_000)

    test('a lock does not prevent the first use of an API key', async ({ assert, cleanup }) => {
      const { server } = await bench(cleanup)
      const { key } = await administrator()
      const unlock = await lockDatabase()
      cleanup(unlock)
      const answer = await new ApiCalls(server.url, key).get('/zones?page=1&per_page=1')
      assert.equal(answer.status, 200, answer.text)
      assert.isBelow(answer.milliseconds, 2_000)
    }).timeout(60_000)
  })
}

if (env.get('DB_CONNECTION', 'sqlite') === 'sqlite') {
  registerSqliteTests()
}
