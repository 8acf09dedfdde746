import { test } from '@japa/runner'
import { setting } from '#settings/builders'
import { fromEnv, fromFile } from '#tests/unit/settings/helpers'

const refused = (found: string, allowed: string) => ({
  file: `demo.it: found ${found} in /etc/zw.json, allowed: ${allowed}`,
  env: `demo.it: found ${found} in environment variable DEMO_IT, allowed: ${allowed}`,
})

test.group('Settings | boolean', () => {
  const it = setting.boolean(false, 'help')

  test('a variable accepts the usual words for true and false, in either case', ({ assert }) => {
    for (const text of ['true', '1', 'yes', 'on', 'TRUE', 'On']) assert.isTrue(fromEnv(it, text))
    const yes = setting.boolean(true, 'help')
    for (const text of ['false', '0', 'no', 'off', 'No']) assert.isFalse(fromEnv(yes, text))
  })

  test('the file accepts true and false only', ({ assert }) => {
    assert.isTrue(fromFile(it, true))
    const allowed = 'boolean, true or false'
    assert.equal(fromFile(it, 'true'), refused('"true"', allowed).file)
    assert.equal(fromFile(it, 1), refused('1', allowed).file)
    assert.equal(fromFile(it, null), refused('null', allowed).file)
    assert.equal(fromEnv(it, 'maybe'), refused('"maybe"', allowed).env)
  })
})

test.group('Settings | integer and number', () => {
  const integer = setting.integer(5, { min: 0, max: 10, unit: 'keys' }, 'help')
  const number = setting.number(2, { min: 0.1, max: 60, unit: 'seconds' }, 'help')

  test('integers are decimal and within both limits', ({ assert }) => {
    assert.equal(fromFile(integer, 0), 0)
    assert.equal(fromFile(integer, 10), 10)
    assert.equal(fromEnv(integer, '7'), 7)
    const allowed = 'integer, 0..10 keys'
    for (const value of [11, -1, 1.5, '7', null, true, [7], Infinity]) {
      assert.equal(fromFile(integer, value), refused(JSON.stringify(value), allowed).file)
    }
    for (const text of ['07', '0x7', '1e1', '7.0', ' 7', '+7', '11', '1_0']) {
      assert.equal(fromEnv(integer, text), refused(JSON.stringify(text), allowed).env)
    }
  })

  test('numbers may have a fraction', ({ assert }) => {
    assert.equal(fromFile(number, 0.5), 0.5)
    assert.equal(fromEnv(number, '0.5'), 0.5)
    assert.equal(fromEnv(number, '60'), 60)
    const allowed = 'number, 0.1..60 seconds'
    for (const text of ['.5', '5.', '0', '1e1', 'NaN']) {
      assert.equal(fromEnv(number, text), refused(JSON.stringify(text), allowed).env)
    }
  })

  test('a limit may be missing', ({ assert }) => {
    const atLeast = setting.integer(1, { min: 1 }, 'help')
    assert.equal(fromFile(atLeast, 1_000_000), 1_000_000)
    assert.equal(fromFile(atLeast, 0), refused('0', 'integer, at least 1').file)
    assert.equal(fromFile(setting.integer(1, {}, 'help'), 1.5), refused('1.5', 'integer').file)
  })

  test('minus zero is zero', ({ assert }) => {
    assert.isTrue(Object.is(fromEnv(integer, '-0'), 0))
  })

  test('a nullable integer accepts null from the file and an empty variable', ({ assert }) => {
    const it = setting.integer(3, { min: 0, nullable: true }, 'help')
    assert.isNull(fromFile(it, null))
    assert.isNull(fromEnv(it, ''))
    assert.equal(fromEnv(it, '4'), 4)
    assert.equal(fromFile(it, 'x'), refused('"x"', 'integer or null, at least 0').file)
  })
})

