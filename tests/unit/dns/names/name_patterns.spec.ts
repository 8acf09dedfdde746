import { test } from '@japa/runner'
import fc from 'fast-check'
import { matchesPattern, matchesWithin, namePattern } from '#dns/names/name_patterns'
import { hostileText, label, name, near } from '#tests/unit/dns/support/hostile_text'
import { LAW_RUNS } from '#tests/unit/dns/support/law_runs'
import { taken } from '#tests/unit/dns/support/unless_refused'
import { cpuMs } from '#tests/support/cpu_time'

/** Pattern, matching names, and names that do not match. */
const CASES: [string, string[], string[]][] = [
  [
    '_acme-challenge.www.example.com',
    ['_acme-challenge.www.example.com', '_ACME-Challenge.WWW.example.com'],
    ['www.example.com', '_acme-challenge.example.com', 'a._acme-challenge.www.example.com'],
  ],
  [
    '*.dyn.example.com',
    ['a.dyn.example.com', 'a.b.c.dyn.example.com', '*.dyn.example.com'],
    ['dyn.example.com', 'xdyn.example.com', 'a.dyn.example.com.org', 'example.com'],
  ],
  ['**.example.com', ['a.example.com', 'a.b.example.com'], ['example.com', 'aexample.com']],
  [
    '_acme-challenge.*.example.com',
    ['_acme-challenge.www.example.com'],
    ['_acme-challenge.example.com', '_acme-challenge.a.b.example.com', 'x.www.example.com'],
  ],
  [
    '_acme-challenge.**.example.com',
    ['_acme-challenge.www.example.com', '_acme-challenge.a.b.example.com'],
    ['_acme-challenge.example.com', '_acme-challenge.www.example.org'],
  ],
  [
    '**.a.**.example.com',
    ['x.a.y.example.com', 'x.a.a.y.example.com', 'a.a.a.example.com'],
    ['a.y.example.com', 'x.a.example.com', 'a.a.example.com'],
  ],
  ['a.**', ['a.b', 'a.b.c'], ['a', 'b.a']],
  ['*', ['com', 'a.b.c'], []],
]

/** Returns a regular expression of the pattern as a reference. */
function modelOf(pattern: string): RegExp {
  const parts = pattern
    .split('.')
    .map((it, index) => {
      if (it === '**' || (it === '*' && index === 0)) return '[^.]+(?:\\.[^.]+)*'
      return it === '*' ? '[^.]+' : it.replace(/[/\-]/g, '\\$&')
    })
    .join('\\.')
  return new RegExp(`^${parts}$`, 'i')
}

const few = fc.constantFrom('a', 'b', '_x')
const pattern = fc
  .array(fc.oneof(few, fc.constantFrom('*', '**')), { minLength: 1, maxLength: 6 })
  .map((labels) => labels.join('.'))
const short = fc.array(few, { minLength: 1, maxLength: 7 }).map((labels) => labels.join('.'))

test.group('patterns of owner names', () => {
  for (const [text, matching, others] of CASES) {
    test(`${text} matches its names and no others`, ({ assert }) => {
      const canonical = namePattern(text)
      for (const each of matching) assert.isTrue(matchesPattern(canonical, each), each)
      for (const each of others) assert.isFalse(matchesPattern(canonical, each), each)
    })
  }

  for (const [text, apex, expected] of [
    ['www.example.com', 'example.com', true],
    ['www.example.com', 'www.example.com', true],
    ['www.example.com', 'com', true],
    ['www.example.com', 'a.www.example.com', false],
    ['www.example.com', 'example.org', false],
    ['*.example.com', 'example.com', true],
    ['*.example.com', 'a.b.EXAMPLE.com', true],
    ['*.example.com', 'xexample.com', false],
    ['www.*.com', 'a.com', true],
    ['www.*.com', 'a.b.com', false],
    ['www.**.com', 'a.b.com', true],
    ['www.**', 'example.org', true],
    ['*.a.**.com', 'b.com', true],
    ['', 'example.com', false],
  ] as [string, string, boolean][]) {
    test(`${text} ${expected ? 'matches' : 'does not match'} within ${apex}`, ({ assert }) => {
      assert.equal(matchesWithin(text, apex), expected)
    })
  }

  test('property: a pattern matches a name within each parent name', ({ assert }) => {
    const law = fc.property(pattern, short, (text, candidate) => {
      const canonical = namePattern(text)
      fc.pre(matchesPattern(canonical, candidate))
      const labels = candidate.split('.')
      for (const index of labels.keys()) {
        assert.isTrue(matchesWithin(canonical, labels.slice(index).join('.')))
      }
    })
    fc.assert(law, LAW_RUNS)
  })

  test('the canonical form is lower case, punycode and without final dot', ({ assert }) => {
    assert.equal(namePattern('*.Bücher.Example.'), '*.xn--bcher-kva.example')
    assert.isTrue(matchesPattern(namePattern('*.bücher.example'), 'a.xn--bcher-kva.example'))
  })

  for (const text of [
    '',
    '.',
    'a..b',
    'host-*.example.com',
    '***.example',
    '*a.b',
    'a b',
    '-a.b',
  ]) {
    test(`${JSON.stringify(text)} is no pattern, and the message says what is`, ({ assert }) => {
      assert.throws(
        () => namePattern(text, 'patterns.0.name'),
        /Field 'patterns\.0\.name'.*allowed/
      )
    })
  }

  test('property: the canonical form of a canonical pattern is itself', ({ assert }) => {
    const law = fc.property(fc.oneof(hostileText, name.chain(near), pattern), (text) => {
      const canonical = taken(() => namePattern(text))
      if (canonical !== undefined) {
        assert.equal(namePattern(canonical), canonical)
        assert.equal(namePattern(`${canonical}.`), canonical)
      }
    })
    fc.assert(law, LAW_RUNS)
  })

  test('property: a name is a pattern that only matches itself', ({ assert }) => {
    const law = fc.property(name, name, (one, other) => {
      fc.pre(taken(() => namePattern(one)) !== undefined)
      assert.isTrue(matchesPattern(namePattern(one), one))
      assert.equal(matchesPattern(namePattern(one), other), one === other)
    })
    fc.assert(law, LAW_RUNS)
  })

  test('property: a pattern matches the same names as its regular expression', ({ assert }) => {
    const law = fc.property(pattern, short, (text, candidate) => {
      assert.equal(matchesPattern(namePattern(text), candidate), modelOf(text).test(candidate))
    })
    fc.assert(law, { numRuns: LAW_RUNS.numRuns * 5 })
  })

  test('property: a name that "*.apex" matches is below the apex', ({ assert }) => {
    const law = fc.property(name, label, name, (apex, first, other) => {
      fc.pre(taken(() => namePattern(apex)) !== undefined)
      assert.isTrue(matchesPattern(`*.${apex}`, `${first}.${apex}`))
      assert.equal(matchesPattern(`*.${apex}`, other), other.endsWith(`.${apex}`))
    })
    fc.assert(law, LAW_RUNS)
  })

  test('a hostile pattern is matched quickly', ({ assert }) => {
    const hostile = Array.from({ length: 60 }, () => '**.a').join('.')
    const ms = cpuMs(() => assert.isFalse(matchesPattern(hostile, `${'a.'.repeat(126)}b`)))
    assert.isBelow(ms, 100)
  })
})
