import { test } from '@japa/runner'
import fc from 'fast-check'
import { nextSerial, serialIsNewer } from '#dns/rdata/serial'
import { LAW_RUNS } from '#tests/unit/dns/support/law_runs'

test.group('properties of serials', () => {
  test('a serial never decreases, except from 1979999999', ({ assert }) => {
    const instant = fc.date({
      min: new Date('1990-01-01'),
      max: new Date('2199-12-31'),
      noInvalidDate: true,
    })
    const serial = fc.oneof(
      fc.integer({ min: 1, max: 4294967295 }),
      fc.integer({ min: 1980000000, max: 2200000000 }),
      fc.integer({ min: 19800000, max: 42949672 }).map((date) => date * 100 + 95)
    )
    const law = fc.property(serial, instant, fc.nat(10), (start, date, steps) => {
      const today = {
        year: date.getUTCFullYear(),
        month: date.getUTCMonth() + 1,
        day: date.getUTCDate(),
      }
      let current = start
      for (let step = 0; step <= steps && current !== 1979999999; step++) {
        const next = nextSerial(current, today)
        assert.isTrue(serialIsNewer(next, current), `${current} -> ${next}`)
        assert.isAtMost(next, 4294967295)
        current = next
      }
    })
    fc.assert(law, LAW_RUNS)
  })
})
