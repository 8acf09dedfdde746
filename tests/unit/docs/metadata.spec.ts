import { readFileSync } from 'node:fs'
import { test } from '@japa/runner'
import { METADATA_KINDS } from '#dns/metadata/kinds'
import { markdownTable } from '#settings/markdown'

/** The part of the page that is generated. */
const GENERATED = /<!-- kinds: generated -->\n\n(.*?)\n\n<!-- end of kinds -->/s

const HEADING = ['Kind', 'What it does', 'Defined in', 'Values', 'Who writes it', "PowerDNS' API"]
const WRITERS = {
  manager: 'who manages the zone',
  administrator: 'administrators',
  server: 'the name server',
}
const OVER_API = { metadata: 'as metadata', zone: 'as a property of the zone', none: 'not' }

test.group('docs/metadata.md', () => {
  test('says of every kind what the registry says', ({ assert }) => {
    const page = readFileSync(new URL('../../../docs/metadata.md', import.meta.url), 'utf8')
    const rows = METADATA_KINDS.map(
      ({ kind, summary, reference, isList, value, writer, overApi }) => {
        const values = `${isList ? 'several' : 'one'}: ${value.allowed}`
        const cells = [`\`${kind}\``, summary, reference, values, WRITERS[writer]]
        return [...cells, OVER_API[overApi]]
      }
    )
    // After a change of the registry: put what is expected here into the page.
    assert.equal(GENERATED.exec(page)?.[1], markdownTable(HEADING, rows))
  })
})
