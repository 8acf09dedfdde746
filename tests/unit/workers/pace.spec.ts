import { test } from '@japa/runner'
import { Pace, STEADY_MS } from '#start/workers/pace'

test.group('Workers | pace of replacements', () => {
  test('a sound worker is replaced at once, whenever it ends', ({ assert }) => {
    const pace = new Pace()
    for (let i = 0; i < 10; i++) {
      assert.equal(pace.after(STEADY_MS + i), 0)
    }
    assert.isFalse(pace.isHopeless)
  })

  test('those that die soon are replaced ever more slowly, up to half a minute', ({ assert }) => {
    const pace = new Pace()
    const pauses = Array.from({ length: 7 }, () => pace.after(STEADY_MS - 1))
    assert.deepEqual(pauses, [1_000, 2_000, 4_000, 8_000, 16_000, 30_000, 30_000])
  })

  test('five in a row are hopeless, and a sound one in between begins anew', ({ assert }) => {
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
