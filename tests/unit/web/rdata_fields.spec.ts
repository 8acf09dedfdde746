import { test } from '@japa/runner'

interface Fields {
  partsOf(content: string, count: number): string[]
  contentOf(parts: string[]): string
}

test.group('Content fields of the editor', (group) => {
  let fields: Fields

  group.setup(async () => {
    const script = '../../../resources/js/editor/rdata.js'
    fields = (await import(script)) as Fields
  })

  test('"{content}" has the fields {parts}')
    .with([
      { content: '5 5060 sip.test', count: 3, parts: ['5', '5060', 'sip.test'] },
      { content: '  5   5060\tsip.test ', count: 3, parts: ['5', '5060', 'sip.test'] },
      { content: '5', count: 3, parts: ['5', '', ''] },
      { content: '', count: 2, parts: ['', ''] },
      // The last field contains the rest.
      { content: '0 issue "ca.test; a=b"', count: 3, parts: ['0', 'issue', '"ca.test; a=b"'] },
      { content: '1 2 3 AB CD', count: 4, parts: ['1', '2', '3', 'AB CD'] },
      // Blanks within quotes do not separate fields. Escaped quotes do not end a quoted string.
      { content: '"a b" "c d" e', count: 3, parts: ['"a b"', '"c d"', 'e'] },
      { content: '"a \\" b" c', count: 2, parts: ['"a \\" b"', 'c'] },
      // The server refuses an unclosed quote.
      { content: '"open end', count: 2, parts: ['"open', 'end'] },
    ])
    .run(({ assert }, { content, count, parts }) => {
      assert.deepEqual(fields.partsOf(content, count), parts)
    })

  test('missing fields at the end are omitted, and missing fields before leave a gap', ({
    assert,
  }) => {
    assert.equal(fields.contentOf(['5', ' 5060 ', 'sip.test', '']), '5 5060 sip.test')
    assert.equal(fields.contentOf(['', '']), '')
    assert.equal(fields.contentOf(['"a"\r\n  "b"\n']), '"a" "b"')
    assert.equal(fields.contentOf(['5', '', 'sip.test']), '5  sip.test')
  })

  test('splitting and joining a content gives the same content', ({ assert }) => {
    for (const content of ['10 20 30 host.test', '0 issue "ca.test"', '"v=spf1 -all"', 'a']) {
      for (const count of [1, 2, 3, 5]) {
        assert.equal(fields.contentOf(fields.partsOf(content, count)), content)
      }
    }
  })
})
