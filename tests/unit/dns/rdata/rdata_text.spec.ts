import { test } from '@japa/runner'
import { parseStrings, printStrings, textTokens } from '#dns/rdata/character_strings'
import { cpuMs } from '#tests/support/cpu_time'

const bytes = (text: string) => new TextEncoder().encode(text)

test.group('character-strings', () => {
  test('quoted and bare strings stand side by side', ({ assert }) => {
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

  test('escapes stand for bytes and characters', ({ assert }) => {
    assert.deepEqual(parseStrings('"\\"\\\\\\;\\065\\255"'), [
      new Uint8Array([0x22, 0x5c, 0x3b, 65, 255]),
    ])
  })

  test('text is UTF-8, and printed as ASCII', ({ assert }) => {
    assert.equal(printStrings(parseStrings('"ä" "b"')), '"\\195\\164" "b"')
    assert.equal(printStrings([bytes('"\\\u0000\u007f')]), '"\\"\\\\\\000\\127"')
    assert.equal(printStrings([]), '')
  })

  test('an open quote, a wrong escape or a control character is refused')
    .with(['"', '"a', 'a"', '"a"b', '"a""b"', '\\', '"\\', '"\\256"', '"\\1"', '\n', '"\u0085"'])
    .run(({ assert }, text) => {
      assert.throws(() => parseStrings(text), /Field 'content'/)
    })

  test('64 KiB of escapes take no long time', ({ assert }) => {
    const text = `"${'\\000'.repeat(65536)}"`
    const ms = cpuMs(() => assert.equal(printStrings(parseStrings(text)), text))
    assert.isBelow(ms, 1000)
  })
})
