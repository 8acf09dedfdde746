// @api-backend(all) @process
import { test } from '@japa/runner'
import { isApiMode } from '#tests/support/app/backend'
import { coverageOf } from '#tests/support/conformance/check'
import { Scene } from '#tests/support/conformance/scene'
import { stopServers } from '#tests/support/conformance/servers'
import { RULES } from './rules.js'
import { SECTIONS } from './sections/all.js'

const mode = isApiMode ? 'api' : 'sql'

/*
| The rules of the specification by section. The title of a test has the section and the rule.
| `sections/` has the requests, and `rules.ts` lists the rules.
*/
for (const { name, checks } of SECTIONS) {
  test
    .group(`Specification: ${name}`, () => {
      for (const { rule, what, only, run } of checks) {
        if (only && only !== mode) continue
        const title = what || RULES[name]?.[rule]
        test(`${name}, ${rule}: ${title}`, async ({ client, assert, cleanup }) => {
          await run(await Scene.of({ client, assert, cleanup }))
        })
      }
    })
    .each.timeout(60_000)
}

test.group('Specification: coverage', (group) => {
  group.teardown(stopServers)

  test('every rule has a check, and every check a rule', ({ assert }) => {
    const { lines, missing, unknown } = coverageOf(RULES, SECTIONS, mode)
    for (const { name, rules, covered, checks } of lines) {
      console.log(`  ${name}: ${covered} of ${rules} rules, ${checks} checks`)
    }
    const sum = (what: 'rules' | 'covered' | 'checks') =>
      lines.reduce((total, line) => total + line[what], 0)
    console.log(
      `  Specification (${mode} mode): ${sum('covered')} of ${sum('rules')} rules, ${sum('checks')} checks`
    )
    assert.deepEqual(missing, [], 'rules without a check')
    assert.deepEqual(unknown, [], 'checks of rules that are not listed')
  })

  test('a rule without a check, or a check without a rule, is reported', ({ assert }) => {
    const run = async () => {}
    const rules = { A: { 1: 'one', 2: 'two', 3: 'three' } }
    const checks = [
      { rule: '1', what: '', run },
      { rule: '2', what: '', only: 'api' as const, run },
      { rule: '4', what: '', run },
    ]
    const { missing, unknown, lines } = coverageOf(rules, [{ name: 'A', checks }], 'sql')
    assert.deepEqual(missing, ['A 2', 'A 3'])
    assert.deepEqual(unknown, ['A 4'])
    assert.deepEqual(lines, [{ name: 'A', rules: 3, covered: 1, checks: 1 }])
  })
})
