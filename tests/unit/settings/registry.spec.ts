import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from '@japa/runner'
import { setting } from '#settings/builders'
import { InvalidSettingsError } from '#settings/errors'
import { listSettings, settingsTable } from '#settings/list'
import { readSettingsFile } from '#settings/settings_file'
import { registryOf } from '#tests/unit/settings/helpers'

const demo = {
  key: setting.secret('', 'help'),
  on: setting.boolean(false, 'Whether it is on.'),
}

test.group('Settings | registry', () => {
  test('all problems are thrown together, one line each', ({ assert }) => {
    const file = { demo: { on: 'x', off: 1 } }
    const registry = registryOf({ demo }, { file, env: { DEMO_KEYS: 'x' } })
    try {
      registry.assertValid()
      assert.fail('must throw')
    } catch (error) {
      assert.instanceOf(error, InvalidSettingsError)
      const { operatorMessage, message } = error as InvalidSettingsError
      assert.isTrue(operatorMessage)
      const keys = message.split('\n').map((line) => line.split(':')[0])
      assert.deepEqual(keys, ['demo.off', 'demo.on', 'DEMO_KEYS'])
    }
  })

  test('Ace prints the problems without a stack', ({ assert }) => {
    const printed: string[] = []
    const error = new InvalidSettingsError(['a: one', 'b: two'])
    error.render(error, { ui: { logger: { logError: (message) => printed.push(message) } } })
    assert.deepEqual(printed, ['a: one\nb: two'])
  })

  test('valid settings are accepted', ({ assert }) => {
    const registry = registryOf({ demo }, { file: { demo: { on: true } }, env: { HOME: '/' } })
    assert.doesNotThrow(() => registry.assertValid())
  })

  test('a section or a variable cannot be declared twice', ({ assert }) => {
    const registry = registryOf({ demo })
    assert.throws(
      () => registry.add('demo', { settings: [], problems: [] }),
      'Section "demo" is declared twice.'
    )
    assert.throws(
      () => registryOf({ demo: { a: { b: demo.on }, a_b: demo.on } }),
      '"demo.a_b" and "demo.a.b" share the variable DEMO_A_B.'
    )
  })

  test('sections are listed in alphabetical order', ({ assert }) => {
    const keys = registryOf({ zone: { on: demo.on }, api: { on: demo.on } }).all()
    assert.deepEqual(
      keys.map(({ key }) => key),
      ['api.on', 'zone.on']
    )
  })
})

test.group('Settings | list', () => {
  test('a secret is masked, and an empty one is shown as empty', ({ assert }) => {
    const masked = listSettings(registryOf({ demo }, { env: { DEMO_KEY: 'hunter2' } }).all())
    assert.equal(masked[0].value, '********')
    assert.equal(masked[0].default, '')
    assert.equal(masked[0].source, 'environment DEMO_KEY')
    assert.notInclude(JSON.stringify(masked), 'hunter2')
    assert.equal(listSettings(registryOf({ demo }).all())[0].value, '')
  })

  test('each setting is described in full', ({ assert }) => {
    const registry = registryOf({ demo }, { file: { demo: { on: true } } })
    assert.deepEqual(listSettings(registry.all())[1], {
      key: 'demo.on',
      value: true,
      default: false,
      source: 'file /etc/zw.json',
      variable: 'DEMO_ON',
      type: 'boolean',
      allowed: 'boolean, true or false',
      help: 'Whether it is on.',
    })
  })

  test('the table has aligned columns', ({ assert }) => {
    const registry = registryOf({ demo }, { env: { DEMO_ON: 'yes' } })
    assert.equal(
      settingsTable(listSettings(registry.all())),
      [
        'KEY       VALUE  SOURCE',
        'demo.key         default',
        'demo.on   true   environment DEMO_ON',
      ].join('\n')
    )
  })
})

test.group('Settings | file', (group) => {
  let folder: string
  group.setup(() => {
    folder = mkdtempSync(join(tmpdir(), 'zw-settings-'))
    return () => rmSync(folder, { recursive: true })
  })

  const read = (text: string) => {
    const path = join(folder, 'settings.json')
    writeFileSync(path, text)
    return readSettingsFile(path)
  }

  test('a JSON object is read, with or without a byte order mark', ({ assert }) => {
    assert.deepEqual(read('{"a":1}').values, { a: 1 })
    assert.deepEqual(read('\uFEFF{"a":1}').values, { a: 1 })
    assert.deepEqual(read('{"a":1}').problems, [])
  })

  test('an unusable file is a problem and counts as empty', ({ assert }) => {
    const cases: [string, RegExp][] = [
      ['[]', /^SETTINGS_FILE: no JSON object at .*settings\.json, allowed: a readable file/],
      ['null', /no JSON object/],
      ['', /no valid JSON/],
      ['{"a":\n  hunter2 }', /no valid JSON/],
    ]
    for (const [text, problem] of cases) {
      const file = read(text)
      assert.match(file.problems[0], problem)
      assert.notInclude(file.problems[0], 'hunter2')
      assert.deepEqual(file.values, {})
    }
    assert.match(readSettingsFile(join(folder, 'none')).problems[0], /ENOENT/)
    assert.match(readSettingsFile(folder).problems[0], /EISDIR/)
  })
})
