import { readFileSync } from 'node:fs'
import { test } from '@japa/runner'
import { PERMISSIONS, SEEDED_GROUPS, SEEDED_TEMPLATES } from '#access/permissions'

/** Rows of the tables of a page, cells trimmed; heads and rules of tables are left out. */
function rowsOf(page: string): string[] {
  const text = readFileSync(new URL(`../../../docs/${page}`, import.meta.url), 'utf8')
  return text
    .split('\n')
    .filter((line) => /^\| *\d/.test(line))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim())
        .join(' | ')
    )
}

test.group('docs/permissions.md', () => {
  test('lists every permission, template and group as the code declares them', ({ assert }) => {
    const permissions = Object.entries(PERMISSIONS).map(
      ([name, { id, area, meaning }]) => `${id} | \`${name}\` | ${area} | ${meaning}`
    )
    const templates = SEEDED_TEMPLATES.map(({ id, name, type, permissions: held }) => {
      const names = held.map((permission) => `\`${permission}\``).join(', ') || 'none'
      return `${id} | ${name} | ${type}s | ${names}`
    })
    const groups = SEEDED_GROUPS.map(
      ({ id, name, templateId }) => `${id} | ${name} | ${templateId}`
    )
    assert.deepEqual(rowsOf('permissions.md'), [...permissions, ...templates, ...groups])
  })
})
