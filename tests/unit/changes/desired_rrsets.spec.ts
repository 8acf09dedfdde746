import { test } from '@japa/runner'
import type { RecordAction } from '#changes/model/change_set'
import { computeTargetRRsets } from '#changes/planning/target_rrsets'
import { diffRRsets, isEvenedAlone } from '#dns/diff'
import type { RRset } from '#dns/types'

const zone = { name: 'a.test' }
const at = { name: 'www.a.test.', type: 'A' }
const COUNT = 10_000

/** Returns unique addresses. */
function address(index: number): string {
  return `10.0.${Math.floor(index / 250)}.${index % 250}`
}

function setOf(count: number): RRset {
  const records = Array.from({ length: count }, (_, id) => ({
    id,
    content: address(id),
    priority: 0,
    disabled: false,
  }))
  return { name: 'www.a.test', type: 'A', ttl: 300, records }
}

test.group('Many actions on one large RRset', () => {
  const each = (make: (index: number) => RecordAction) =>
    Array.from({ length: COUNT }, (_, index) => make(index))
  const remove = (content: string, priority?: number): RecordAction => {
    return { op: 'remove', ...at, records: [{ content, priority }] }
  }
  const record = { ...at, ttl: 300, priority: 0, disabled: false }
  const cases: [what: string, actions: RecordAction[], left: number][] = [
    ['removals of nothing', each(() => remove('192.0.2.1', 0)), COUNT],
    ['removals of each', each((index) => remove(address(index))), 0],
    ['deletions of each', each((id) => ({ op: 'delete', id })), 0],
    [
      'removals and additions by turns',
      each((index) =>
        index % 2
          ? { op: 'add', record: { ...record, content: address(index - 1) } }
          : remove(address(index))
      ),
      COUNT,
    ],
  ]
  for (const [what, actions, left] of cases) {
    test(`${what} cost the same each, for any size`, ({ assert }) => {
      const before = setOf(COUNT)
      const started = performance.now()
      const [set] = computeTargetRRsets(zone, [before], actions)
      assert.isBelow(performance.now() - started, 10_000)
      assert.lengthOf(set?.records ?? [], left)
      assert.lengthOf(before.records, COUNT)
    })
  }

  test('a record is deleted once', ({ assert }) => {
    const twice: RecordAction[] = [
      { op: 'delete', id: 1 },
      { op: 'delete', id: 1 },
    ]
    assert.throws(() => computeTargetRRsets(zone, [setOf(3)], twice), /not found/)
  })
})

test.group('Invalid stored values', () => {
  const stored: RRset = {
    name: 'x..y.a.test',
    type: 'MX',
    ttl: -5,
    records: [
      { id: 1, content: '', priority: 99_999, disabled: false },
      { id: 2, content: 'no host name', priority: 10, disabled: false, ownTtl: 3_000_000_000 },
    ],
  }
  const name = 'x..y.a.test.'
  const type = 'MX'
  const whole = { name, type, content: '', ttl: -5, priority: 99_999, disabled: false }
  const other = { ...whole, content: 'no host name', priority: 10, ttl: 3_000_000_000 }
  const records = stored.records.map(({ content, priority, disabled }) => ({
    content,
    priority,
    disabled,
  }))
  const edit = (id: number, patch: object): RecordAction => ({ op: 'edit', id, patch })
  const set = (overrides: object = {}): RecordAction => ({
    op: 'set',
    ...{ name: 'x..y.a.test', type, ttl: -5, records, isStoredName: true },
    ...overrides,
  })

  test('an unchanged invalid value is no change: {0}')
    .with([
      ['a whole record', edit(1, whole)],
      ['a whole record with its own TTL', edit(2, other)],
      ['a relative name', edit(1, { ...whole, name: 'x..y' })],
      ['a name in capitals', edit(1, { ...whole, name: 'X..Y.A.test' })],
      ['no member', edit(2, {})],
      ['an RRset', set()],
    ] as [string, RecordAction][])
    .run(({ assert }, [, action]) => {
      const after = computeTargetRRsets(zone, [stored], [action])
      // An RRset has one TTL (RFC 2181, section 5.2), which an action on the whole RRset contains.
      const changes = diffRRsets([stored], after).filter((change) => !isEvenedAlone(change))
      assert.lengthOf(changes, 0)
    })

  test('an invalid value stays if another member changes: {0}')
    .with([
      ['disabled', edit(1, { ...whole, disabled: true })],
      ['name', edit(1, { ...whole, name: 'mail' })],
      ['ttl', edit(1, { ...whole, ttl: 60 })],
      ['content', edit(1, { ...whole, content: 'mail.a.test' })],
      ['priority', edit(2, { ...other, priority: 20 })],
      [
        'a record more',
        set({ records: [...records, { content: 'b.test', priority: 1, disabled: false }] }),
      ],
    ] as [string, RecordAction][])
    .run(({ assert }, [, action]) => {
      const after = computeTargetRRsets(zone, [stored], [action])
      assert.isAbove(diffRRsets([stored], after).length, 0)
    })

  test('an invalid new value is refused: {0}')
    .with([
      ['name', edit(1, { ...whole, name: 'z..y' })],
      ['ttl', edit(1, { ...whole, ttl: -6 })],
      ['priority', edit(1, { ...whole, priority: 99_998 })],
      ['content', edit(1, { ...whole, content: 'no name' })],
      ['content', edit(2, { ...other, content: '' })],
      ['ttl', set({ ttl: -6 })],
      ['priority', set({ records: [{ ...records[0], content: 'b.test' }] })],
    ] as [string, RecordAction][])
    .run(({ assert }, [field, action]) => {
      const plan = () => computeTargetRRsets(zone, [stored], [action])
      assert.throws(plan, new RegExp(`Field '${field}'`))
    })
})
