import { setTimeout as sleep } from 'node:timers/promises'
import { test } from '@japa/runner'
import { inTurn } from '#zones/dnssec/queue'

const LIMITS = { waitMs: 50, most: 3 }

test.group('Turns of changes of signing', () => {
  test('follow each other for one zone, whatever becomes of them', async ({ assert }) => {
    const done: string[] = []
    const work = (name: string, ms: number) => async () => {
      await sleep(ms)
      done.push(name)
      return name
    }
    const outcomes = await Promise.allSettled([
      inTurn(1, work('a', 20)),
      inTurn(1, () => Promise.reject(new Error('no'))),
      inTurn(1, work('b', 0)),
      inTurn(2, work('c', 0)),
    ])
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled', 'fulfilled']
    )
    assert.deepEqual(done, ['c', 'a', 'b'])
  })

  test('who waits for too long is not begun, nor is who comes when too many wait', async ({
    assert,
  }) => {
    const begun: string[] = []
    const first = inTurn(3, () => sleep(150), LIMITS)
    const late = (name: string) =>
      inTurn(3, async () => void begun.push(name), LIMITS).then(
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
