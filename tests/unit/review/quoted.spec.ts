import { test } from '@japa/runner'
import fc from 'fast-check'
import { quoteText } from '#review/quoted'

test.group('Quoted text in a mail', () => {
  for (const [what, text, expected] of [
    ['one line', 'for the office', '> for the office'],
    ['several', 'a\nb\r\nc\rd', '> a\n> b\n> c\n> d'],
    ['blank lines', 'a\n\nb', '> a\n>\n> b'],
    ['line breaks of Unicode', 'a\u2028b\u2029c\u0085d\ve\ff', '> a\n> b\n> c\n> d\n> e\n> f'],
    ['control characters', 'a\u0000b\u001B[1m\tc', '> ab[1m c'],
    ['turned directions', 'a\u202Eb\u2066c', '> abc'],
    ['a quote', '> not mine', '> > not mine'],
    [
      'a long line',
      'abcd '.repeat(20).trim(),
      `> ${'abcd '.repeat(14).trim()}\n> ${'abcd '.repeat(6).trim()}`,
    ],
    ['no blanks', 'x'.repeat(73), `> ${'x'.repeat(72)}\n> x`],
    ['other letters', 'سلام ⁠', '> سلام ⁠'],
  ] as [string, string, string][]) {
    test(`${what}: every line has the quote mark`, ({ assert }) => {
      assert.equal(quoteText(text), expected)
    })
  }

  test('long texts are truncated with a note', ({ assert }) => {
    for (const text of ['x\n'.repeat(11), 'y'.repeat(601), '😀'.repeat(601)]) {
      assert.match(quoteText(text), /\n> …$/)
    }
    assert.notInclude(quoteText('y'.repeat(600)), '…')
  })

  test('property: every line starts with the mark, and the number of lines is limited', ({
    assert,
  }) => {
    const law = fc.property(fc.string({ unit: 'binary', maxLength: 900 }), (text) => {
      const lines = quoteText(text).split(/\r\n|[\n\v\f\r\u0085\u2028\u2029]/)
      assert.isAtMost(lines.length, 11)
      for (const line of lines) assert.match(line, /^>(?: |$)/)
    })
    fc.assert(law, { numRuns: 200 })
  })
})
