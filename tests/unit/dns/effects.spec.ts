import i18nManager from '@adonisjs/i18n/services/main'
import { test } from '@japa/runner'
import { effectsOf, EFFECT_KINDS } from '#dns/effects'
import { riskOf, REASONS_BY_LEVEL as RULES, type RiskReason } from '#dns/risk'
import type { RRset, RRsetChange } from '#dns/types'
import { effectText, riskText } from '#transformers/plan_words'

const APEX = 'example.com'

/** An RRset in one line: `ttl content, content`. A content after `-` is disabled. null is no RRset. */
function set(name: string, type: string, text: string | null): RRset | null {
  if (text === null) return null
  const [seconds, ...rest] = text.split(' ')
  const records = rest
    .join(' ')
    .split(', ')
    .map((content) => ({
      content: content.replace(/^-|^\d+\//, ''),
      priority: Number(/^(\d+)\//.exec(content)?.[1] ?? 0),
      disabled: content.startsWith('-'),
    }))
  return { name, type, ttl: Number(seconds), records }
}

function change(key: string, before: string | null, after: string | null): RRsetChange {
  const [name, type] = key.split(' ')
  return { name, type, before: set(name, type, before), after: set(name, type, after) }
}

const CASES: [key: string, before: string | null, after: string | null, message: string | null][] =
  [
    ['www.example.com A', null, '60 192.0.2.1', 'www.example.com gets an A record: 192.0.2.1'],
    [
      'www.example.com AAAA',
      '60 2001:db8::1',
      null,
      'www.example.com no longer has an AAAA record',
    ],
    [
      'www.example.com A',
      '60 192.0.2.1',
      '60 192.0.2.2',
      'www.example.com A: 192.0.2.1 → 192.0.2.2',
    ],
    [
      'www.example.com A',
      '60 192.0.2.1',
      '60 192.0.2.1, 192.0.2.2',
      'www.example.com A: 192.0.2.2 added',
    ],
    [
      'www.example.com A',
      '60 192.0.2.1',
      '60 -192.0.2.1',
      'www.example.com no longer has an A record',
    ],
    ['www.example.com A', '60 -192.0.2.1', '60 -192.0.2.2', null],
    [
      'www.example.com A',
      '60 192.0.2.1',
      '300 192.0.2.1',
      'www.example.com A: TTL 60 → 300 seconds',
    ],
    ['example.com MX', null, '60 10/mx.example.net', 'Mail for example.com goes to mx.example.net'],
    ['example.com MX', '60 10/mx.example.net', null, 'example.com no longer accepts mail (no MX)'],
    [
      '*.example.com TXT',
      null,
      '60 "x"',
      'each name below example.com without records gets TXT records: "x"',
    ],
    [
      'sub.example.com NS',
      null,
      '60 ns.example.net',
      'sub.example.com and all names below it are delegated to ns.example.net',
    ],
    [
      'sub.example.com NS',
      '60 ns.example.net',
      null,
      'sub.example.com and all names below it are no longer delegated',
    ],
    ['a.example.com CNAME', null, '60 b.example.com', 'a.example.com is an alias of b.example.com'],
    ['a.example.com CNAME', '60 b.example.com', null, 'a.example.com is no longer an alias'],
    [
      'www.example.com AAAA',
      '60 2001:db8::1, 2001:db8::2',
      '60 2001:db8::1',
      'www.example.com AAAA: 2001:db8::2 removed',
    ],
    [
      'www.example.com TXT',
      '3600 "x"',
      '86400 "x"',
      'www.example.com TXT: TTL 3600 → 86400 seconds',
    ],
    [
      'www.example.com A',
      null,
      '60 192.0.2.1, 192.0.2.2, 192.0.2.3, 192.0.2.4, 192.0.2.5, 192.0.2.6, 192.0.2.7',
      'www.example.com gets an A record: 192.0.2.1, 192.0.2.2, 192.0.2.3, 192.0.2.4, 192.0.2.5 and 2 more',
    ],
  ]

test.group('Effects of changes', () => {
  for (const [key, before, after, message] of CASES) {
    test(`${key} from ${before} to ${after}`, ({ assert }) => {
      const effects = effectsOf(APEX, [change(key, before, after)])
      assert.deepEqual(
        effects.map((effect) => effectText(i18nManager.locale('en'), effect)),
        message === null ? [] : [message]
      )
    })
  }

  const all = CASES.flatMap(([key, before, after]) => effectsOf(APEX, [change(key, before, after)]))

  test('each message occurs in one of these effects', ({ assert }) => {
    assert.sameMembers([...new Set(all.map(({ messageKey }) => messageKey))], [...EFFECT_KINDS])
  })

  for (const language of ['de', 'ar']) {
    test(`${language}: each effect is translated, with the same names as in English`, ({
      assert,
    }) => {
      for (const effect of all) {
        const own = effectText(i18nManager.locale(language), effect)
        const english = effectText(i18nManager.locale('en'), effect)
        // The text of a replaced value is an arrow between two values, without a word to translate.
        if (language === 'de' && effect.messageKey === 'replaces') assert.equal(own, english)
        else assert.notEqual(own, english)
        const { first = [] } = effect.values ?? {}
        const values = [effect.name.replace(/^\*\./, ''), ...first, ...(effect.old?.first ?? [])]
        for (const one of values) assert.include(own, one)
      }
    })
  }
})

const RISKS: [key: string, before: string | null, after: string | null, rules: string[]][] = [
  ['www.example.com A', null, '60 192.0.2.1', []],
  ['www.example.com A', '60 192.0.2.1', null, ['delete']],
  ['safe.example.com A', null, '60 192.0.2.1', ['protected']],
  ['example.com A', null, '60 192.0.2.1', ['apex']],
  ['example.com NS', null, '60 ns.example.net', ['apex-ns']],
  ['sub.example.com NS', null, '60 ns.example.net', ['delegation']],
  ['sub.example.com DS', null, '60 1 8 2 00', ['dnssec']],
  ['x.example.com MX', null, '60 10/mx.example.net', ['mail']],
  ['*.example.com A', null, '60 192.0.2.1', ['wildcard']],
]

test.group('Risk of changes', () => {
  const plan = (changes: RRsetChange[], isDeletion = false) => ({
    apex: APEX,
    changes,
    isDeletion,
    isProtected: (name: string) => name === 'safe.example.com',
  })

  for (const [key, before, after, rules] of RISKS) {
    test(`${key} from ${before} to ${after}`, ({ assert }) => {
      const { reasons, level } = riskOf([plan([change(key, before, after)])])
      assert.deepEqual(
        reasons.map(({ rule }) => rule),
        rules
      )
      const levels = reasons.map((reason) => reason.level)
      assert.equal(level, levels.includes('high') ? 'high' : (levels.at(0) ?? 'low'))
    })
  }

  test('many changes are a separate risk, and the deletion of a zone is the greatest', ({
    assert,
  }) => {
    const many = Array.from({ length: 60 }, (_, index) =>
      change(`n${index}.example.com A`, null, '60 192.0.2.1')
    )
    assert.deepEqual(riskOf([plan(many)]).level, 'medium')
    assert.deepEqual(
      riskOf([plan([], true)]).reasons.map(({ rule }) => rule),
      ['zone-delete']
    )
  })

  test('every reason is translated, with its names', ({ assert }) => {
    const names = { first: ['www.example.com A', 'mail.example.com A'], more: 2 }
    for (const rule of RULES) {
      const reason: RiskReason = { rule, level: 'high', names, count: 1200 }
      const translations = ['en', 'de', 'ar'].map((one) =>
        riskText(i18nManager.locale(one), reason)
      )
      assert.lengthOf(new Set(translations), 3, rule)
      assert.isFalse(translations.some((text) => text.includes('risk_of_')))
      for (const text of translations)
        assert.isTrue(rule === 'size' || text.includes(names.first[1]))
    }
    const english = (rule: RiskReason['rule']) =>
      riskText(i18nManager.locale('en'), { rule, level: 'high', names, count: 1200 })
    assert.equal(english('size'), '1200 record sets change at once')
    assert.equal(
      english('delete'),
      'www.example.com A, mail.example.com A and 2 more: no longer resolves'
    )
  })
})
