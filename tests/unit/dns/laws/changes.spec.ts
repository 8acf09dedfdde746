import { test } from '@japa/runner'
import fc from 'fast-check'
import { applyChanges, diffRRsets, operationsOf, sameRRset } from '#dns/diff'
import { recordTypes } from '#dns/records/registry'
import { zoneOrder } from '#dns/zonefile/index'
import { hostileText } from '#tests/unit/dns/support/hostile_text'
import { LAW_RUNS } from '#tests/unit/dns/support/law_runs'
import { APEX, STORED_TYPES, zone } from '#tests/unit/dns/support/zones'
import type { RRset, RRsetChange } from '#dns/types'

const TYPES = recordTypes().map(({ type }) => type)

test.group('properties of changes', () => {
  const record = fc.record(
    {
      id: fc.oneof(fc.nat(5), fc.constantFrom('x', 'y')),
      content: fc.oneof(fc.constantFrom('a', 'b', '1 a', 'false a'), hostileText),
      priority: fc.nat(2),
      disabled: fc.boolean(),
    },
    { requiredKeys: ['content', 'priority', 'disabled'] }
  )
  const rrset = fc.record({
    name: fc.constantFrom('a.example.org', 'b.example.org', 'example.org'),
    type: fc.constantFrom('A', 'TXT', 'MX'),
    ttl: fc.constantFrom(0, 60, 300),
    records: fc.array(record, { minLength: 1, maxLength: 4 }),
  })
  const state = fc.uniqueArray(rrset, { selector: (it) => `${it.name} ${it.type}`, maxLength: 6 })
  const same = (one: RRset[], other: RRset[]) =>
    one.length === other.length && one.every((it) => other.some((that) => sameRRset(it, that)))

  test('applying the diff of a and b to a gives b', ({ assert }) => {
    const law = fc.property(state, state, (a, b) => {
      const result = applyChanges(a, diffRRsets(a, b))
      assert.isTrue(same(result, b))
      assert.deepEqual(diffRRsets(result, b), [])
    })
    fc.assert(law, LAW_RUNS)
  })

  test('every type with contents occurs in generated zones', ({ assert }) => {
    assert.deepEqual(
      TYPES.filter((type) => !STORED_TYPES.includes(type)),
      ['MAILA', 'MAILB']
    )
  })

  test('zones of any types: applying a diff gives the new zone, and reversing it the old one', ({
    assert,
  }) => {
    // Comparing strings is far faster than comparing objects.
    const text = (rrsets: RRset[]) => JSON.stringify(zoneOrder(rrsets, APEX))
    const undone = ({ before, after, ...key }: RRsetChange) => ({
      ...key,
      before: after,
      after: before,
    })
    const law = fc.property(zone, zone, fc.nat(255), (a, others, kept) => {
      // Consecutive states of a zone have most RRsets in common.
      const common = a.filter((_, at) => ((kept >> at) & 1) === 1)
      const keys = new Set(common.map(({ name, type }) => `${name} ${type}`))
      const b = [...common, ...others.filter(({ name, type }) => !keys.has(`${name} ${type}`))]
      const changes = diffRRsets(a, b)
      assert.equal(text(applyChanges(a, changes)), text(b))
      assert.equal(text(applyChanges(b, changes.map(undone))), text(a))
      for (const { name, type } of changes) assert.isFalse(keys.has(`${name} ${type}`))
    })
    fc.assert(law, LAW_RUNS)
  })

  test('the diff of a state with itself is empty', ({ assert }) => {
    const law = fc.property(state, (a) => {
      assert.deepEqual(diffRRsets(a, a), [])
    })
    fc.assert(law, LAW_RUNS)
  })

  test('every change of a diff has an operation, and its reversal has the opposite', ({
    assert,
  }) => {
    const withoutIds = state.map((rrsets) =>
      rrsets.map((it) => ({ ...it, records: it.records.map(({ id: _, ...rest }) => rest) }))
    )
    const opposite = { create: 'delete', update: 'update', delete: 'create' } as const
    const law = fc.property(withoutIds, withoutIds, (a, b) => {
      for (const change of diffRRsets(a, b)) {
        const operations = operationsOf(change)
        const undone = operationsOf({ ...change, before: change.after, after: change.before })
        assert.isNotEmpty(operations)
        assert.sameMembers(
          undone,
          operations.map((operation) => opposite[operation])
        )
      }
    })
    fc.assert(law, LAW_RUNS)
  })
})
