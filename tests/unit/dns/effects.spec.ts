import i18nManager from '@adonisjs/i18n/services/main'
import { test } from '@japa/runner'
import { effectsOf, EFFECT_KINDS } from '#dns/effects'
import { riskOf, RISKS as RULES, type RiskReason } from '#dns/risk'
import type { RRset, RRsetChange } from '#dns/types'
import { effectText, riskText } from '#transformers/plan_words'

const APEX = 'example.com'

/** An RRset in a line: `ttl content, content`; a content after `-` is disabled. null is none. */
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
    [
      'www.example.com A',
      null,
      '60 192.0.2.1',
      'www.example.com begins to answer on IPv4: 192.0.2.1',
    ],
    ['www.example.com AAAA', '60 2001:db8::1', null, 'www.example.com stops answering on IPv6'],
    [
      'www.example.com A',
      '60 192.0.2.1',
      '60 192.0.2.2',
      'www.example.com answers on IPv4: 192.0.2.2 instead of 192.0.2.1',
    ],
    [
      'www.example.com A',
      '60 192.0.2.1',
      '60 192.0.2.1, 192.0.2.2',
      'www.example.com answers on IPv4: also 192.0.2.2',
    ],
    [
      'www.example.com A',
      '60 192.0.2.1',
      '60 -192.0.2.1',
      'www.example.com stops answering on IPv4',
    ],
    ['www.example.com A', '60 -192.0.2.1', '60 -192.0.2.2', null],
    [
      'www.example.com A',
      '60 192.0.2.1',
      '300 192.0.2.1',
      'www.example.com A is kept for 300 seconds instead of 60',
    ],
    ['example.com MX', null, '60 10/mx.example.net', 'mail for example.com goes to mx.example.net'],
    ['example.com MX', '60 10/mx.example.net', null, 'example.com has no mail server any more'],
    [
      '*.example.com TXT',
      null,
      '60 "x"',
      'every name below example.com without records begins to answer for TXT: "x"',
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
    ['a.example.com CNAME', '60 b.example.com', null, 'a.example.com is no alias any more'],
    [
      'www.example.com AAAA',
      '60 2001:db8::1, 2001:db8::2',
      '60 2001:db8::1',
      'www.example.com answers on IPv6: no longer 2001:db8::2',
    ],
    [
      'www.example.com TXT',
      '3600 "x"',
      '86400 "x"',
      'www.example.com TXT is kept for 86400 seconds instead of 3600',
    ],
    [
      'www.example.com A',
      null,
      '60 192.0.2.1, 192.0.2.2, 192.0.2.3, 192.0.2.4, 192.0.2.5, 192.0.2.6, 192.0.2.7',
      'www.example.com begins to answer on IPv4: 192.0.2.1, 192.0.2.2, 192.0.2.3, 192.0.2.4, 192.0.2.5 and 2 more',
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

  test('each sentence is said of one of these', ({ assert }) => {
    assert.sameMembers([...new Set(all.map(({ says }) => says))], [...EFFECT_KINDS])
  })

  for (const language of ['de', 'ar']) {
    test(`${language}: each is said in the language, with what English names`, ({ assert }) => {
      for (const effect of all) {
        const own = effectText(i18nManager.locale(language), effect)
        const english = effectText(i18nManager.locale('en'), effect)
        assert.notEqual(own, english)
        const { first = [] } = effect.values ?? {}
        const told = [effect.name.replace(/^\*\./, ''), ...first, ...(effect.old?.first ?? [])]
        for (const one of told) assert.include(own, one)
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

  test('many changes are a risk of their own, and the end of a zone is the greatest', ({
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

  test('every reason is said in each language, with the names that it is about', ({ assert }) => {
    const names = { first: ['www.example.com A', 'mail.example.com A'], more: 2 }
    for (const rule of RULES) {
      const reason: RiskReason = { rule, level: 'high', names, count: 1200 }
      const said = ['en', 'de', 'ar'].map((one) => riskText(i18nManager.locale(one), reason))
      assert.lengthOf(new Set(said), 3, rule)
      assert.isFalse(said.some((text) => text.includes('risk_of_')))
      for (const text of said) assert.isTrue(rule === 'size' || text.includes(names.first[1]))
    }
    const english = (rule: RiskReason['rule']) =>
      riskText(i18nManager.locale('en'), { rule, level: 'high', names, count: 1200 })
    assert.equal(english('size'), '1200 RRsets change at once')
    assert.equal(
      english('delete'),
      'www.example.com A, mail.example.com A and 2 more: stops answering'
    )
  })
})
