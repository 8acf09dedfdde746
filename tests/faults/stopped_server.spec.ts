import { connect } from 'node:net'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from '@japa/runner'
import { zoneNamed } from '#tests/support/app/names'
import { administrator } from '#tests/support/app/people/people'
import { stateOf } from '#tests/support/app/zones/zones'
import { ApiCalls, dataOf } from '#tests/support/faults/api_calls'
import { ServerProcess } from '#tests/support/faults/server_process'
import { assertWhole } from '#tests/support/faults/verdict'
import {
  faultsOfWrites,
  isDone,
  loadZones,
  planWrites,
  send,
  unexpectedResponses,
  Workload,
} from '#tests/support/faults/workload'
import { Random } from '#tests/support/random'

/** Maximum milliseconds of a shutdown. */
const MAX_SHUTDOWN_MS = 30_000

/** Sends the beginning of a request without the rest of its body. */
async function beginRequest(url: string, head: string[], body: string) {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  await once(socket, 'connect')
  await new Promise<void>((resolve) =>
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`, () => resolve())
  )
  return socket
}

test.group('Stopped server', () => {
  test('exits with 0 and keeps all confirmed writes', async ({ assert, cleanup }) => {
    const { key } = await administrator()
    const random = new Random(7)
    const wishes = new Workload()
    const server = await ServerProcess.start()
    cleanup(() => server.stop())
    const api = new ApiCalls(server.url, key, { keepAlive: true })
    const zones = await loadZones(api, [zoneNamed(), zoneNamed()], random, wishes)
    const writes = planWrites(random, wishes, zones, 200)
    const sending = Promise.all(writes.map((write) => send(api, write)))
    while (writes.filter(isDone).length < 20) {
      await sleep(1)
    }
    const ending = await server.end('SIGTERM')
    await sending
    assert.deepEqual(
      { code: ending.code, signal: ending.signal },
      { code: 0, signal: null },
      server.log()
    )
    assert.isBelow(ending.milliseconds, MAX_SHUTDOWN_MS)
    assert.deepEqual(unexpectedResponses(writes), [])

    const again = await ServerProcess.start()
    cleanup(() => again.stop())
    for (const zone of zones) {
      assert.deepEqual(await faultsOfWrites(zone, writes), [])
      await assertWhole(assert, new ApiCalls(again.url, key), zone)
    }
  })

  test('exits although clients have idle connections', async ({ assert, cleanup }) => {
    const { key } = await administrator()
    const server = await ServerProcess.start()
    cleanup(() => server.stop())
    const api = new ApiCalls(server.url, key, { keepAlive: true })
    await Promise.all(Array.from({ length: 5 }, () => api.get('/zones?page=1&per_page=1')))
    const ending = await server.end('SIGTERM')
    assert.equal(ending.code, 0)
    assert.isBelow(ending.milliseconds, MAX_SHUTDOWN_MS)
  })

  test('exits although a client never finishes its request', async ({ assert, cleanup }) => {
    const { key } = await administrator()
    const server = await ServerProcess.start()
    cleanup(() => server.stop())
    const head = [
      'POST /api/v2/zones HTTP/1.1',
      'Host: 127.0.0.1',
      `X-API-Key: ${key}`,
      'Content-Type: application/json',
      'Content-Length: 1000',
    ]
    const socket = await beginRequest(server.url, head, '{"name":')
    cleanup(() => void socket.destroy())
    await sleep(200)
    const ending = await server.end('SIGTERM')
    assert.equal(ending.code, 0)
    assert.isBelow(ending.milliseconds, 30_000)
  })
})

test.group('Server that is stopped during its start', () => {
  // From the first milliseconds of the process until long after its start.
  const AFTER = Array.from({ length: 12 }, (_, index) => 100 + index * 150)

  test('exits if it is stopped {$self} ms after its start')
    .with(AFTER)
    .run(async ({ assert, cleanup }, after) => {
      const server = await ServerProcess.begin()
      cleanup(() => server.stop())
      await sleep(after)
      const { code, signal, milliseconds } = await server.end('SIGTERM')
      assert.isTrue(code === 0 || signal === 'SIGTERM', `${code} ${signal}\n${server.log()}`)
      assert.isBelow(milliseconds, MAX_SHUTDOWN_MS)
    })
})

test.group('Client that disconnects during its request', () => {
  const RECORD = '{"name":"www","type":"A","content":"192.0.2.1"}'
  const LEFT = [
    { how: 'half of the JSON', fields: ['Content-Length: 47'], body: RECORD.slice(0, 20) },
    { how: 'whole JSON, but fewer bytes than named', fields: ['Content-Length: 90'], body: RECORD },
    {
      how: 'whole JSON in a chunk, but no last chunk',
      fields: ['Transfer-Encoding: chunked'],
      body: `${RECORD.length.toString(16)}\r\n${RECORD}\r\n`,
    },
  ]

  test('a disconnect changes nothing: {how}')
    .with(LEFT)
    .run(async ({ assert, cleanup }, { fields, body }) => {
      const { key } = await administrator()
      const server = await ServerProcess.start()
      cleanup(() => server.stop())
      const api = new ApiCalls(server.url, key)
      const id: number = dataOf(await api.post('/zones', { name: zoneNamed() })).zone_id
      const before = await stateOf(id)
      const head = [
        `POST /api/v2/zones/${id}/records HTTP/1.1`,
        'Host: 127.0.0.1',
        `X-API-Key: ${key}`,
        'Content-Type: application/json',
        ...fields,
      ]
      for (let i = 0; i < 5; i += 1) {
        const socket = await beginRequest(server.url, head, body)
        await sleep(50)
        socket.destroy()
      }
      await sleep(300)
      assert.deepEqual(await stateOf(id), before)
      const answer = await api.get(`/zones/${id}`)
      assert.equal(answer.status, 200)
      assert.isTrue(server.isRunning)
    })
})
