import { test } from '@japa/runner'
import fc from 'fast-check'
import { linkedAfter, templateDrift, type LocalChanges } from '#dns/templates/drift'
import type { RRset } from '#dns/types'

const APEX = 'example.com'
const MODES: LocalChanges[] = ['keep', 'overwrite']

function set(name: string, type: string, contents: string[], ttl = 60): RRset {
  const records = contents.map((content) => ({ content, priority: 0, disabled: false }))
  return { name: name === '@' ? APEX : `${name}.${APEX}`, type, ttl, records }
}

const A = (...contents: string[]) => [set('www', 'A', contents)]
const CNAME = (content: string) => [set('www', 'CNAME', [content])]
const SOA = (serial: number, minimum: number) => [
  set('@', 'SOA', [`ns.test hostmaster.test ${serial} 1 2 3 ${minimum}`]),
]

/** Returns the cause of the drift, and the contents in both modes; null without drift. */
function drift(given: RRset[], current: RRset[], wanted: RRset[]) {
  const [difference] = templateDrift({ apex: APEX, wanted, given, current })
  if (!difference) return null
  const contents = (state: RRset | null) => state?.records.map(({ content }) => content) ?? null
  const { cause, after } = difference
  return [cause, contents(after.keep), contents(after.overwrite)]
}

test.group('Drift between a zone and its template', () => {
  for (const [what, given, current, wanted, expected] of [
    ['nothing changed', A('1.1.1.1'), A('1.1.1.1'), A('1.1.1.1'), null],
    ['the template says more', [], [], A('1.1.1.1'), ['template', ['1.1.1.1'], ['1.1.1.1']]],
    [
      'the template changed',
      A('1.1.1.1'),
      A('1.1.1.1'),
      A('2.2.2.2'),
      ['template', ['2.2.2.2'], ['2.2.2.2']],
    ],
    ['the template says less', A('1.1.1.1'), A('1.1.1.1'), [], ['template', null, null]],
    [
      'people added a record, which stays',
      A('1.1.1.1'),
      A('1.1.1.1', '9.9.9.9'),
      [],
      ['template', ['9.9.9.9'], ['9.9.9.9']],
    ],
    ['people added a record beside', A('1.1.1.1'), A('1.1.1.1', '9.9.9.9'), A('1.1.1.1'), null],
    ['people took it away', A('1.1.1.1'), [], A('1.1.1.1'), ['zone', null, ['1.1.1.1']]],
    [
      'people changed it',
      A('1.1.1.1'),
      A('9.9.9.9'),
      A('1.1.1.1'),
      ['zone', ['9.9.9.9'], ['9.9.9.9', '1.1.1.1']],
    ],
    [
      'both changed it',
      A('1.1.1.1'),
      A('9.9.9.9'),
      A('2.2.2.2'),
      ['both', ['9.9.9.9'], ['9.9.9.9', '2.2.2.2']],
    ],
    ['both took it away', A('1.1.1.1'), [], [], null],
    ['people had it before the template said it', [], A('1.1.1.1'), A('1.1.1.1'), null],
    [
      'people have others where the template says one',
      [],
      A('9.9.9.9'),
      A('1.1.1.1'),
      ['template', ['9.9.9.9', '1.1.1.1'], ['9.9.9.9', '1.1.1.1']],
    ],
    [
      'a CNAME of the template that people changed',
      CNAME('a.test'),
      CNAME('b.test'),
      CNAME('a.test'),
      ['zone', ['b.test'], ['a.test']],
    ],
    [
      'a CNAME that people wrote is never replaced',
      [],
      CNAME('b.test'),
      CNAME('a.test'),
      ['zone', ['b.test'], ['b.test']],
    ],
    [
      'a CNAME that people changed, and the template gave up',
      CNAME('a.test'),
      CNAME('b.test'),
      [],
      null,
    ],
    ['another serial', SOA(1, 4), SOA(77, 4), SOA(1, 4), null],
    ['an SOA record that the template gave up stays', SOA(1, 4), SOA(7, 4), [], null],
    [
      'timers of the SOA record',
      SOA(1, 4),
      SOA(7, 4),
      SOA(1, 5),
      ['template', ['ns.test hostmaster.test 1 1 2 3 5'], ['ns.test hostmaster.test 1 1 2 3 5']],
    ],
    [
      'another form of the same content',
      [set('www', 'AAAA', ['2001:db8::1'])],
      [set('www', 'AAAA', ['2001:DB8:0::1'])],
      [set('www', 'AAAA', ['2001:db8::1'])],
      null,
    ],
  ] as const) {
    test(what, ({ assert }) => {
      assert.deepEqual(drift([...given], [...current], [...wanted]), expected as unknown)
    })
  }

  test('a TTL follows the template, unless users changed it or the RRset existed before', ({
    assert,
  }) => {
    const ttls = (given: RRset[], current: RRset[], wanted: RRset[]) => {
      const [difference] = templateDrift({ apex: APEX, wanted, given, current })
      const after = difference?.after
      return difference && [difference.cause, after?.keep?.ttl, after?.overwrite?.ttl]
    }
    const of = (ttl: number, ...contents: string[]) => [set('www', 'A', contents, ttl)]
    assert.deepEqual(ttls(of(60, '1.1.1.1'), of(60, '1.1.1.1'), of(90, '1.1.1.1')), [
      'template',
      90,
      90,
    ])
    assert.deepEqual(ttls(of(60, '1.1.1.1'), of(70, '1.1.1.1'), of(60, '1.1.1.1')), [
      'zone',
      70,
      60,
    ])
    assert.deepEqual(ttls(of(60, '1.1.1.1'), of(70, '1.1.1.1'), of(90, '1.1.1.1')), [
      'both',
      70,
      90,
    ])
    assert.deepEqual(ttls([], of(70, '9.9.9.9'), of(90, '1.1.1.1')), ['template', 70, 70])
    assert.isUndefined(
      ttls([], [set('www', 'CNAME', ['a.test'], 70)], [set('www', 'CNAME', ['a.test'], 90)])
    )
  })

  test('a disabled record is only enabled if edits of the zone are overwritten', ({ assert }) => {
    const disabled = A('1.1.1.1').map((rrset) => ({
      ...rrset,
      records: rrset.records.map((record) => ({ ...record, disabled: true })),
    }))
    const [{ cause, after }] = templateDrift({
      apex: APEX,
      wanted: A('1.1.1.1'),
      given: A('1.1.1.1'),
      current: disabled,
    })
    assert.equal(cause, 'zone')
    assert.isTrue(after.keep?.records[0].disabled)
    assert.isFalse(after.overwrite?.records[0].disabled)
  })
})

