import { test } from '@japa/runner'
import fc from 'fast-check'
import { InvalidDns } from '#dns/errors'
import { spellingsOf, toAscii, toUnicode } from '#dns/names/idn'
import { zoneName } from '#dns/names'
import { LAW_RUNS } from '#tests/unit/dns/support/law_runs'

test.group('names in Unicode', () => {
  test('{0} is {1}')
    .with([
      ['example.org', 'example.org'],
      ['xn--bcher-kva.example', 'bücher.example'],
      ['xn--fa-hia.example', 'faß.example'],
      ['xn--r8jz45g.xn--zckzah', '例え.テスト'],
      ['xn--mgbh0fb.xn--kgbechtv', 'مثال.إختبار'],
      ['_dmarc.xn--bcher-kva.example', '_dmarc.bücher.example'],
      ['*.xn--bcher-kva.example', '*.bücher.example'],
      ['0/25.2.0.192.in-addr.arpa', '0/25.2.0.192.in-addr.arpa'],
      ['xn--9s9h.example', '🦊.example'],
      ['single', 'single'],
    ])
    .run(({ assert }, [ascii, unicode]) => {
      assert.equal(toUnicode(ascii).text, unicode)
      assert.equal(toAscii(unicode), ascii)
      assert.isFalse(toUnicode(ascii).mixedScript)
    })

  test('{$self} stays punycode')
    .with([
      'xn--.example',
      'xn--a.example',
      'xn--a-.example',
      'xn--a-ecp.ru',
      'xn--99999999.example',
      'xn--example-.org',
      'xn--bcher-kva-.example',
      'xn--a-yoc.example',
    ])
    .run(({ assert }, name) => {
      assert.deepEqual(toUnicode(name), { text: name, mixedScript: false })
    })

  test('{0} mixes scripts: {1}')
    .with([
      ['раypal.example', true],
      ['аpple.example', true],
      ['αlpha.example', true],
      ['пример.example', false],
      ['пример1-2.example', false],
      ['bücher.пример', false],
      ['日本語ひらがなカタカナabc.example', false],
      ['中文ㄅㄆabc.example', false],
      ['한국漢字abc.example', false],
      ['한국ひら.example', true],
      ['ㄅひ.example', true],
      ['日本и.example', true],
      ['кαппα.example', true],
      ['한국어.example', false],
      ['παράδειγμα.example', false],
      ['दुनिया.example', false],
      ['🦊fox.example', false],
      ['ラーメン.example', false],
      ['example.org', false],
    ] as [string, boolean][])
    .run(({ assert }, [name, mixed]) => {
      assert.equal(toUnicode(toAscii(name)).mixedScript, mixed)
    })

  test('{$self} has no ASCII form')
    .with(['ü/x.example', 'a\u0000ü.example', 'a\u202eü.example', 'a'.repeat(1001)])
    .run(({ assert }, name) => {
      assert.throws(() => toAscii(name), /Field 'name': /)
    })

  test('names store {0} as {1}')
    .with([
      ['mail.Example', ['mail.Example']],
      ['MÜN', ['MÜN', 'xn--mn-xka']],
      ['a.münchen.', ['a.münchen.', 'a.xn--mnchen-3ya']],
      ['50%ü', ['50%ü']],
      ['\u00ad', ['\u00ad']],
      ['\u3002', ['\u3002']],
    ] as [string, string[]][])
    .run(({ assert }, [part, spellings]) => {
      assert.deepEqual(spellingsOf(part), spellings)
    })

  test('the ASCII form of the Unicode form of a name is the name itself', ({ assert }) => {
    const letter = fc.constantFrom(...'aäßéжяαω日本ひカ한ب-1🦊')
    const label = fc
      .array(letter, { minLength: 1, maxLength: 12 })
      .map((letters) => letters.join(''))
    const punycode = fc.stringMatching(/^xn--[a-z0-9-]{1,12}$/)
    const name = fc
      .array(fc.oneof(label, punycode, fc.string({ unit: 'grapheme' })), {
        minLength: 1,
        maxLength: 4,
      })
      .map((labels) => labels.join('.'))
    const law = fc.property(name, (given) => {
      let ascii: string
      try {
        ascii = zoneName(given)
      } catch (error) {
        assert.instanceOf(error, InvalidDns)
        return
      }
      const { text } = toUnicode(ascii)
      assert.equal(toAscii(text), ascii)
      assert.equal(zoneName(text), ascii)
      assert.equal(text.split('.').length, ascii.split('.').length)
    })
    fc.assert(law, LAW_RUNS)
  })
})