test.group('Settings | string, secret and URL', () => {
  test('strings may be empty and match their pattern', ({ assert }) => {
    assert.equal(fromEnv(setting.string('x', {}, 'help'), ''), '')
    const it = setting.string('abc', { pattern: /^[a-z]+$/, says: 'small letters' }, 'help')
    assert.equal(fromFile(it, 'xyz'), 'xyz')
    assert.equal(fromFile(it, 'X'), refused('"X"', 'string, small letters').file)
    assert.equal(fromFile(it, 5), refused('5', 'string, small letters').file)
    assert.equal(fromEnv(it, ''), refused('""', 'string, small letters').env)
  })

  test('a nullable string is null for null and for an empty variable', ({ assert }) => {
    const it = setting.string(null, { nullable: true }, 'help')
    assert.isNull(fromFile(setting.string('x', { nullable: true }, 'help'), null))
    assert.isNull(fromEnv(it, ''))
    assert.equal(fromEnv(it, 'x'), 'x')
  })

  test('an invalid secret is masked in the error', ({ assert }) => {
    const it = setting.secret('', 'help')
    assert.equal(fromEnv(it, 'hunter2'), 'hunter2')
    assert.equal(fromFile(it, 4711), refused('********', 'secret string').file)
  })

  test('trailing slashes of a URL are removed', ({ assert }) => {
    const it = setting.url('', 'help')
    assert.equal(fromFile(it, 'http://127.0.0.1:8081//'), 'http://127.0.0.1:8081')
    assert.equal(fromEnv(it, 'https://pdns.example/sub/'), 'https://pdns.example/sub')
    assert.equal(fromEnv(it, ''), '')
  })

  test('a URL must be http or https, without credentials, query and fragment', ({ assert }) => {
    const it = setting.url('', 'help')
    const bad = ['ftp://x', 'localhost:8081', 'http://', 'http:///', 'http://x?a', 'http://x#a']
    for (const text of [...bad, 'http://a b', 'http://x:99999']) {
      assert.include(fromEnv(it, text) as string, `found ${JSON.stringify(text)} in`)
    }
    const problem = fromEnv(it, 'http://joe:hunter2@x') as string
    assert.include(problem, 'found "http://********@x" in')
    assert.notInclude(problem, 'hunter2')
  })
})

test.group('Settings | choice and list', () => {
  test('a choice is case-sensitive', ({ assert }) => {
    const it = setting.choice('sql', { choices: ['sql', 'api'] }, 'help')
    assert.equal(fromEnv(it, 'api'), 'api')
    const allowed = 'choice, one of sql, api'
    assert.equal(fromFile(it, 'SQL'), refused('"SQL"', allowed).file)
    assert.equal(fromFile(it, null), refused('null', allowed).file)
    assert.equal(fromEnv(it, ''), 'sql', 'empty is not set')
  })

  test('the empty text can be a choice', ({ assert }) => {
    const it = setting.choice('A', { choices: ['', 'A'] }, 'help')
    assert.equal(fromEnv(it, ''), '')
    assert.equal(fromFile(it, 'B'), refused('"B"', "choice, one of '', A").file)
  })

  test("JSON's null can be a choice", ({ assert }) => {
    const options = { choices: ['null', 'native'], nullMeans: 'null' } as const
    assert.equal(fromFile(setting.choice('native', options, 'help'), null), 'null')
  })

  test('a list is comma separated or a JSON array', ({ assert }) => {
    const it = setting.stringList([], {}, 'help')
    assert.deepEqual(fromEnv(it, 'a, b,c'), ['a', 'b', 'c'])
    assert.deepEqual(fromEnv(it, '["a,b"]'), ['a,b'])
    assert.deepEqual(fromEnv(it, '[]'), [])
    assert.deepEqual(fromFile(it, ['a']), ['a'])
    const allowed = 'list of strings, each once'
    for (const text of ['a,,b', '[1]', '["a"', 'a,a']) {
      assert.equal(fromEnv(it, text), refused(JSON.stringify(text), allowed).env)
    }
    for (const value of ['a', [1], { 0: 'a' }, null]) {
      const problem = fromFile(it, value) as string
      assert.include(problem, 'demo.it')
    }
  })

  test('a list may be nullable and limited to choices', ({ assert }) => {
    const options = { choices: ['A', 'B'], nullable: true } as const
    const it = setting.stringList(['A'], options, 'help')
    assert.isNull(fromFile(it, null))
    assert.isNull(fromEnv(it, ''))
    assert.deepEqual(fromEnv(it, 'B,A'), ['B', 'A'])
    const allowed = 'list of strings or null, each once, of A, B'
    assert.equal(fromFile(it, ['C']), refused('["C"]', allowed).file)
  })

  test('each text of a list can be validated', ({ assert }) => {
    const it = setting.stringList(
      [],
      { isItem: (text) => /^\d+$/.test(text), says: 'digits' },
      'help'
    )
    assert.deepEqual(fromEnv(it, '1,22'), ['1', '22'])
    const allowed = 'list of strings, each once, digits'
    assert.equal(fromEnv(it, '1,x'), refused('"1,x"', allowed).env)
    assert.equal(fromFile(it, ['']), refused('[""]', allowed).file)
  })
})

test('a default outside of its limits is a programming error', ({ assert }) => {
  assert.throws(
    () => setting.integer(0, { min: 1 }, 'help'),
    'Default 0, allowed: integer, at least 1'
  )
})
