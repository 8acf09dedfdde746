import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { setImmediate as turn } from 'node:timers/promises'
import { test } from '@japa/runner'
import { Refusal } from '#exceptions/refusal'
import { RequestSlots } from '#middleware/request_slots'

const answer = () => new ServerResponse(new IncomingMessage(new Socket()))

const slotsOf = (most: number, waitMs = 5_000) =>
  new RequestSlots({ maxSlots: () => most, waitMs: () => waitMs, tooMany: () => `At most ${most}` })

/** Records when a promise is settled. */
function watched<T>(promise: Promise<T>): { isThere: boolean; promise: Promise<T> } {
  const watch = { isThere: false, promise }
  promise.then(
    () => (watch.isThere = true),
    () => (watch.isThere = true)
  )
  return watch
}

/** Events that release the first slot, so that the second request gets it. */
const ENDS: [what: string, end: (response: ServerResponse, done: () => void) => void][] = [
  ['its end', (_response, done) => done()],
  ['its answer being sent, or its client leaving', (response) => response.emit('close')],
  [
    'either of them, once',
    (response, done) => {
      done()
      response.emit('close')
      done()
    },
  ],
]

test.group('Request slots', () => {
  for (const [what, end] of ENDS) {
    test(`the next request starts after ${what}`, async ({ assert }) => {
      const slots = slotsOf(1)
      const first = answer()
      const done = await slots.take(first, 'anna')
      const [second, third] = [
        watched(slots.take(answer(), 'anna')),
        watched(slots.take(answer(), 'anna')),
      ]
      await turn()
      assert.isFalse(second.isThere)
      end(first, done)
      const next = await second.promise
      await turn()
      assert.isFalse(third.isThere)
      next()
      const last = await third.promise
      last()
    })
  }

  test('requests of one caller do not delay others', async ({ assert }) => {
    const slots = slotsOf(2, 10)
    await slots.take(answer(), 'anna')
    await slots.take(answer(), 'anna')
    const refused = await slots.take(answer(), 'anna').catch((error: unknown) => error)
    assert.instanceOf(refused, Refusal)
    assert.deepInclude(refused as Refusal, {
      status: 429,
      message: 'At most 2',
      headers: { 'Retry-After': '5' },
    })
    const done = await slots.take(answer(), 'bert')
    done()
  })

  test('a client that disconnects while waiting uses no slot', async ({ assert }) => {
    const slots = slotsOf(1)
    const done = await slots.take(answer())
    const leaving = answer()
    const left = slots.take(leaving).catch(() => 'left')
    const next = slots.take(answer())
    leaving.emit('close')
    assert.equal(await left, 'left')
    done()
    const end = await next
    end()
  })

  test('a caller without requests starts with all slots again', async ({ assert }) => {
    const slots = slotsOf(1, 10)
    for (let round = 0; round < 5; round++) {
      const done = await slots.take(answer(), 'anna')
      await assert.rejects(() => slots.take(answer(), 'anna'), 'At most 1')
      done()
    }
  })
})
