import { test } from '@japa/runner'
import { backoffMs, MAX_BACKOFF_MS } from '#background/backoff'

test.group('Backoff between attempts', () => {
  test('the backoff doubles from two seconds to an hour', ({ assert }) => {
    const whole = [1, 2, 3, 4, 5, 11, 12, 13, 2000].map((failures) => backoffMs(failures, () => 1))
    const seconds = [2, 4, 8, 16, 32, 2048, 3600, 3600, 3600]
    assert.deepEqual(
      whole,
      seconds.map((each) => each * 1000)
    )
  })

  test('the backoff is random between half and the full time', ({ assert }) => {
    assert.equal(
      backoffMs(5, () => 0),
      16_000
    )
    const pauses = Array.from({ length: 200 }, () => backoffMs(30))
    assert.isAbove(new Set(pauses).size, 100)
    for (const pause of pauses) {
      assert.isAtLeast(pause, MAX_BACKOFF_MS / 2)
      assert.isAtMost(pause, MAX_BACKOFF_MS)
    }
  })
})
