import { test } from '@japa/runner'
import { parseStrings, printStrings, textTokens } from '#dns/rdata/character_strings'
import { InvalidDns } from '#dns/errors'
import { canonicalRecord, MAX_CONTENT_CHARACTERS, recordTypes } from '#dns/records/registry'
import { cpuMs } from '#tests/support/cpu_time'

const bytes = (text: string) => new TextEncoder().encode(text)

/** Parts that the largest content repeats, for types that read such parts. */
const REPEATED = [
  '=',
  'a ',
  '"" ',
  '"a" ',
  '\\097',
  'ü',
  'ü ',
  'A ',
  'a=',
  'key1=a ',
  '1:0.0.0.0/0 ',
  'a.',
  ',',
  '(',
]
/** Types that read many words or text. All types are tested with "=", the end of base64 data. */
const WITH_WORDS = new Set([
  'TXT',
  'TLSA',
  'DNSKEY',
  'SVCB',
  'APL',
  'NSEC',
  'CAA',
  'LOC',
  'NAPTR',
  'MX',
])

/** Returns the CPU time in ms of the largest content that starts with the example of a type. */
function contentMs(type: string, part: string, end: string): number {
  const { example, priority } = recordTypes().find((one) => one.type === type)!
  const count = Math.floor((MAX_CONTENT_CHARACTERS - example.length - 2) / part.length)
  const content = `${example} ${part.repeat(count)}${end}`
  const about = { type, content, disabled: false, name: 'x.example.com', apex: 'example.com' }
  return cpuMs(() => {
    try {
      canonicalRecord({ ...about, priority: priority ? 1 : 0 })
    } catch (error) {
      if (!(error instanceof InvalidDns)) throw error
    }
  })
}

test.group('character-strings', () => {
  test('quoted and bare strings may be mixed', ({ assert }) => {
    const tokens = textTokens('0 issue\t"a b" "" c\\ d')
    assert.deepEqual(
      tokens.map((token) => [new TextDecoder().decode(token.bytes), token.quoted]),
      [
        ['0', false],
        ['issue', false],
        ['a b', true],
        ['', true],
        ['c d', false],
      ]
    )
  })

  test('escapes represent bytes and characters', ({ assert }) => {
    assert.deepEqual(parseStrings('"\\"\\\\\\;\\065\\255"'), [
      new Uint8Array([0x22, 0x5c, 0x3b, 65, 255]),
    ])
  })

  test('text is read as UTF-8 and printed as ASCII', ({ assert }) => {
    assert.equal(printStrings(parseStrings('"ä" "b"')), '"\\195\\164" "b"')
    assert.equal(printStrings([bytes('"\\\u0000\u007f')]), '"\\"\\\\\\000\\127"')
    assert.equal(printStrings([]), '')
  })

  test('an open quote, an invalid escape or a control character is refused')
    .with(['"', '"a', 'a"', '"a"b', '"a""b"', '\\', '"\\', '"\\256"', '"\\1"', '\n', '"\u0085"'])
    .run(({ assert }, text) => {
      assert.throws(() => parseStrings(text), /Field 'content'/)
    })

  for (const { type } of recordTypes()) {
    test(`${type}: a content of maximum length is parsed quickly`, ({ assert }) => {
      for (const part of WITH_WORDS.has(type) ? REPEATED : ['=']) {
        // Code without pauses takes the full time in one step. The minimum of two attempts excludes other programs and
        // garbage collection.
        for (const end of ['', 'x']) {
          const ms = Math.min(contentMs(type, part, end), contentMs(type, part, end))
          assert.isBelow(ms, 150, `${part} ${end}`)
        }
      }
    })
  }

  test('TXT with {strings} strings and a last one of {last} octets: refused is {isRefused}')
    .with([
      { strings: 256, last: 254, isRefused: false },
      { strings: 256, last: 255, isRefused: true },
      { strings: 2, last: 256, isRefused: true },
      { strings: 32_768, last: 0, isRefused: false },
      { strings: 65_535, last: 0, isRefused: false },
      { strings: 65_536, last: 0, isRefused: true },
    ])
    .run(({ assert }, { strings, last, isRefused }) => {
      const length = strings > 1_000 ? 0 : 255
      const texts = [...Array<string>(strings - 1).fill('a'.repeat(length)), 'a'.repeat(last)]
      const write = (separator: string) => () =>
        canonicalRecord({
          ...{ name: 'x.test', apex: 'x.test', type: 'TXT', priority: 0, disabled: false },
          content: texts.map((text) => `"${text}"`).join(separator),
        }).content
      // One blank between strings is the canonical form, which is recognised without parsing.
      for (const separator of [' ', '  ']) {
        if (isRefused) assert.throws(write(separator), /Field 'content'/)
        else assert.equal(write(separator)(), write(' ')())
      }
    })

  test('64 KiB of escapes are parsed quickly', ({ assert }) => {
    const text = `"${'\\000'.repeat(65536)}"`
    const ms = cpuMs(() => assert.equal(printStrings(parseStrings(text)), text))
    assert.isBelow(ms, 1000)
  })
})
