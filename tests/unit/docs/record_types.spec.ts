import { readFileSync } from 'node:fs'
import { test } from '@japa/runner'
import { recordTypes } from '#dns/records/registry'

const WRITERS = {
  editor: 'editors',
  server: 'the name server',
  administrator: 'administrators',
}

/** Rows of all tables of the page, cells trimmed. */
function rows(): string[][] {
  const text = readFileSync(new URL('../../../docs/record-types.md', import.meta.url), 'utf8')
  return text
    .split('\n')
    .filter((line) => /^\| *[A-Z][A-Z0-9]* /.test(line))
    .map((line) => {
      const cells = line.split(/(?<!\\)\|/).slice(1, -1)
      return cells.map((cell) => cell.trim().replaceAll('\\|', '|'))
    })
}

test.group('docs/record-types.md', () => {
  // A test of the registry adds a type of its own; the page is about those that ship.
  const shipped = recordTypes().filter(({ type }) => !type.startsWith('X-'))

  test('says of every type what the registry says', ({ assert }) => {
    const types = shipped.map(({ type, rfc, summary, priority, writer, since }) => {
      return [type, rfc, summary, priority ? 'yes' : 'no', WRITERS[writer], since ?? '4.7']
    })
    const fields = shipped.map(({ type, fields: names, example, trap }) => {
      return [type, names.join(', '), example === '' ? '' : `\`${example}\``, trap]
    })
    assert.deepEqual(rows(), [...types, ...fields])
  })
})
