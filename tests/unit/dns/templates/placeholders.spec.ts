import { test } from '@japa/runner'
import fc from 'fast-check'
import { publicSuffix } from '#zones/templates/expansion'
import {
  expand,
  hasPlaceholder,
  MissingValue,
  PLACEHOLDERS,
  placeholderValues,
  registeredParts,
} from '#dns/templates/placeholders'

const DEFAULTS = {
  nameServers: ['ns1.example.net', 'ns2.example.net'],
  hostmaster: 'hostmaster.example.net',
  refresh: 1,
  retry: 2,
  expire: 3,
  minimum: 4,
}
const SAMPLE_TIME = { day: { year: 2026, month: 3, day: 9 }, seconds: 1_773_014_400 }
const VALUES = placeholderValues('shop.example.com', DEFAULTS, SAMPLE_TIME)

test.group('Placeholders', () => {
  for (const [text, expanded] of [
    ['[ZONE]', 'shop.example.com'],
    ['www.[ZONE].', 'www.shop.example.com.'],
    ['[DOMAIN] and [TLD]', 'example and com'],
    ['[SERIAL]', '2026030900'],
    ['[UNIXTIME]', '1773014400'],
    ['[COUNTER]', '1'],
    ['[NS1] [NS2]', 'ns1.example.net ns2.example.net'],
    ['[HOSTMASTER]', 'hostmaster.example.net'],
    ['[SOA_REFRESH] [SOA_RETRY] [SOA_EXPIRE] [SOA_MINIMUM]', '1 2 3 4'],
    ['[ZONE][ZONE]', 'shop.example.comshop.example.com'],
    ['[zone] [NOPE] [ZONE [ ] []', '[zone] [NOPE] [ZONE [ ] []'],
    ['', ''],
  ]) {
    test(`'${text}' becomes '${expanded}'`, ({ assert }) => {
      assert.equal(expand(text, VALUES), expanded)
    })
  }

  test('a value is not expanded again', ({ assert }) => {
    const values = { ...VALUES, HOSTMASTER: '[ZONE]' }
    assert.equal(expand('[HOSTMASTER]', values), '[ZONE]')
  })

  test('an error names a placeholder without a value, and an empty TLD is empty', ({ assert }) => {
    assert.throws(() => expand('[NS3]', VALUES), MissingValue)
    assert.throws(() => expand('[NS3]', VALUES), '[NS3] has no value')
    const reverse = placeholderValues('2.0.192.in-addr.arpa', DEFAULTS, SAMPLE_TIME)
    assert.equal(expand('a[TLD]b [DOMAIN]', reverse), 'ab 2.0.192.in-addr.arpa')
  })

  for (const [apex, domain, tld] of [
    ['example.com', 'example', 'com'],
    ['a.b.example.com', 'example', 'com'],
    ['example.co.uk', 'example', 'co.uk'],
    ['example-firm.me.uk', 'example-firm', 'me.uk'],
    ['example.ltd.uk', 'example', 'ltd.uk'],
    ['example.asso.fr', 'example', 'asso.fr'],
    ['www.example.gv.at', 'example', 'gv.at'],
    ['example.id.au', 'example', 'id.au'],
    ['me.fr', 'me', 'fr'],
    ['www.example.com.au', 'example', 'com.au'],
    ['co.uk', 'co', 'uk'],
    ['example.co.net', 'co', 'net'],
    ['localdomain', 'localdomain', ''],
    ['2.0.192.in-addr.arpa', '2.0.192.in-addr.arpa', ''],
    ['8.b.d.0.1.0.0.2.ip6.arpa', '8.b.d.0.1.0.0.2.ip6.arpa', ''],
  ]) {
    test(`${apex} is '${domain}' below '${tld}'`, ({ assert }) => {
      assert.deepEqual(registeredParts(apex, publicSuffix(apex)), { domain, tld })
    })
  }

  test('{0}: {1} is {2}')
    .with([
      ['example-firm.co.uk', '[DOMAIN]-[TLD].mail.test', 'example-firm-co-uk.mail.test'],
      ['example.me.uk', '[DOMAIN]-[TLD].mail.test', 'example-me-uk.mail.test'],
      ['example.com', '[DOMAIN]-[TLD].mail.test', 'example-com.mail.test'],
      ['example.co.uk', '[DOMAIN].[TLD]', 'example.co.uk'],
      ['example.co.uk', '[TLD]', 'co.uk'],
      ['example.co.uk', 'a-[DOMAIN].[TLD]', 'a-example.co.uk'],
    ])
    .run(({ assert }, [apex, text, expected]) => {
      assert.equal(
        expand(text, placeholderValues(apex, DEFAULTS, SAMPLE_TIME, publicSuffix(apex))),
        expected
      )
    })

  test('a text without placeholders is unchanged, and an expanded text has none', ({ assert }) => {
    const values = placeholderValues(
      'example.com',
      { ...DEFAULTS, nameServers: ['a.test', 'b.test', 'c.test', 'd.test'] },
      SAMPLE_TIME
    )
    const words = fc.constantFrom(...PLACEHOLDERS.map((word) => `[${word}]`), '[', ']', 'x', ' ')
    fc.assert(
      fc.property(fc.array(words), (parts) => {
        const text = parts.join('')
        const expanded = expand(text, values)
        assert.isFalse(hasPlaceholder(expanded))
        if (!hasPlaceholder(text)) assert.equal(expanded, text)
      })
    )
  })
})
