import { test } from '@japa/runner'
import { RestartPause as Pace, STEADY_MS } from '#start/workers/pace'

test.group('Workers | pace of replacements', () => {
  test('a worker that ran long is replaced at once', ({ assert }) => {
    const pace = new Pace()
    for (let i = 0; i < 10; i++) {
      assert.equal(pace.after(STEADY_MS + i), 0)
    }
    assert.isFalse(pace.isHopeless)
  })

  test('workers that end early are replaced more slowly, up to half a minute', ({ assert }) => {
    const pace = new Pace()
    const pauses = Array.from({ length: 7 }, () => pace.after(STEADY_MS - 1))
    assert.deepEqual(pauses, [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000])
  })

  test('five early ends in a row are hopeless, and a longer run resets the count', ({ assert }) => {
    const pace = new Pace()
    const die = (times: number) => Array.from({ length: times }, () => pace.after(0))
    die(4)
    assert.isFalse(pace.isHopeless)
    pace.after(STEADY_MS)
    die(4)
    assert.isFalse(pace.isHopeless)
    die(1)
    assert.isTrue(pace.isHopeless)
    pace.after(STEADY_MS)
    assert.isFalse(pace.isHopeless)
    assert.equal(pace.after(0), 1_000)
  })
})
