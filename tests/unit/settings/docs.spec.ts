import { readFileSync } from 'node:fs'
import { test } from '@japa/runner'
import { BASIC_VARIABLES as BASICS } from '#settings/basics'
import { settingsDocument } from '#settings/document'
import { loadSettings } from '#settings/load'

const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')

test.group('Settings | documentation', () => {
  test('docs/reference/settings.md matches the declarations', async ({ assert }) => {
    const registry = await loadSettings()
    assert.equal(
      read('docs/reference/settings.md'),
      settingsDocument(registry.all()),
      'Run: node ace settings:list --markdown > docs/reference/settings.md'
    )
  })

  test('every setting has a help text that is a sentence', async ({ assert }) => {
    const registry = await loadSettings()
    for (const { key, setting } of registry.all()) {
      assert.match(setting.help, /^[A-Z].*\.$/, key)
    }
  })

  test('every variable of app/support/env.ts is described in the basics', ({ assert }) => {
    const declared = read('app/support/env.ts').matchAll(/^ {2}([A-Z_]+): \w/gm)
    const described = BASICS.map(({ variable }) => variable)
    assert.sameMembers([...Array.from(declared, ([, name]) => name), 'SETTINGS_FILE'], described)
  })

  test('the sections have the keys of the specification', async ({ assert }) => {
    const registry = await loadSettings()
    const keys = registry.all().map(({ key }) => key)
    assert.includeMembers(keys, [
      'api.enabled',
      'api.max_keys_per_user',
      'health.enabled',
      'health.ping_enabled',
      'health.db_timeout',
      'health.pdns_timeout',
      'logging.type',
      'pdns_api.url',
    ])
  })
})
