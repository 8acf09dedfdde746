import { setTimeout as sleep } from 'node:timers/promises'
import { test } from '@japa/runner'
import { BackendUnavailable } from '#backends/contract/errors'
import { KeyedQueue } from '#support/keyed_queue'
import { SIGNING_QUEUE_TERMS } from '#zones/dnssec/queue'

const queueOf = (waitMs = 5_000) =>
  new KeyedQueue<number>({ waitMs, busy: () => new BackendUnavailable('busy') })

test.group('Keyed queue', () => {
  test('callers get a key in order, and different keys concurrently', async ({ assert }) => {
    const queue = queueOf()
    const had: string[] = []
    const first = await queue.acquire([1])
    const second = queue.acquire([2, 1]).then((release) => {
      had.push('second')
      release()
    })
    const third = queue.acquire([1]).then((release) => {
      had.push('third')
      release()
    })
    const other = await queue.acquire([3])
    other()
    assert.deepEqual(had, [])
    first()
    await Promise.all([second, third])
    assert.deepEqual(had, ['second', 'third'])
  })

  test('a caller that times out gets no key, and later callers keep their order', async ({
    assert,
  }) => {
    const queue = queueOf(20)
    const slow = await queue.acquire([2])
    const early = queue.acquire([1, 2])
    await assert.rejects(() => early, BackendUnavailable)
    // The acquired key was released. The awaited key is still taken.
    const free = await queue.acquire([1])
    free()
    await assert.rejects(() => queue.acquire([2]), BackendUnavailable)
    slow()
    const late = await queue.acquire([2])
    late()
  })

  test('a second release of a key has no effect', async ({ assert }) => {
    const queue = queueOf(20)
    const first = await queue.acquire([1])
    const next = queue.acquire([1])
    first()
    first()
    const second = await next
    await assert.rejects(() => queue.acquire([1]), BackendUnavailable)
    second()
  })
})

test.group('Queue of signing changes', () => {
  test('changes of a zone run one after the other, even after a failure', async ({ assert }) => {
    const queue = new KeyedQueue<number>(SIGNING_QUEUE_TERMS)
    const done: string[] = []
    const work = (name: string, ms: number) => async () => {
      await sleep(ms)
      done.push(name)
      return name
    }
    const outcomes = await Promise.allSettled([
      queue.run(1, work('a', 20)),
      queue.run(1, () => Promise.reject(new Error('no'))),
      queue.run(1, work('b', 0)),
      queue.run(2, work('c', 0)),
    ])
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled', 'fulfilled']
    )
    assert.deepEqual(done, ['c', 'a', 'b'])
  })

  test('work that waits too long or finds the queue full does not start', async ({ assert }) => {
    const queue = new KeyedQueue<number>({ ...SIGNING_QUEUE_TERMS, waitMs: 50, maxLength: 3 })
    const begun: string[] = []
    const first = queue.run(3, () => sleep(150))
    const late = (name: string) =>
      queue
        .run(3, async () => void begun.push(name))
        .then(
          () => null,
          (error: { status: number }) => error.status
        )
    const waiting = [late('b'), late('c')]
    assert.equal(await late('d'), 503)
    assert.deepEqual(await Promise.all(waiting), [503, 503])
    await first
    assert.isNull(await late('e'))
    assert.deepEqual(begun, ['e'])
  })
})