test.group('Properties of drift', () => {
  const contents = fc.uniqueArray(fc.constantFrom('1.1.1.1', '2.2.2.2', '3.3.3.3', '9.9.9.9'))
  const sets = fc
    .record({ a: contents, b: contents, ttl: fc.constantFrom(60, 90) })
    .map(({ a, b, ttl }) =>
      [set('www', 'A', a, ttl), set('@', 'A', b, 60)].filter(({ records }) => records.length > 0)
    )
  const items = (state: RRset[]) =>
    new Set(
      state.flatMap(({ name, records }) => records.map(({ content }) => `${name} ${content}`))
    )

  test('after a sync there is no drift, and edits of users are kept', ({ assert }) => {
    fc.assert(
      fc.property(sets, sets, sets, fc.constantFrom(...MODES), (given, current, wanted, mode) => {
        const input = { apex: APEX, wanted, given, current }
        const after = new Map(current.map((it) => [it.name, it]))
        for (const { name, after: states } of templateDrift(input)) {
          const state = states[mode]
          if (state) after.set(name, state)
          else after.delete(name)
        }
        const synced = [...after.values()]
        const [had, there, now] = [items(given), items(current), items(synced)]
        for (const item of there) {
          if (!had.has(item)) assert.isTrue(now.has(item), item)
        }
        const next = { ...input, given: linkedAfter(input, mode), current: synced }
        for (const difference of templateDrift(next)) {
          assert.equal(mode, 'keep')
          assert.notEqual(difference.cause, 'template')
        }
        for (const item of items(next.given)) {
          const isLinked = had.has(item) || (now.has(item) && !there.has(item))
          assert.isTrue(isLinked, `${item} was never given`)
        }
      }),
      { numRuns: 3000 }
    )
  })
})
