import { readFileSync } from 'node:fs'
import { test } from '@japa/runner'
import { PERMISSIONS, SEEDED_GROUPS, SEEDED_TEMPLATES } from '#access/permissions'
import { AUDIT_ACTIONS } from '#audit/actions'
import { LISTS } from '#controllers/api/docs/lists'
import { METADATA_KINDS } from '#dns/metadata/kinds'
import { recordTypes } from '#dns/records/registry'
import { RULES } from '#dns/rules'
import { LIST_TABLE_HEADINGS, formatListRow } from '#lists/docs/markdown'
import { markdownTable } from '#settings/markdown'

const pageOf = (name: string) =>
  readFileSync(new URL(`../../../docs/reference/${name}.md`, import.meta.url), 'utf8')

/** Returns the rows of all tables of a page whose first cell matches, with trimmed cells. */
function rowsOf(name: string, start: RegExp): string[][] {
  return pageOf(name)
    .split('\n')
    .filter((line) => start.test(line))
    .map((line) => {
      const cells = line.split(/(?<!\\)\|/).slice(1, -1)
      return cells.map((cell) => cell.trim().replaceAll('\\|', '|'))
    })
}

/** Returns the part of a page between the comments that mark generated text. */
function generatedIn(name: string, what: string): string | undefined {
  const part = new RegExp(`<!-- ${what}: generated -->\n\n(.*?)\n\n<!-- end of ${what} -->`, 's')
  return part.exec(pageOf(name))?.[1]
}

const METADATA_WRITERS = {
  manager: 'zone managers',
  administrator: 'administrators',
  server: 'the name server',
}
const RECORD_WRITERS = {
  editor: 'editors',
  server: 'the name server',
  administrator: 'administrators',
}
const OVER_API = { metadata: 'as metadata', zone: 'as a property of the zone', none: 'not' }

// After a change in the code, copy the expected text of a failure into the page.
test.group('Reference pages', () => {
  test('docs/reference/api.md lists sort fields and filters of every list', ({ assert }) => {
    const rows = Object.entries(LISTS).map(([path, list]) => formatListRow(path, list))
    assert.equal(generatedIn('api', 'lists'), markdownTable(LIST_TABLE_HEADINGS, rows))
  })

  test('docs/reference/audit.md lists every action', ({ assert }) => {
    const actions = Object.entries(AUDIT_ACTIONS).map(([name, { area, meaning }]) => [
      `\`${name}\``,
      area,
      meaning,
    ])
    assert.deepEqual(rowsOf('audit', /^\| *`/), actions)
  })

  test('docs/reference/metadata.md describes every kind', ({ assert }) => {
    const heading = [
      'Kind',
      'What it does',
      'Defined in',
      'Values',
      'Who writes it',
      "PowerDNS' API",
    ]
    const rows = METADATA_KINDS.map(
      ({ kind, summary, reference, isList, value, writer, overApi }) => {
        const values = `${isList ? 'several' : 'one'}: ${value.allowed}`
        const cells = [`\`${kind}\``, summary, reference, values, METADATA_WRITERS[writer]]
        return [...cells, OVER_API[overApi]]
      }
    )
    assert.equal(generatedIn('metadata', 'kinds'), markdownTable(heading, rows))
  })

  test('docs/reference/permissions.md lists every permission, template and group', ({ assert }) => {
    const permissions = Object.entries(PERMISSIONS).map(([name, { id, area, meaning }]) => [
      String(id),
      `\`${name}\``,
      area,
      meaning,
    ])
    const templates = SEEDED_TEMPLATES.map(({ id, name, type, permissions: held }) => {
      const names = held.map((permission) => `\`${permission}\``).join(', ') || 'none'
      return [String(id), name, `${type}s`, names]
    })
    const groups = SEEDED_GROUPS.map(({ id, name, templateId }) => [
      String(id),
      name,
      String(templateId),
    ])
    assert.deepEqual(rowsOf('permissions', /^\| *\d/), [...permissions, ...templates, ...groups])
  })

  test('docs/reference/record-types.md describes every type', ({ assert }) => {
    // A test of the registry adds another type.
    const shipped = recordTypes().filter(({ type }) => !type.startsWith('X-'))
    const types = shipped.map(({ type, rfc, summary, priority, writer, since }) => {
      return [type, rfc, summary, priority ? 'yes' : 'no', RECORD_WRITERS[writer], since ?? '4.7']
    })
    const fields = shipped.map(({ type, fields: names, example, trap }) => {
      return [type, names.join(', '), example === '' ? '' : `\`${example}\``, trap]
    })
    assert.deepEqual(rowsOf('record-types', /^\| *[A-Z][A-Z0-9]* /), [...types, ...fields])
  })

  test('docs/reference/rules.md lists every rule', ({ assert }) => {
    const rules = RULES.map(({ id, severity, across, rfc, demands }) => {
      const isMilder = severity === 'error' && across === 'warning'
      return [`\`${id}\``, isMilder ? 'error; warning across zones' : severity, rfc, demands]
    })
    assert.deepEqual(rowsOf('rules', /^\| *`/), rules)
  })
})
