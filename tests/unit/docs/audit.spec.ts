import { readFileSync } from 'node:fs'
import { test } from '@japa/runner'
import { AUDIT_ACTIONS } from '#audit/actions'

test.group('docs/audit.md', () => {
  test('lists every action as the code declares it', ({ assert }) => {
    const page = readFileSync(new URL('../../../docs/audit.md', import.meta.url), 'utf8')
    const rows = page
      .split('\n')
      .filter((line) => /^\| *`/.test(line))
      .map((line) => {
        const cells = line.split('|').slice(1, -1)
        return cells.map((cell) => cell.trim())
      })
    const actions = Object.entries(AUDIT_ACTIONS).map(([name, { area, meaning }]) => [
      `\`${name}\``,
      area,
      meaning,
    ])
    assert.deepEqual(rows, actions)
  })
})
