import { test } from '@japa/runner'
import fc from 'fast-check'
import { SearchQueryError } from '#dns/search/split'
import { likePatterns, literalsOf, matchesText } from '#dns/search/patterns'
import { parseSearch } from '#dns/search/query'
import { scoreOf } from '#dns/search/score'
import type { TextTerm } from '#dns/search/terms'

/** Emulates LIKE with `!` as the escape character. */
function like(pattern: string, value: string): boolean {
  const parts = pattern.match(/![^]|[^]/gu) ?? []
  const source = parts.map((part) => {
    if (part === '%') return '[^]*'
    if (part === '_') return '[^]'
    return (part.length > 1 && part.startsWith('!') ? part.slice(1) : part).replace(
      /[\\^$.*+?()[\]{}|/-]/g,
      '\\$&'
    )
  })
  return new RegExp(`^${source.join('')}$`, 'u').test(value)
}

const word = fc.stringMatching(/^[a-z0-9!%_.*?[\]()+^$|\\{}/]{1,8}$/)
const haystack = fc.stringMatching(/^[a-z0-9!%_.*?[\]()+^$|\\{}/]{0,24}$/)

function textTerm(query: string): TextTerm {
  const [term] = parseSearch(query)
  return term as TextTerm
}

test.group('Search queries', () => {
  test('words, quotes, fields, comparisons and negations are parsed', ({ assert }) => {
    const terms = parseSearch(
      'Mail "Two Words" type:mx,a -ttl>=60 DISABLED:true -"x y" ttl:5 zone:Example.COM.'
    )
    const text = { isPattern: false, negated: false }
    assert.deepEqual(terms, [
      { field: 'word', texts: ['mail'], ...text },
      { field: 'word', texts: ['two words'], ...text },
      { field: 'type', types: ['MX', 'A'], negated: false },
      { field: 'ttl', comparison: '>=', seconds: 60, negated: true },
      { field: 'disabled', value: true, negated: false },
      { field: 'word', texts: ['x y'], isPattern: false, negated: true },
      { field: 'ttl', comparison: '=', seconds: 5, negated: false },
      { field: 'zone', texts: ['example.com'], ...text },
    ])
  })

  test('addresses, URLs and assignments are words', ({ assert }) => {
    for (const text of [
      '2001:db8::1',
      'fe80::1',
      'dead:beef::',
      'https://x.example/',
      'v=spf1',
      'a<b',
    ]) {
      assert.deepEqual(textTerm(text).texts, [text])
    }
  })

  test('wildcards have a meaning in fields, but not in quotes or words', ({ assert }) => {
    assert.isTrue(textTerm('name:mail*').isPattern)
    assert.isFalse(textTerm('name:"mail*"').isPattern)
    assert.isFalse(textTerm('mail*').isPattern)
  })

  test('backslashes escape quotes and backslashes in a quoted text', ({ assert }) => {
    const given: [query: string, text: string][] = [
      [String.raw`"say \"hi\""`, 'say "hi"'],
      [String.raw`content:"a\\b"`, String.raw`a\b`],
      [String.raw`-content:"\\" x`, '\\'],
      [String.raw`"gr\195\188n \x"`, String.raw`gr\195\188n \x`],
      [String.raw`a"b`, 'a"b'],
      [String.raw`a\"b`, String.raw`a\"b`],
    ]
    for (const [query, text] of given) assert.equal(textTerm(query).texts[0], text)
    assert.lengthOf(parseSearch(String.raw`"a \" b" c`), 2)
    assert.throws(() => parseSearch(String.raw`"a\"`), /is not closed/)
  })

  test('escaped characters of a record string are also found unescaped', ({ assert }) => {
    const term = textTerm(String.raw`content:"say \"grün\""`)
    assert.isTrue(matchesText(term, String.raw`"i say \"gr\195\188n\" now"`))
    assert.isTrue(matchesText(term, 'i say "grün" now'))
    assert.isFalse(matchesText(term, 'i say grün now'))
  })

  test('a pattern matches a text with its quotes and without them', ({ assert }) => {
    for (const [query, value, isMatch] of [
      ['content:mail*', '"Mail 11"', true],
      ['content:mail*', 'mail.example.org', true],
      ['content:*11', '"Mail 11"', true],
      ['content:m?il?11', '"Mail 11"', true],
      ['content:*mail*', '0 issue "mail"', true],
      ['content:mail', '"Mail 11"', true],
      ['content:ail*', '"Mail 11"', false],
      ['content:*1', '"Mail 12"', false],
      ['content:mail*', '0 issue "mail"', false],
      ['name:mail*', '"mail', false],
    ] as [string, string, boolean][]) {
      assert.equal(matchesText(textTerm(query), value), isMatch, `${query} ${value}`)
    }
    assert.deepEqual(likePatterns(textTerm('content:a*b')), ['a%b', '"a%b"'])
    assert.deepEqual(likePatterns(textTerm('name:a*b')), ['a%b'])
    assert.deepEqual(literalsOf(textTerm('content:a*b')), [['a', 'b']])
  })

  test('international names are also searched in punycode', ({ assert }) => {
    assert.includeMembers(textTerm('münchen').texts, [
      'münchen',
      'xn--mnchen-3ya',
      'm\\195\\188nchen',
    ])
  })

  test('any text is either parsed or refused with a message', ({ assert }) => {
    const piece = fc.oneof(
      fc.constantFrom('-', '"', ':', 'name:', 'ttl<', 'ttl:', 'type:', ' ', '*', '!'),
      fc.string()
    )
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        try {
          assert.isNotEmpty(parseSearch(pieces.join('')))
        } catch (error) {
          assert.instanceOf(error, SearchQueryError)
        }
      })
    )
  })

  test('the database finds the same rows as the reference', ({ assert }) => {
    fc.assert(
      fc.property(
        fc.constantFrom('name', 'content', 'zone', 'comment'),
        word,
        haystack,
        (field, text, value) => {
          const term = textTerm(`${field}:${text}`)
          const byLike = likePatterns(term).some((pattern) => like(pattern, value))
          assert.equal(byLike, matchesText(term, value))
        }
      )
    )
  })

  test('matching takes at most the product of both lengths', ({ assert }) => {
    const name = 'a'.repeat(60)
    for (const part of ['*?', '*a', '?*?']) {
      assert.isFalse(matchesText(textTerm(`name:${part.repeat(25)}!`), name))
      assert.isTrue(matchesText(textTerm(`name:${part.repeat(25)}*`), name))
    }
  })

  test('each match contains the literal texts of one spelling', ({ assert }) => {
    fc.assert(
      fc.property(word, haystack, (text, value) => {
        const term = textTerm(`name:${text}`)
        fc.pre(matchesText(term, value))
        assert.isTrue(literalsOf(term).some((parts) => parts.every((part) => value.includes(part))))
      })
    )
  })

  test('results are ranked: whole names, prefixes, words, parts; names before contents', ({
    assert,
  }) => {
    const terms = parseSearch('mail')
    const scores = ['mail', 'mail.example', 'a.mail.example', 'amail.example'].map((name) =>
      scoreOf(terms, { name, text: null })
    )
    assert.deepEqual(
      scores,
      [...scores].sort((a, b) => b - a)
    )
    assert.lengthOf([...new Set(scores)], 4)
    assert.isBelow(scoreOf(terms, { name: 'x', text: 'mail' }), scores[0])
    assert.isAbove(scoreOf(terms, { name: 'x', text: 'amail' }), 0)
  })
})
