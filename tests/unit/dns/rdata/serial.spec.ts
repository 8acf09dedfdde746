import { test } from '@japa/runner'
import { firstSerial, nextSerial, serialIsNewer } from '#dns/rdata/serial'

const day = (year: number, month: number, date: number) => ({ year, month, day: date })
const TODAY = day(2026, 2, 14)

test.group('serials', () => {
  test('after {0}: {1} ({2})')
    .with([
      [0, 0, 'left to the name server'],
      [1, 2, 'a counter'],
      [42, 43, 'a counter'],
      [1979999998, 1979999999, 'the last counter but one'],
      [1979999999, 1, 'the last counter'],
      [1980000000, 2026021400, 'an old date'],
      [2026021300, 2026021400, 'yesterday'],
      [2026021399, 2026021400, 'yesterday, full'],
      [2026021400, 2026021401, 'today'],
      [2026021498, 2026021499, 'today'],
      [2026021499, 2026021500, 'today, full'],
      [2026022899, 2026030100, 'full at the end of February'],
      [2028022899, 2028022900, 'full in a leap year'],
      [2028022999, 2028030100, 'full on the leap day'],
      [2100022899, 2100030100, 'no leap year'],
      [2026043099, 2026050100, 'full at the end of April'],
      [2026123199, 2027010100, 'full at the end of the year'],
      [2027010105, 2027010106, 'the future'],
      [2026134500, 2026134501, 'no date, ahead'],
      [2026134599, 2026134600, 'no date, ahead, full'],
      [2026000099, 2026021400, 'no date, behind'],
      [2026023199, 2026023200, 'no date, ahead, full'],
      [4294967294, 4294967295, 'the last but one'],
      [4294967295, 1, 'the last'],
      [4294123199, 1, 'the last day that fits'],
    ] as [number, number, string][])
    .run(({ assert }, [current, next]) => {
      assert.equal(nextSerial(current, TODAY), next)
    })

  test('{$self} is not a serial')
    .with([-1, 4294967296, 0.5, Number.NaN])
    .run(({ assert }, value) => {
      assert.throws(() => nextSerial(value, TODAY), /Field 'serial'/)
    })

  test('a new zone has the first serial of the day', ({ assert }) => {
    assert.equal(firstSerial(day(2026, 1, 5)), 2026010500)
    assert.equal(firstSerial(day(2026, 12, 31)), 2026123100)
  })

  test('serials are compared with serial number arithmetic', ({ assert }) => {
    assert.isTrue(serialIsNewer(2, 1))
    assert.isFalse(serialIsNewer(1, 2))
    assert.isFalse(serialIsNewer(1, 1))
    assert.isTrue(serialIsNewer(0, 4294967295))
    assert.isTrue(serialIsNewer(1, 4294967295))
    assert.isFalse(serialIsNewer(4294967295, 1))
    assert.isFalse(serialIsNewer(2147483648, 0))
    assert.isFalse(serialIsNewer(0, 2147483648))
  })
})
