import { test } from '@japa/runner'
import { base32, keyUri, stepAt, stepOfCode, totpCode } from '#accounts/second_factor/totp'

/** RFC 6238, appendix B, for SHA-1: the last six of the eight digits. */
const VECTORS: [seconds: number, code: string][] = [
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
]

const SECRET = Buffer.from('12345678901234567890')

test.group('TOTP codes', () => {
  test('codes match RFC 6238', ({ assert }) => {
    for (const [seconds, code] of VECTORS) {
      assert.equal(totpCode(SECRET, stepAt(seconds * 1000)), code)
    }
  })

  test('a code of one step before or after is accepted once, of two steps never', ({ assert }) => {
    const now = 1_234_567_890_000
    const step = stepAt(now)
    const outcomes = [-2, -1, 0, 1, 2].map((drift) =>
      stepOfCode(SECRET, totpCode(SECRET, step + drift), { now, lastStep: 0 })
    )
    assert.deepEqual(outcomes, [null, step - 1, step, step + 1, null])
    assert.isNull(stepOfCode(SECRET, totpCode(SECRET, step), { now, lastStep: step }))
    assert.equal(stepOfCode(SECRET, ' 005 924 ', { now, lastStep: 0 }), step)
    for (const wrong of ['', '5924', '0059240', 'abcdef', '００５９２４']) {
      assert.isNull(stepOfCode(SECRET, wrong, { now, lastStep: 0 }))
    }
  })

  test('secrets are base32 without padding', ({ assert }) => {
    // RFC 4648, section 10.
    assert.equal(base32(Buffer.from('foobar')), 'MZXW6YTBOI')
    assert.equal(base32(SECRET), 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
    assert.equal(
      keyUri(SECRET, { issuer: 'Zone wright', account: 'a:n' }),
      'otpauth://totp/Zone%20wright:a%3An?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=Zone%20wright'
    )
  })
})
