import { test } from '@japa/runner'
import { loggedError } from '#exceptions/logged_error'

const SECRET = 'a-secret'

test.group('exceptions / errors in the log', () => {
  const cases: [title: string, error: Error][] = [
    [
      'a request body',
      Object.assign(new SyntaxError('Unexpected end'), { body: SECRET, status: 400 }),
    ],
    ['headers', Object.assign(new Error('Refused'), { headers: { authorization: SECRET } })],
    ['a statement', Object.assign(new Error('Failed'), { sql: SECRET, bindings: [SECRET] })],
    ['data of a refusal', Object.assign(new Error('No'), { data: { key: SECRET } })],
    [
      'members of a cause',
      new Error('No', { cause: Object.assign(new Error('Why'), { body: SECRET }) }),
    ],
    ['an object as code', Object.assign(new Error('No'), { code: { body: SECRET } })],
  ]
  for (const [title, error] of cases) {
    test(`errors in the log have no ${title}`, ({ assert }) => {
      assert.notInclude(JSON.stringify(loggedError(error)), SECRET)
    })
  }

  test('errors in the log have type, message, code, stack and causes', ({ assert }) => {
    const cause = new RangeError('the cause')
    const error = Object.assign(new TypeError('the error', { cause }), { code: 'E_ODD' })
    const logged = loggedError(error) as Record<string, string>
    assert.deepEqual(Object.keys(logged), ['type', 'message', 'code', 'stack'])
    assert.deepEqual(
      [logged.type, logged.message, logged.code],
      ['TypeError', 'the error', 'E_ODD']
    )
    assert.match(logged.stack, /TypeError: the error[^]*caused by: RangeError: the cause/)
  })

  test('circular causes end, and long chains are truncated', ({ assert }) => {
    const error = new Error('x'.repeat(100_000))
    error.cause = error
    const logged = loggedError(error) as Record<string, string>
    assert.isBelow(JSON.stringify(logged).length, 12_000)
  })

  test('a value that is not an error stays unchanged', ({ assert }) => {
    assert.equal(loggedError('text'), 'text')
  })
})
