import { test } from '@japa/runner'
import { timeAfter } from '#changes/journal/time_index'

const at = (time: string) => `2026-11-23T${time}Z`
const LAST = at('10:00:00.000')

test.group('Time of a journal entry', () => {
  test('the time of an entry is the current time', ({ assert }) => {
    const now = at('10:00:00.001')
    assert.deepEqual(timeAfter(LAST, now), { time: now, isClockSetBack: false })
    assert.deepEqual(timeAfter(null, now), { time: now, isClockSetBack: false })
  })

  test('the time of the previous entry is used if clocks differ by less than a minute', ({
    assert,
  }) => {
    for (const now of [LAST, at('09:59:59.999'), at('09:59:00.000')]) {
      assert.deepEqual(timeAfter(LAST, now), { time: LAST, isClockSetBack: false })
    }
  })

  test('the current time is used with a warning if the clock was set back', ({ assert }) => {
    const now = at('09:58:59.999')
    assert.deepEqual(timeAfter(LAST, now), { time: now, isClockSetBack: true })
  })
})
