import { test } from '@japa/runner'
import { BackendUnavailable } from '#backends/contract/errors'
import { ZoneQueues } from '#backends/mirrored/write_queue'

test.group('Writers that wait for a zone', () => {
  test('have it one after the other, and other zones at once', async ({ assert }) => {
    const queues = new ZoneQueues()
    const had: string[] = []
    const first = await queues.enter([1])
    const second = queues.enter([2, 1]).then((leave) => {
      had.push('second')
      leave()
    })
    const third = queues.enter([1]).then((leave) => {
      had.push('third')
      leave()
    })
    const other = await queues.enter([3])
    other()
    assert.deepEqual(had, [])
    first()
    await Promise.all([second, third])
    assert.deepEqual(had, ['second', 'third'])
  })

  test('give up after a time, and keep nobody', async ({ assert }) => {
    const queues = new ZoneQueues(20)
    const slow = await queues.enter([2])
    const early = queues.enter([1, 2])
    await assert.rejects(() => early, BackendUnavailable)
    // What the one that gave up held is free, and what it waited for is not.
    const free = await queues.enter([1])
    free()
    await assert.rejects(() => queues.enter([2]), BackendUnavailable)
    slow()
    const late = await queues.enter([2])
    late()
  })
})
