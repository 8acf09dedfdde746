import { readFileSync } from 'node:fs'
import { test } from '@japa/runner'
import { loadSettings } from '#settings/load'
import { linesOfNewInstallation } from '#start/app_key'

const LOCKOUT = 'SECURITY_ACCOUNT_LOCKOUT_ENABLE_LOCKOUT'
const RULES = 'SECURITY_PASSWORD_POLICY_ENABLE_PASSWORD_RULES'
const HELD = 'PERMISSIONS_ASSIGN_ONLY_HELD'
const ALL = ['APP_KEY', LOCKOUT, RULES, HELD]

test.group('Settings of a new installation', () => {
  for (const [what, text, environment, expected] of [
    ['nothing', '', {}, ALL],
    ['other settings', 'PORT=1\n', {}, ALL],
    ['an empty key', 'APP_KEY=\n', {}, ALL],
    ['a key', 'APP_KEY=x\n', {}, []],
    ['a key of the environment', '', { APP_KEY: 'x' }, []],
    ['a choice', `${LOCKOUT}=false\n`, {}, ['APP_KEY', RULES, HELD]],
    ['a choice of the environment', '', { [HELD]: 'false' }, ['APP_KEY', LOCKOUT, RULES]],
    ['a comment', `# ${RULES}=false\n`, {}, ALL],
    ['a settings file', 'SETTINGS_FILE=settings.json\n', {}, ['APP_KEY']],
  ] as [string, string, Record<string, string>, string[]][]) {
    test(`with ${what}: ${expected.join(', ')}`, ({ assert }) => {
      const lines = linesOfNewInstallation(text, environment).split('\n').filter(Boolean)
      assert.deepEqual(
        lines.map((line) => line.split('=')[0]),
        expected
      )
      for (const line of lines.slice(1)) assert.match(line, /=true$/)
    })
  }

  test('these settings are off by default, and quickstart writes them too', async ({ assert }) => {
    const registry = await loadSettings()
    const quickstart = readFileSync(
      new URL('../../../scripts/quickstart.mjs', import.meta.url),
      'utf8'
    )
    const settings = new Map(registry.all().map((entry) => [entry.variable, entry.setting]))
    for (const variable of [LOCKOUT, RULES, HELD]) {
      assert.equal(settings.get(variable)?.fallback, false)
      assert.include(quickstart, `\n${variable}=true\n`)
    }
    assert.equal(settings.get('SECURITY_PASSWORD_POLICY_MIN_LENGTH')?.fallback, 12)
  })

  test('.env.test has each of them, so that tests pass in a checkout with an .env', ({
    assert,
  }) => {
    const text = readFileSync(new URL('../../../.env.test', import.meta.url), 'utf8')
    for (const variable of [LOCKOUT, RULES, HELD]) assert.include(text, `\n${variable}=false\n`)
  })
})
