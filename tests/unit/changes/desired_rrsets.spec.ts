import { test } from '@japa/runner'
import type { RecordAction } from '#changes/model/change_set'
import { desiredRRsets } from '#changes/planning/target_rrsets'
import type { RRset } from '#dns/types'

const zone = { name: 'a.test' }
const at = { name: 'www.a.test.', type: 'A' }
const COUNT = 10_000

/** Addresses, all different. */
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
    test(`${what} cost the same each, however large it is`, ({ assert }) => {
      const before = setOf(COUNT)
      const started = performance.now()
      const [set] = desiredRRsets(zone, [before], actions)
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
    assert.throws(() => desiredRRsets(zone, [setOf(3)], twice), /not found/)
  })
})
