import { once } from 'node:events'
import { createServer, IncomingMessage, request, ServerResponse, type Server } from 'node:http'
import { Socket, type AddressInfo } from 'node:net'
import testUtils from '@adonisjs/core/services/test_utils'
import { test } from '@japa/runner'
import { LIST_SLOTS, takeListSlot } from '#controllers/support/streamed_list'
import { streamList } from '#controllers/support/streamed_list'
import { Refusal } from '#exceptions/refusal'
import StalledClientMiddleware, {
  STALL_LIMIT as STALLED,
} from '#middleware/stalled_client_middleware'
import { changeSettings } from '#tests/support/app/settings'
import { eventually } from '#tests/support/eventually'

const ROWS = 1_000
/** About 1 MB for each batch, more than socket buffers can store. */
const FILLING = 'x'.repeat(1_000)

/** Batches that count how many of them were read, and record whether they were closed. */
class Batches {
  read = 0
  isClosed = false

  async *rows(count: number, failing?: number): AsyncGenerator<number[], void> {
    try {
      for (let batch = 0; batch < count; batch++) {
        if (batch === failing) throw new Error('The database is gone')
        this.read = batch + 1
        yield Array.from({ length: ROWS }, (_, row) => batch * ROWS + row)
      }
    } finally {
      this.isClosed = true
    }
  }
}

