import { test } from '@japa/runner'
import { setting } from '#settings/builders'
import { declare, nest } from '#settings/declarations'
import { resolveDemo } from '#tests/unit/settings/helpers'

const declarations = {
  on: setting.boolean(false, 'help'),
  count: setting.integer(1, { min: 0, max: 9 }, 'help'),
  inner: { names: setting.stringList(['a'], {}, 'help') },
}

function valuesOf(sources: Parameters<typeof resolveDemo>[1]) {
  const { settings } = resolveDemo(declarations, sources)
  return Object.fromEntries(settings.map(({ key, value, source }) => [key, [value, source]]))
}

test.group('Settings | resolve', () => {
  test('keys are dotted and variables are their upper case with underscores', ({ assert }) => {
    assert.deepEqual(
      declare('security', { account_lockout: { enable_lockout: declarations.on } }).map(
        ({ key, variable, section }) => [key, variable, section]
      ),
      [
        [
          'security.account_lockout.enable_lockout',
          'SECURITY_ACCOUNT_LOCKOUT_ENABLE_LOCKOUT',
          'security',
        ],
      ]
    )
  })

  test('without file and environment each setting has its default', ({ assert }) => {
    assert.deepEqual(valuesOf({}), {
      'demo.on': [false, 'default'],
      'demo.count': [1, 'default'],
      'demo.inner.names': [['a'], 'default'],
    })
  })

  test('the file overrides the default, and the environment overrides the file', ({ assert }) => {
    const sources = { file: { demo: { on: true, count: 2 } }, env: { DEMO_COUNT: '3' } }
    const values = valuesOf(sources)
    assert.deepEqual(values['demo.on'], [true, 'file /etc/zw.json'])
    assert.deepEqual(values['demo.count'], [3, 'environment DEMO_COUNT'])
    assert.deepEqual(values['demo.inner.names'], [['a'], 'default'])
  })

  test('keys of the file may be nested or dotted, also in parts', ({ assert }) => {
    for (const file of [
      { demo: { inner: { names: ['z'] } } },
      { 'demo.inner.names': ['z'] },
      { 'demo.inner': { names: ['z'] } },
      { demo: { 'inner.names': ['z'] } },
    ]) {
      assert.deepEqual(valuesOf({ file })['demo.inner.names'], [['z'], 'file /etc/zw.json'])
    }
  })

  test('a duplicate key of the file is refused', ({ assert }) => {
    const file = { 'demo.on': true, 'demo': { on: false } }
    assert.deepEqual(resolveDemo(declarations, { file }).problems, [
      'demo.on: found 2 times in /etc/zw.json, allowed: once',
    ])
  })

  test('all problems are reported, also of a file value that the environment overrides', ({
    assert,
  }) => {
    const file = { demo: { on: 'yes', count: 99 } }
    const { settings, problems } = resolveDemo(declarations, { file, env: { DEMO_COUNT: '5' } })
    assert.deepEqual(problems, [
      'demo.on: found "yes" in /etc/zw.json, allowed: boolean, true or false',
      'demo.count: found 99 in /etc/zw.json, allowed: integer, 0..9',
    ])
    assert.deepEqual(
      settings.map(({ value }) => value),
      [false, 5, ['a']]
    )
  })

  test('an empty variable counts as unset, except for strings', ({ assert }) => {
    const sources = { file: { demo: { count: 2 } }, env: { DEMO_COUNT: '', DEMO_ON: '' } }
    const values = valuesOf(sources)
    assert.deepEqual(values['demo.count'], [2, 'file /etc/zw.json'])
    assert.deepEqual(values['demo.on'], [false, 'default'])
  })

  test('a problem is one printable line, for any value', ({ assert }) => {
    const value = `a\n\u2028\u202E\u0085${'x'.repeat(500)}`
    const [problem] = resolveDemo(declarations, { env: { DEMO_ON: value } }).problems
    assert.notMatch(problem, /[\n\u2028\u202E\u0085]/)
    assert.isBelow(problem.length, 200)
  })

  test('the result is frozen at every level', ({ assert }) => {
    const { settings } = resolveDemo(declarations, { env: { DEMO_INNER_NAMES: 'x,y' } })
    const values = new Map(settings.map(({ key, value }) => [key, value]))
    const result = nest('demo', declarations, (key) => () => values.get(key))
    assert.deepEqual(result, { on: false, count: 1, inner: { names: ['x', 'y'] } })
    assert.isFrozen(result)
    assert.isFrozen(result.inner)
    assert.isFrozen(result.inner.names)
    assert.isFrozen(declarations.inner.names.fallback)
  })
})
