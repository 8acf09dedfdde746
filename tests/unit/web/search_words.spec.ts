import i18nManager from '@adonisjs/i18n/services/main'
import { test } from '@japa/runner'
import { recordTypes } from '#dns/records/registry'
import { SEARCH_FIELDS } from '#dns/search/fields'
import { parseSearch } from '#dns/search/query'
import { searchGrammar, type SuggestedField as OfferedField } from '#web/palette/search_grammar'

interface Words {
  offersAt(
    fields: OfferedField[],
    text: string,
    caret: number,
    isAsked?: boolean
  ): { from: number; offers: { text: string; label: string }[] }
}

const TTL = ['ttl<', 'ttl>', 'ttl<=', 'ttl>=', 'ttl=']
const HEADS = ['name:', 'content:', 'zone:', 'type:', ...TTL, 'disabled:', 'comment:']

/** Suggestions at the caret `|`. */
const CASES: [text: string, offers: string[]][] = [
  ['|', []],
  ['n|', ['name:']],
  ['C|', ['content:', 'comment:']],
  ['mail c|', ['content:', 'comment:']],
  ['-t|', ['-type:', ...TTL.map((head) => `-${head}`)]],
  ['-|', HEADS.map((head) => `-${head}`)],
  ['ttl<|', []],
  ['ttl<300|', []],
  ['name:|', []],
  ['mail |', []],
  ['disabled:|', ['disabled:true', 'disabled:false']],
  ['disabled:T|', ['disabled:true']],
  ['disabled:true|', []],
  ['mail -type:nap|', ['-type:NAPTR']],
  ['type:mx,NAP|', ['type:MX,NAPTR']],
  ['type:NAPTR,nap|', []],
  // No suggestion starts within a word or within quotes.
  ['n|ame', []],
  ['"some c|', []],
  ['comment:"some c|', []],
  ['"a \\" c|', []],
  ['"some words" c|', ['content:', 'comment:']],
  ['2001:db8:c|', []],
]

test.group('Search suggestions', (group) => {
  let words: Words
  let grammar: OfferedField[]

  group.setup(async () => {
    words = (await import('../../../resources/js/search_words.js' as string)) as Words
    grammar = JSON.parse(searchGrammar(i18nManager.locale('en'))) as OfferedField[]
  })

  const offers = (text: string, isAsked = false) => {
    const caret = text.indexOf('|')
    const found = words.offersAt(grammar, text.replace('|', ''), caret, isAsked)
    return found.offers.map((offer) => offer.text)
  }

  for (const [text, expected] of CASES) {
    test(`${text} suggests ${expected.join(' ') || 'nothing'}`, ({ assert }) => {
      assert.deepEqual(offers(text), expected)
    })
  }

  test('on request, all fields are suggested where a word could begin', ({ assert }) => {
    assert.deepEqual(offers('|', true), HEADS)
    assert.deepEqual(offers('mail |', true), HEADS)
    assert.deepEqual(offers('"some |', true), [])
  })

  test('a word is replaced from its start', ({ assert }) => {
    assert.equal(words.offersAt(grammar, 'mail  -type:n', 13).from, 6)
  })

  test('every part of the grammar is suggested, and every suggestion can be parsed', ({
    assert,
  }) => {
    const known = SEARCH_FIELDS.map(({ name }) => name)
    const named = grammar.map(({ heads }) => /^[a-z]+/.exec(heads[0])?.[0] ?? '')
    assert.sameMembers(named, known)
    for (const { heads, values, label } of grammar) {
      assert.isFalse(label.includes('about_'), label)
      for (const head of heads) {
        for (const value of values.length > 0 ? values : ['300']) {
          assert.lengthOf(parseSearch(head + value), 1)
        }
      }
    }
    assert.lengthOf(offers('type:|'), recordTypes().length)
  })

  test('a long search is parsed quickly', ({ assert }) => {
    assert.deepEqual(offers(`${'a:"b" '.repeat(160)}n|`), ['name:'])
  })
})
