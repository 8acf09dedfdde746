import { test } from '@japa/runner'
import { CircuitBreaker, type CallPermit } from '#backends/powerdns_api/http/circuit_breaker'

function breakerAt(now: () => number) {
  const breaker = new CircuitBreaker({ failures: 3, pauseMs: 100 }, now)
  const admitted = (): CallPermit => {
    const pass = breaker.admit()
    if (pass === null) {
      throw new Error('not admitted')
    }
    return pass
  }
  return { breaker, admitted, fail: () => breaker.recordFailure(admitted()) }
}

test.group('Circuit breaker', () => {
  test('the breaker opens after consecutive failures, and allows one call after the pause', ({
    assert,
  }) => {
    let now = 0
    const { breaker, admitted, fail } = breakerAt(() => now)
    fail()
    fail()
    breaker.recordAnswer()
    fail()
    fail()
    fail()
    assert.isNull(breaker.admit())
    assert.isTrue(breaker.isOpen)

    now = 100
    const probe = admitted()
    assert.isNull(breaker.admit())
    breaker.recordFailure(probe)
    assert.isNull(breaker.admit())
    now = 200
    breaker.release(admitted())
    admitted()
    breaker.recordAnswer()
    assert.isFalse(breaker.isOpen)
    admitted()
    admitted()
  })

  test('calls that started before it opened neither end a probe nor keep it open', ({ assert }) => {
    let now = 0
    const { breaker, admitted, fail } = breakerAt(() => now)
    const old = [admitted(), admitted(), admitted()]
    fail()
    fail()
    fail()
    now = 90
    breaker.recordFailure(old[0])
    now = 100
    admitted()
    breaker.recordFailure(old[1])
    breaker.release(old[2])
    assert.isNull(breaker.admit())
  })
})
