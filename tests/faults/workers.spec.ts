import { setTimeout as sleep } from 'node:timers/promises'
import { test } from '@japa/runner'
import { zoneNamed } from '#tests/support/app/names'
import { administrator } from '#tests/support/app/people/people'
import { eventually } from '#tests/support/eventually'
import { ApiCalls, dataOf } from '#tests/support/faults/api_calls'
import { isAlive } from '#tests/support/faults/process_tree'
import { SteadyClient } from '#tests/support/faults/steady_client'
import { HalfRequest, START_MS, WORKERS, Workers } from '#tests/support/faults/workers'

const CLIENTS = 8
/** Many, because each hits the moment of the kill only by chance. */
const VISITORS = 24
/** A response after this time was lost and came by a timeout. */
const MAX_ANSWER_MS = 15_000
/** Maximum milliseconds of a shutdown. */
const MAX_SHUTDOWN_MS = 30_000

test.group('Workers', (group) => {
  group.each.timeout(120_000)

  /** Starts two workers, and clients that read a zone continuously. */
  async function underLoad(count: number, keepAlive: boolean) {
    const { key } = await administrator()
    const workers = await Workers.start()
    const api = new ApiCalls(workers.server.url, key)
    const id: number = dataOf(await api.post('/zones', { name: zoneNamed() })).zone_id
    const url = `${workers.server.url}/api/v2/zones/${id}`
    const client = () => new SteadyClient(url, { 'x-api-key': key }, { keepAlive })
    return { workers, client, clients: Array.from({ length: count }, client) }
  }

  test('a killed worker is replaced, and connections of the other do not fail', async ({
    assert,
    cleanup,
  }) => {
    const { workers, client, clients } = await underLoad(CLIENTS, true)
    cleanup(() => workers.server.stop())
    const pids = workers.pids()
    assert.lengthOf(pids, WORKERS)
    await sleep(500)
    const [lost, remaining] = pids.map((pid) => workers.clientsOf(pid))
    // One more connection may be that of the zone's creation.
    assert.include([CLIENTS, CLIENTS + 1], lost.size + remaining.size)
    assert.isAbove(Math.min(lost.size, remaining.size), 0, 'each has clients')

    process.kill(pids[0], 'SIGKILL')
    await workers.untilServed(WORKERS + 1)
    const replacedAt = Date.now()
    assert.lengthOf(workers.logLines('Worker ended: replacement follows'), 1)
    await sleep(500)
    const more = Array.from({ length: CLIENTS }, client)
    const [fresh] = workers.pids().filter((pid) => !pids.includes(pid))
    await eventually(() =>
      assert.isAbove(workers.clientsOf(fresh).size, 0, 'the new worker has clients')
    )
    await Promise.all([...clients, ...more].map((one) => one.stop()))

    const failures = clients.flatMap((one) => one.failures)
    const elsewhere = failures.filter(({ port }) => !lost.has(port))
    assert.deepEqual(elsewhere, [])
    assert.isAtMost(failures.length, lost.size)
    assert.deepEqual(
      more.flatMap((one) => one.failures),
      []
    )
    for (const { answers } of clients) {
      assert.isTrue(answers.some((moment) => moment > replacedAt))
    }
    const ending = await workers.server.end('SIGTERM')
    assert.equal(ending.code, 0, workers.server.log())
  })

  test('a connection on its way to a killed worker is not lost', async ({ assert, cleanup }) => {
    const { workers, clients } = await underLoad(VISITORS, false)
    cleanup(() => workers.server.stop())
    for (let kill = 0; kill < 3; kill++) {
      await sleep(500)
      process.kill(workers.pids()[0], 'SIGKILL')
      await workers.untilServed(WORKERS + kill + 1)
    }
    await sleep(500)
    await Promise.all(clients.map((one) => one.stop()))
    const failures = clients.flatMap((one) => one.failures)
    assert.deepEqual(
      failures.filter(({ reason }) => reason !== 'ECONNRESET'),
      []
    )
    assert.isBelow(Math.max(0, ...failures.map((one) => one.milliseconds)), MAX_ANSWER_MS)
  })

  const TOLD = {
    'the primary': () => [],
    'every process, as systemd and terminals do': (workers: Workers) => workers.pids(),
  }
  for (const [who, others] of Object.entries(TOLD)) {
    test(`SIGTERM to ${who}: running requests are answered`, async ({ assert, cleanup }) => {
      const { key } = await administrator()
      const workers = await Workers.start()
      cleanup(() => workers.server.stop())
      const pids = workers.pids()
      const requests = await beginSome(workers, key)
      for (const pid of pids) {
        assert.isAbove(workers.clientsOf(pid).size, 0)
      }
      others(workers).forEach((pid) => process.kill(pid, 'SIGTERM'))
      const ended = workers.server.end('SIGTERM')
      await sleep(500)
      const answers = await Promise.all(requests.map((request) => request.finish()))
      assert.deepEqual(
        answers,
        requests.map(() => 'HTTP/1.1 201 Created')
      )
      const { code, milliseconds } = await ended
      assert.equal(code, 0, workers.server.log())
      assert.isBelow(milliseconds, MAX_SHUTDOWN_MS)
      assert.deepEqual(pids.filter(isAlive), [])
    })
  }

  test('workers answer running requests and exit when the primary is killed', async ({
    assert,
    cleanup,
  }) => {
    const { key } = await administrator()
    const workers = await Workers.start()
    cleanup(() => workers.server.stop())
    const pids = workers.pids()
    const requests = await beginSome(workers, key)
    await workers.server.end('SIGKILL')
    await sleep(300)
    const answers = await Promise.all(requests.map((request) => request.finish()))
    assert.deepEqual(
      answers,
      requests.map(() => 'HTTP/1.1 201 Created'),
      workers.server.log()
    )
    await eventually(() => assert.deepEqual(pids.filter(isAlive), []), { within: MAX_SHUTDOWN_MS })
    const again = await Workers.start({ PORT: workers.port })
    cleanup(() => again.server.stop())
  })

  test('the service exits with a message when all workers exit repeatedly', async ({
    assert,
    cleanup,
  }) => {
    const workers = await Workers.start()
    cleanup(() => workers.server.stop())
    await eventually(
      () => {
        workers.pids().forEach((pid) => process.kill(pid, 'SIGKILL'))
        assert.isFalse(workers.server.isRunning)
      },
      { within: START_MS, every: 100 }
    )
    const { code } = await workers.server.end('SIGTERM')
    assert.equal(code, 1)
    assert.lengthOf(workers.logLines('soon after their start: stopped'), 1)
    assert.lengthOf(workers.logLines('Worker ended: replacement follows'), 4)
  })
})

/** Sends the first half of requests, some to each worker. */
async function beginSome(workers: Workers, key: string): Promise<HalfRequest[]> {
  const requests: HalfRequest[] = []
  for (let i = 0; i < 2 * WORKERS; i++) {
    const body = { name: zoneNamed() }
    requests.push(await HalfRequest.begin(workers.server.url, '/zones', key, body))
  }
  // Waits until the workers have accepted them.
  await eventually(() => {
    const ports = new Set(workers.pids().flatMap((pid) => [...workers.clientsOf(pid)]))
    if (!requests.every(({ port }) => ports.has(port))) throw new Error('not yet accepted')
  })
  return requests
}
