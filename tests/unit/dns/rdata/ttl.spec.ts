import { test } from '@japa/runner'
import { ttl } from '#dns/rdata/ttl'

test.group('TTLs', () => {
  test('{$self} is a valid TTL')
    .with([0, 1, 3600, 2147483647])
    .run(({ assert }, value) => {
      assert.equal(ttl(value), value)
    })

  test('{$self} is not a valid TTL')
    .with([-1, 2147483648, 1.5, Number.NaN, Infinity])
    .run(({ assert }, value) => {
      assert.throws(() => ttl(value), /Field 'ttl': .* is not a TTL; allowed: 0 to 2147483647/)
    })
})
