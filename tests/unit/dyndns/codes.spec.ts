import { test } from '@japa/runner'
import { lineOf, SENTENCES, statusOfCodes, type Code } from '#controllers/dyndns/codes'

const CODES = Object.keys(SENTENCES) as Code[]
/** Substrings that clients treat as a success anywhere in a response. */
const SUCCESS = ['good', 'nochg', 'ok', 'true', 'updated', 'success']

test.group('Response codes of dynamic DNS', () => {
  test('no failure contains a word that clients take for a success', ({ assert }) => {
    const failures = CODES.filter((code) => code !== 'good' && code !== 'nochg')
    for (const code of failures) {
      for (const line of [lineOf(code, '192.0.2.1', false), lineOf(code, '192.0.2.1', true)]) {
        assert.isEmpty(
          SUCCESS.filter((word) => line.toLowerCase().includes(word)),
          line
        )
      }
      assert.equal(lineOf(code, '192.0.2.1', false), code)
    }
  })

  test('success codes contain the address', ({ assert }) => {
    assert.equal(lineOf('good', '192.0.2.1', false), 'good 192.0.2.1')
    assert.equal(lineOf('nochg', '2001:db8::1', false), 'nochg 2001:db8::1')
    assert.equal(lineOf('good', undefined, false), 'good')
  })

  test('the status is 200, or an error status for clients that do not read bodies', ({
    assert,
  }) => {
    for (const code of CODES) {
      assert.equal(statusOfCodes([code], 'compat'), 200)
    }
    const strict = Object.fromEntries(CODES.map((code) => [code, statusOfCodes([code], 'strict')]))
    assert.deepInclude(strict, { 'badauth': 401, '911': 503, 'abuse': 503 })
    assert.deepInclude(strict, { 'good': 200, 'nochg': 200, 'nohost': 200, '!yours': 200 })
    assert.equal(statusOfCodes(['good', 'abuse'], 'strict'), 503)
  })
})
