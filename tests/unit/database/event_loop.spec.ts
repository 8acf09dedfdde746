import { performance } from 'node:perf_hooks'
import { setImmediate as turn } from 'node:timers/promises'
import { test } from '@japa/runner'
import { runYielding, yieldIfDue } from '#database/event_loop'

/** Blocks the event loop for longer than a slice. */
function hold(): void {
  const end = performance.now() + 12
  while (performance.now() < end);
}

test.group('Yielding to the event loop', () => {
  test('{$self} computations that yield together resume in the same number of iterations, in order')
    .with([1, 2, 3, 7, 20])
    .run(async ({ assert }, count) => {
      hold()
      let turns = 0
      let isOver = false
      const counting = (async () => {
        while (!isOver) {
          await turn()
          turns++
        }
      })()
      const order: number[] = []
      const seen = new Set<number>()
      const all = Array.from({ length: count }, async (_, index) => {
        await yieldIfDue()
        order.push(index)
        seen.add(turns)
      })
      await Promise.all(all)
      isOver = true
      await counting
      assert.equal(seen.size, count)
      assert.deepEqual(
        order,
        order.map((_, index) => index)
      )
    })

  test('a computation that yields again resumes after the waiting ones', async ({ assert }) => {
    const order: string[] = []
    function* steps(name: string) {
      for (let step = 0; step < 3; step++) {
        hold()
        order.push(`${name}${step}`)
        yield
      }
      return name
    }
    assert.deepEqual(await Promise.all([runYielding(steps('a')), runYielding(steps('b'))]), [
      'a',
      'b',
    ])
    assert.deepEqual(order, ['a0', 'b0', 'a1', 'b1', 'a2', 'b2'])
  })
})
