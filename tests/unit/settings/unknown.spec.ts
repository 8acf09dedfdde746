import { test } from '@japa/runner'
import { setting } from '#settings/builders'
import { editDistance, nearest } from '#settings/nearest'
import { registryOf } from '#tests/unit/settings/helpers'

const on = setting.boolean(false, 'help')
const sections = {
  api: { enabled: on, max_keys_per_user: setting.integer(5, {}, 'help') },
  dns: { ttl: setting.integer(1, {}, 'help'), inner: { deep: on } },
  pdns_api: { url: setting.url('', 'help'), key: setting.secret('', 'help') },
}

const problemsOf = (file: unknown, env = {}) => registryOf(sections, { file, env }).problems()

test.group('Settings | unknown keys of the file', () => {
  test('a mistyped key is reported with a suggestion and the allowed keys', ({ assert }) => {
    assert.deepEqual(problemsOf({ api: { enabeld: true } }), [
      'api.enabeld: found an unknown key in /etc/zw.json (did you mean api.enabled?), allowed: api.enabled, api.max_keys_per_user',
    ])
  })

  test('each key of an unknown section is reported', ({ assert }) => {
    assert.deepEqual(problemsOf({ web: { a: 1, b: { c: 2 } }, empty: {} }), [
      'web.a: found an unknown key in /etc/zw.json, allowed: sections api, dns, pdns_api',
      'web.b.c: found an unknown key in /etc/zw.json, allowed: sections api, dns, pdns_api',
      'empty: found an unknown key in /etc/zw.json, allowed: sections api, dns, pdns_api',
    ])
  })

  test('a section must be an object', ({ assert }) => {
    const end = 'in /etc/zw.json, allowed: an object with dns.ttl, dns.inner.deep'
    assert.deepEqual(problemsOf({ dns: null }), [`dns: found null ${end}`])
    assert.deepEqual(problemsOf({ dns: [1] }), [`dns: found [] ${end}`])
    assert.deepEqual(problemsOf({ dns: {} }), [])
    assert.lengthOf(problemsOf({ dns: { inner: true } }), 1)
  })

  test('a key below a setting is an invalid value of the setting', ({ assert }) => {
    assert.deepEqual(problemsOf({ api: { enabled: { x: 1 } } }), [
      'api.enabled: found {"x":1} in /etc/zw.json, allowed: boolean, true or false',
    ])
  })

  test('the value of an unknown key is not shown', ({ assert }) => {
    const [problem] = problemsOf({ pdns_api: { kye: 'hunter2' } })
    assert.include(problem, 'did you mean pdns_api.key?')
    assert.notInclude(problem, 'hunter2')
  })

  test('odd keys break neither the line nor a prototype', ({ assert }) => {
    const file: unknown = JSON.parse('{"a\\nb":1,"__proto__":{"enabled":true},"constructor":1}')
    const problems = problemsOf(file)
    assert.lengthOf(problems, 3)
    assert.isTrue(problems[0].startsWith('"a\\nb": found an unknown key'))
    assert.isTrue(problems[1].startsWith('__proto__.enabled: found an unknown key'))
  })
})

test.group('Settings | variables that look like a setting', () => {
  test('a variable with one or two typos of a setting is refused', ({ assert }) => {
    assert.deepEqual(problemsOf({}, { API_ENABELD: 'true' }), [
      'API_ENABELD: found an unknown variable in the environment, allowed: API_ENABLED',
    ])
    assert.lengthOf(problemsOf({}, { API_ENABL: '' }), 1)
    assert.lengthOf(problemsOf({}, { DNS_TLT: '1', PDNS_API_KEYS: 'hunter2' }), 2)
    assert.notInclude(problemsOf({}, { PDNS_API_KEYS: 'hunter2' })[0], 'hunter2')
  })

  test('other variables do not prevent a start', ({ assert }) => {
    const env = {
      API_TOKEN: 'x',
      API_URL: 'x',
      DNS_URL: 'x',
      DNS_SERVER: 'x',
      PDNS_API_PORT: 'x',
      XPI_ENABLED: 'x',
      PATH: 'x',
    }
    assert.deepEqual(problemsOf({}, env), [])
  })

  test('typos are insertions, deletions, replacements and swaps', ({ assert }) => {
    assert.equal(editDistance('abc', 'abc'), 0)
    assert.equal(editDistance('abc', 'abxc'), 1)
    assert.equal(editDistance('abc', 'ac'), 1)
    assert.equal(editDistance('abc', 'axc'), 1)
    assert.equal(editDistance('abc', 'acb'), 1)
    assert.equal(editDistance('', 'abc'), 3)
    assert.equal(nearest('abd', ['xyz', 'abc', 'abcd']), 'abc')
    assert.isUndefined(nearest('abd', ['xyz']))
  })
})
