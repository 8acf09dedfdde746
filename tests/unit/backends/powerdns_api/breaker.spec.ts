import { test } from '@japa/runner'
import { CircuitBreaker } from '#backends/powerdns_api/breaker'

test.group('Circuit breaker', () => {
  test('opens after failures in a row, and lets one call through after the pause', ({ assert }) => {
    let now = 0
    const breaker = new CircuitBreaker({ failures: 3, pauseMs: 100 }, () => now)
    breaker.failed()
    breaker.failed()
    breaker.answered()
    breaker.failed()
    breaker.failed()
    assert.isTrue(breaker.admit())
    breaker.failed()
    assert.isFalse(breaker.admit())
    assert.isTrue(breaker.isOpen)

    now = 100
    assert.isTrue(breaker.admit())
    assert.isFalse(breaker.admit())
    breaker.failed()
    assert.isFalse(breaker.admit())
    now = 200
    assert.isTrue(breaker.admit())
    breaker.released()
    assert.isTrue(breaker.admit())
    breaker.answered()
    assert.isFalse(breaker.isOpen)
    assert.isTrue(breaker.admit())
    assert.isTrue(breaker.admit())
  })
})
