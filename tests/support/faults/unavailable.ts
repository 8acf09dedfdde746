import type { Assert } from '@japa/assert'
import env from '#support/env'
import { type Answer, type ApiCalls, envelopeOf } from '#tests/support/faults/api_calls'

/** Details of a database failure that a caller must not see. */
const CAUSES =
  /select|insert|update|delete|begin|commit|127\.0\.0\.1|localhost|econn|etimedout|sqlite|postgres|mysql|maria|knex|pool|connection|timeout|\.[jt]s\b|node_modules|\n\s+at |errno|stack/i

/** Asserts a 503 in the API's envelope that does not reveal the cause. */
export function assertUnavailable(assert: Assert, answer: Answer): void {
  assert.equal(answer.status, 503, `${answer.text} after ${Math.round(answer.milliseconds)} ms`)
  assert.match(answer.contentType, /^application\/json/)
  const { success, data, message } = envelopeOf(answer)
  assert.deepEqual([success, data, typeof message], [false, null, 'string'])
  assert.notMatch(answer.text, CAUSES)
  for (const variable of ['DB_DATABASE', 'DB_USER', 'DB_FILE'] as const) {
    const secret = env.get(variable)
    if (secret) {
      assert.notInclude(answer.text, secret)
    }
  }
}

/** Asserts that the liveness check succeeds, and that the health check reports the failed database within `seconds`. */
export async function assertDown(assert: Assert, api: ApiCalls, seconds: number): Promise<void> {
  const ping = await api.call('GET', '/ping')
  assert.deepEqual([ping.status, ping.text], [200, 'ok'])
  const health = await api.call('GET', '/api/health')
  assert.equal(health.status, 503)
  assert.deepEqual(JSON.parse(health.text), {
    status: 'error',
    checks: { database: 'down', pdns_api: 'skipped' },
  })
  assert.isBelow(health.milliseconds, seconds * 1000)
}
