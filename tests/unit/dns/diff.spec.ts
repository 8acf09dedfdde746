import { test } from '@japa/runner'
import { applyChanges, diffRRsets, operationsApart, operationsOf, sameRRset } from '#dns/diff'
import type { Operation, RecordId, RRset } from '#dns/types'

type Item = string | [content: string, id: RecordId]

function rrset(items: Item[], more: Partial<RRset> = {}): RRset {
  const records = items.map((item) => {
    const [content, id] = typeof item === 'string' ? [item, undefined] : item
    return { ...(id === undefined ? {} : { id }), content, priority: 0, disabled: false }
  })
  return { name: 'www.example.org', type: 'A', ttl: 300, records, ...more }
}

test.group('sameRRset', () => {
  test('order and ids do not matter', ({ assert }) => {
    assert.isTrue(sameRRset(rrset(['a', 'b']), rrset([['b', 1], 'a'])))
  })

  test('TTL, contents, repetition, priority and disabled matter', ({ assert }) => {
    const one = rrset(['a', 'a', 'b'])
    assert.isFalse(sameRRset(one, { ...one, ttl: 301 }))
    assert.isFalse(sameRRset(one, rrset(['a', 'b', 'b'])))
    assert.isFalse(sameRRset(one, rrset(['a', 'b'])))
    assert.isFalse(sameRRset(rrset(['a', 'a']), one))
    assert.isFalse(sameRRset(one, { ...one, name: 'x.example.org' }))
    const [first, ...others] = one.records
    assert.isFalse(sameRRset(one, { ...one, records: [{ ...first, priority: 1 }, ...others] }))
    assert.isFalse(sameRRset(one, { ...one, records: [{ ...first, disabled: true }, ...others] }))
  })
})

test.group('diffRRsets', () => {
  test('changes are sorted by name, then type', ({ assert }) => {
    const stays = rrset(['s'], { name: 'm.example.org' })
    const old = rrset(['x'], { name: 'z.example.org' })
    const txt = rrset(['t'], { name: 'b.example.org', type: 'TXT' })
    const mx = rrset(['m'], { name: 'b.example.org', type: 'MX' })
    const newMx = { ...mx, ttl: 60 }
    assert.deepEqual(diffRRsets([old, stays, mx], [txt, stays, newMx]), [
      { name: 'b.example.org', type: 'MX', before: mx, after: newMx },
      { name: 'b.example.org', type: 'TXT', before: null, after: txt },
      { name: 'z.example.org', type: 'A', before: old, after: null },
    ])
  })

  test('an RRset without records counts as missing', ({ assert }) => {
    assert.deepEqual(diffRRsets([], [rrset([])]), [])
    assert.deepEqual(diffRRsets([rrset([])], []), [])
    assert.isNull(diffRRsets([rrset(['a'])], [rrset([])])[0].after)
  })

  test('unchanged rows with different TTLs are no change; unifying them is a change', ({
    assert,
  }) => {
    const even = rrset(['a', 'b'])
    const uneven = { ...even, records: [even.records[0], { ...even.records[1], ownTtl: 600 }] }
    assert.deepEqual(diffRRsets([uneven], [{ ...uneven }]), [])
    const [change] = diffRRsets([uneven], [even])
    assert.deepEqual(operationsOf(change), ['update'])
    const [more] = diffRRsets([uneven], [rrset(['a', 'b', 'c'])])
    assert.deepEqual(operationsOf(more), ['create'])
  })

  test('applying a diff does not change the given state', ({ assert }) => {
    const state = [rrset(['a'])]
    const changes = diffRRsets(state, [])
    assert.deepEqual(applyChanges(state, changes), [])
    assert.deepEqual(state, [rrset(['a'])])
  })
})

test.group('operations of a change', () => {
  test('{0}: {3}')
    .with([
      ['new RRset', null, rrset(['a', 'b']), ['create']],
      ['RRset removed', rrset(['a', 'b']), null, ['delete']],
      ['nothing at all', null, null, []],
      ['nothing new', rrset(['a', 'b']), rrset(['b', 'a']), []],
      ['TTL only', rrset(['a']), rrset(['a'], { ttl: 60 }), ['update']],
      ['one added', rrset(['a']), rrset(['a', 'b']), ['create']],
      ['one added, new TTL', rrset(['a']), rrset(['a', 'b'], { ttl: 60 }), ['create', 'update']],
      ['all replaced, new TTL', rrset(['a']), rrset(['b', 'c'], { ttl: 60 }), ['create', 'update']],
      ['one removed', rrset(['a', 'b']), rrset(['a']), ['delete']],
      ['one for one', rrset(['a', 'b']), rrset(['a', 'c']), ['update']],
      ['two for one', rrset(['a']), rrset(['b', 'c']), ['create', 'update']],
      ['one for two', rrset(['a', 'b']), rrset(['c']), ['update', 'delete']],
      ['one of two twins removed', rrset(['a', 'a']), rrset(['a']), ['delete']],
      ['edited by id', rrset([['a', 1]]), rrset([['b', 1]]), ['update']],
      [
        'edited by id, and its old one new',
        rrset([['a', 1]]),
        rrset([['b', 1], 'a']),
        ['create', 'update'],
      ],
      [
        'one edited, one removed',
        rrset([
          ['a', 1],
          ['b', 2],
        ]),
        rrset([['c', 1]]),
        ['update', 'delete'],
      ],
      [
        'one removed, others by id',
        rrset([
          ['a', 1],
          ['b', 2],
        ]),
        rrset([['a', 1]]),
        ['delete'],
      ],
      ['ids on one side only', rrset([['a', 1]]), rrset(['a']), []],
    ] as [string, RRset | null, RRset | null, Operation[]][])
    .run(({ assert }, [, before, after, operations]) => {
      const change = { name: 'www.example.org', type: 'A', before, after }
      assert.deepEqual(operationsOf(change), operations)
    })

  test('a deleted and an added record are a deletion and a creation', ({ assert }) => {
    const operations = (from: Item[], to: Item[], ttl = 300) =>
      operationsApart({
        name: 'www.example.org',
        type: 'A',
        before: from.length > 0 ? rrset(from) : null,
        after: to.length > 0 ? rrset(to, { ttl }) : null,
      })
    assert.deepEqual(operations(['a'], ['b']), ['create', 'delete'])
    assert.deepEqual(operations([['a', 1]], ['b']), ['create', 'delete'])
    assert.deepEqual(operations([['a', 1]], [['b', 1]]), ['update'])
    assert.deepEqual(operations(['a', 'b'], ['a']), ['delete'])
    assert.deepEqual(operations([], ['a']), ['create'])
    assert.deepEqual(operations(['a'], ['a', 'b'], 60), ['create', 'update'])
    assert.deepEqual(operations(['a'], ['a']), [])
  })
})
