import { readFileSync } from 'node:fs'
import { test } from '@japa/runner'
import { LISTS } from '#controllers/api/docs/lists'
import { LIST_HEADING, listRow } from '#lists/docs/markdown'
import { markdownTable } from '#settings/markdown'

/** The part of the page that is generated. */
const GENERATED = /<!-- lists: generated -->\n\n(.*?)\n\n<!-- end of lists -->/s

test.group('docs/api.md, lists', () => {
  test('has the table that the declarations make', ({ assert }) => {
    const page = readFileSync(new URL('../../../docs/api.md', import.meta.url), 'utf8')
    const rows = Object.entries(LISTS).map(([path, list]) => listRow(path, list))
    // After a change of a declaration: put what is expected here into the page.
    assert.equal(GENERATED.exec(page)?.[1], markdownTable(LIST_HEADING, rows))
  })
})
