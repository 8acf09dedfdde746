import { readFileSync } from 'node:fs'
import { test } from '@japa/runner'
import { RULES } from '#dns/rules'

/** Rows of the tables of the page, cells trimmed; heads and rules of tables are left out. */
function rows(): string[][] {
  const text = readFileSync(new URL('../../../docs/rules.md', import.meta.url), 'utf8')
  return text
    .split('\n')
    .filter((line) => /^\| *`/.test(line))
    .map((line) => {
      const cells = line.split('|').slice(1, -1)
      return cells.map((cell) => cell.trim())
    })
}

test.group('docs/rules.md', () => {
  test('lists every rule as the code declares it', ({ assert }) => {
    const rules = RULES.map(({ id, severity, across, rfc, demands }) => {
      const isMilder = severity === 'error' && across === 'warning'
      return [`\`${id}\``, isMilder ? 'error; warning across zones' : severity, rfc, demands]
    })
    assert.deepEqual(rows(), rules)
  })
})
