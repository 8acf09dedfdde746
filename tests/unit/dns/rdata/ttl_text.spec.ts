import { test } from '@japa/runner'
import fc from 'fast-check'
import { InvalidDns } from '#dns/errors'
import { parseTtl, printTtl } from '#dns/rdata/ttl_text'
import { LAW_RUNS } from '#tests/unit/dns/support/law_runs'

test.group('TTLs as text', () => {
  test('{0} is {1} seconds')
    .with([
      ['0', 0],
      ['3600', 3600],
      ['0000003600', 3600],
      ['2147483647', 2147483647],
      ['1h', 3600],
      ['1H30M', 5400],
      ['1W', 604800],
      ['30m1h', 5400],
      ['1w2d3h4m5s', 788645],
      ['0s', 0],
      ['90m', 5400],
      ['3550w5d3h14m7s', 2147483647],
    ] as [string, number][])
    .run(({ assert }, [text, seconds]) => {
      assert.equal(parseTtl(text), seconds)
    })

  test('{$self} is not a TTL')
    .with([
      '',
      ' 1h',
      '1h ',
      '1 h',
      '-1',
      '+1',
      '1.5h',
      '1h30',
      '1h1h',
      '1y',
      'h',
      '1hm',
      '1e3',
      '0x10',
      '2147483648',
      '3551w',
      '9999999999w',
      '99999999999',
      '１h',
      '1h'.repeat(5000),
      'default',
    ])
    .run(({ assert }, text) => {
      assert.throws(() => parseTtl(text), /Field 'ttl': .* is not a TTL; allowed: 0 to 2147483647/)
    })

  test('{0} seconds are written as {1}')
    .with([
      [0, '0'],
      [1, '1s'],
      [60, '1m'],
      [3600, '1h'],
      [5400, '1h30m'],
      [86400, '1d'],
      [86401, '1d1s'],
      [604800, '1w'],
      [2147483647, '3550w5d3h14m7s'],
    ] as [number, string][])
    .run(({ assert }, [seconds, text]) => {
      assert.equal(printTtl(seconds), text)
    })

  test('an invalid TTL throws: {$self}')
    .with([-1, 1.5, Number.NaN, 2147483648])
    .run(({ assert }, seconds) => {
      assert.throws(() => printTtl(seconds), /is not a TTL/)
    })

  test('parsing the printed text gives the same TTL', ({ assert }) => {
    const ttl = fc.oneof(fc.nat(2147483647), fc.nat(700000))
    const law = fc.property(ttl, (seconds) => {
      assert.equal(parseTtl(printTtl(seconds)), seconds)
      assert.equal(parseTtl(String(seconds)), seconds)
      assert.equal(parseTtl(printTtl(seconds).toUpperCase()), seconds)
    })
    fc.assert(law, LAW_RUNS)
  })

  test('any text is either refused or a TTL', ({ assert }) => {
    const part = fc.oneof(fc.nat(5000).map(String), fc.constantFrom(...'wdhmsWS -.'))
    const text = fc.oneof(
      fc.string(),
      fc.array(part).map((parts) => parts.join(''))
    )
    const law = fc.property(text, (given) => {
      try {
        const seconds = parseTtl(given)
        assert.equal(parseTtl(printTtl(seconds)), seconds)
      } catch (error) {
        assert.instanceOf(error, InvalidDns)
      }
    })
    fc.assert(law, LAW_RUNS)
  })
})
