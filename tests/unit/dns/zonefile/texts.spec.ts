import { test } from '@japa/runner'
import { parseStrings } from '#dns/rdata/character_strings'
import { canonicalRecord } from '#dns/records/registry'
import { longText, TEXTS } from '#tests/unit/dns/support/txt_texts'
import { APEX, parse, write } from './helpers.js'

/** Returns the strings on the wire: a string above 255 bytes is split. */
function sent(content: string): string[] {
  return parseStrings(content).flatMap((bytes) => {
    const pieces = Math.max(1, Math.ceil(bytes.length / 255))
    return Array.from({ length: pieces }, (_, at) =>
      Buffer.from(bytes.subarray(at * 255, at * 255 + 255)).toString('hex')
    )
  })
}

test.group('zone files: bytes of texts', () => {
  test('{title}: reading, writing and reading again keeps the bytes')
    .with(TEXTS)
    .run(({ assert }, { content, strings }) => {
      const first = parse([`text 60 TXT ${content}`])
      assert.deepEqual(first.problems, [])
      const expected = strings.map((bytes) => bytes.toString('hex'))
      assert.deepEqual(sent(first.records[0].record.content), expected)

      const file = write(first.rrsets)
      const second = parse([file])
      assert.deepEqual(second.rrsets, first.rrsets)
      assert.equal(write(second.rrsets), file)
      // Any other program reads the text after the type as the same strings.
      const [, written] = /IN TXT +(.*)\n$/.exec(file)!
      assert.deepEqual(sent(written), expected)
    })

  test('{title} in one string is written in parts of 255 bytes, and read as one string')
    .with([longText(256), longText(4000), longText(60_000)])
    .run(({ assert }, { content, strings }) => {
      const more = { priority: 0, disabled: false, name: `text.${APEX}`, apex: APEX }
      const record = canonicalRecord({ type: 'TXT', content, ...more })
      const rrset = { name: `text.${APEX}`, type: 'TXT', ttl: 60, records: [record] }
      const file = write([rrset])
      const [, written] = /IN TXT +(.*) ;joined\n$/.exec(file)!
      assert.deepEqual(
        parseStrings(written).map((bytes) => Buffer.from(bytes).toString('hex')),
        strings.map((bytes) => bytes.toString('hex'))
      )
      assert.deepEqual(parse([file]).rrsets, [rrset])
    })

  test('strings over several lines are equal to strings on one line', ({ assert }) => {
    const { records, problems } = parse([
      'text TXT ( "a;b (c) d" ; the first (of two)',
      '  "second  part" )',
    ])
    assert.deepEqual(problems, [])
    assert.equal(records[0].record.content, '"a;b (c) d" "second  part"')
  })
})
