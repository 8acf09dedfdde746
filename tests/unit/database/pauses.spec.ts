import { performance } from 'node:perf_hooks'
import { setImmediate as turn } from 'node:timers/promises'
import { test } from '@japa/runner'
import { inTurns, pause } from '#database/pauses'

/** Holds the event loop for longer than a slice. */
function hold(): void {
  const end = performance.now() + 12
  while (performance.now() < end);
}

test.group('Pauses', () => {
  test('{$self} computations that pause at once go on in as many turns, in their order')
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
        await pause()
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

  test('a computation that pauses again goes behind those that wait', async ({ assert }) => {
    const order: string[] = []
    function* steps(name: string) {
      for (let step = 0; step < 3; step++) {
        hold()
        order.push(`${name}${step}`)
        yield
      }
      return name
    }
    assert.deepEqual(await Promise.all([inTurns(steps('a')), inTurns(steps('b'))]), ['a', 'b'])
    assert.deepEqual(order, ['a0', 'b0', 'a1', 'b1', 'a2', 'b2'])
  })
})