test.group('Streamed lists', (group) => {
  let server: Server
  let batches: Batches
  let answering: () => AsyncGenerator<number[], void>
  let errors: unknown[]

  group.each.setup(async () => {
    batches = new Batches()
    errors = []
    const { afterMs } = STALLED
    server = createServer((req, res) => {
      void (async () => {
        const ctx = await testUtils.createHttpContext({ req, res })
        const recordError = (found: unknown) => errors.push(found)
        Object.assign(ctx, { logger: { error: recordError, warn: recordError } })
        void new StalledClientMiddleware().handle(ctx, async () => {})
        const answer = await streamList(ctx, answering(), {
          member: 'numbers',
          item: (number) => ({ number, filling: FILLING }),
          message: 'Numbers retrieved successfully',
          extras: { meta: { timestamp: 'now' } },
        })
        if (answer !== undefined) ctx.response.send(answer)
        ctx.response.finish()
      })()
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    return () => {
      server.closeAllConnections()
      server.close()
      STALLED.afterMs = afterMs
    }
  })

  async function ask(method = 'GET'): Promise<IncomingMessage> {
    const { port } = server.address() as AddressInfo
    const clientRequest = request({ port, host: '127.0.0.1', method, agent: false }).end()
    const [response] = (await once(clientRequest, 'response')) as [IncomingMessage]
    return response
  }

  async function textOf(response: IncomingMessage): Promise<string> {
    const parts: Buffer[] = []
    for await (const part of response) parts.push(part as Buffer)
    return Buffer.concat(parts).toString()
  }

  test('a list that waits too long gets 429, and a disconnected client uses no slot', async ({
    assert,
    cleanup,
  }) => {
    cleanup(changeSettings({ api: { max_whole_lists: 1 } }))
    const { waitMs } = LIST_SLOTS
    cleanup(() => void (LIST_SLOTS.waitMs = waitMs))
    const seen: ServerResponse[] = []
    const responseOf = () => {
      const response = new ServerResponse(new IncomingMessage(new Socket()))
      seen.push(response)
      return response
    }
    const end = await takeListSlot(responseOf())
    LIST_SLOTS.waitMs = 20
    const error: unknown = await takeListSlot(responseOf()).catch((reason: unknown) => reason)
    assert.instanceOf(error, Refusal)
    assert.deepInclude(error as Refusal, { status: 429, headers: { 'Retry-After': '5' } })
    LIST_SLOTS.waitMs = 5_000
    const left = takeListSlot(responseOf()).catch(() => 'left')
    const next = takeListSlot(responseOf())
    seen[2].emit('close')
    assert.equal(await left, 'left')
    end()
    end()
    const endNext = await next
    let isTaken = false
    const third = takeListSlot(responseOf()).then((done) => {
      isTaken = true
      return done
    })
    await new Promise((resolve) => setImmediate(resolve))
    assert.isFalse(isTaken)
    endNext()
    const endThird = await third
    endThird()
  })

  test('lists above the concurrency limit wait', async ({ assert, cleanup }) => {
    cleanup(changeSettings({ api: { max_whole_lists: 2 } }))
    const all: Batches[] = []
    answering = () => {
      const one = new Batches()
      all.push(one)
      return one.rows(5)
    }
    const open = [await ask(), await ask()]
    const coming = [ask(), ask()]
    await eventually(() => assert.lengthOf(all, 4))
    assert.deepEqual(
      all.slice(2).map(({ read }) => read),
      [0, 0]
    )
    await textOf(open[0])
    // One waiting request starts, and no other.
    await textOf(await Promise.race(coming))
    open[1].destroy()
    const rest = await Promise.all(coming)
    assert.deepEqual(
      rest.map(({ statusCode }) => statusCode),
      [200, 200]
    )
    // Releases the slots of this test.
    await Promise.all(rest.filter(({ complete }) => !complete).map(textOf))
    await eventually(() => assert.isTrue(all.every(({ isClosed }) => isClosed)))
  })

  for (const count of [0, 1, 2, 5]) {
    test(`a list of ${count} batches is sent completely, in its envelope`, async ({ assert }) => {
      answering = () => batches.rows(count)
      const response = await ask()
      assert.match(response.headers['content-type'] ?? '', /^application\/json/)
      const body = JSON.parse(await textOf(response))
      assert.deepEqual(Object.keys(body), ['success', 'data', 'message', 'meta'])
      const numbers = body.data.numbers.map(({ number }: { number: number }) => number)
      assert.deepEqual(
        numbers,
        Array.from({ length: count * ROWS }, (_, row) => row)
      )
      assert.isTrue(batches.isClosed)
    })
  }

  test('empty batches do not change the output', async ({ assert }) => {
    answering = async function* () {
      yield* [[], [1], [], [2], []]
    }
    const some = JSON.parse(await textOf(await ask()))
    assert.lengthOf(some.data.numbers, 2)
    answering = async function* () {
      yield* [[], [], []]
    }
    const none = JSON.parse(await textOf(await ask()))
    assert.deepEqual(none.data, { numbers: [] })
  })

  test('reading stops while the client does not read, and continues later', async ({ assert }) => {
    answering = () => batches.rows(40)
    const response = await ask()
    response.pause()
    await new Promise((resolve) => setTimeout(resolve, 300))
    const held = batches.read
    assert.isBelow(held, 30)
    await new Promise((resolve) => setTimeout(resolve, 300))
    assert.equal(batches.read, held)
    const body = JSON.parse(await textOf(response))
    assert.lengthOf(body.data.numbers, 40 * ROWS)
  }).timeout(20_000)

  test('a client that reads nothing for long is disconnected, and reading ends', async ({
    assert,
  }) => {
    STALLED.afterMs = 200
    answering = () => batches.rows(1_000)
    const response = await ask()
    response.pause()
    await eventually(() => assert.isTrue(batches.isClosed))
    assert.deepEqual(errors, ['Connection closed: the client stopped reading'])
    await assert.rejects(() => textOf(response), /aborted/)
  })

  test('a slow client and a slow response are not disconnected', async ({ assert }) => {
    STALLED.afterMs = 500
    const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))
    answering = async function* () {
      yield []
      await pause(700)
      yield* batches.rows(20)
    }
    const response = await ask()
    let [length, parts] = [0, 0]
    for await (const part of response) {
      length += (part as Buffer).length
      parts++
      if (parts % 16 === 0) await pause(40)
    }
    assert.isAbove(length, 20 * ROWS * FILLING.length)
    assert.deepEqual(errors, [])
  })

  test('reading ends when the client disconnects', async ({ assert }) => {
    answering = () => batches.rows(1_000)
    const response = await ask()
    response.destroy()
    await eventually(() => assert.isTrue(batches.isClosed))
    assert.isBelow(batches.read, 100)
  })

  test('reading ends when the client disconnects between batches', async ({ assert }) => {
    let [steps, isClosed] = [0, false]
    answering = async function* () {
      try {
        for (; steps < 100_000; steps++) {
          yield []
          await new Promise((resolve) => setTimeout(resolve, 1))
        }
        yield [1]
      } finally {
        isClosed = true
      }
    }
    const { port } = server.address() as AddressInfo
    const clientRequest = request({ port, host: '127.0.0.1', agent: false }).end()
    clientRequest.on('error', () => {})
    await eventually(() => assert.isAbove(steps, 20))
    clientRequest.destroy()
    await eventually(() => assert.isTrue(isClosed))
  })

  test('an error during the transfer closes the connection and is logged', async ({ assert }) => {
    answering = () => batches.rows(10, 4)
    const response = await ask()
    assert.equal(response.statusCode, 200)
    await assert.rejects(() => textOf(response), /aborted/)
    assert.lengthOf(errors, 1)
    assert.match(String((errors[0] as { err: Error }).err), /The database is gone/)
    assert.isTrue(batches.isClosed)
  })

  test('an error before the first rows goes to the error handler', async ({ assert }) => {
    async function* failing(): AsyncGenerator<number[], void> {
      for (let batch = 0; batch < 5; batch++) yield []
      throw new Error('No space is left')
    }
    const ctx = await testUtils.createHttpContext()
    const none = { member: 'numbers', item: (number: number) => ({ number }), message: 'Numbers' }
    await assert.rejects(() => streamList(ctx, failing(), none), 'No space is left')
    assert.isFalse(ctx.response.hasLazyBody)
  })

  test('a HEAD request reads no further batch and has no body', async ({ assert }) => {
    answering = () => batches.rows(1_000)
    const response = await ask('HEAD')
    assert.equal(response.statusCode, 200)
    assert.match(response.headers['content-type'] ?? '', /^application\/json/)
    assert.isUndefined(response.headers['content-length'])
    assert.equal(await textOf(response), '')
    assert.isTrue(batches.isClosed)
    assert.isAtMost(batches.read, 2)
  })
})
