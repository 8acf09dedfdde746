import { test } from '@japa/runner'
import { IdSet } from '#database/rows/id_set'
import { Random } from '#tests/support/random'

test.group('Sets of ids', () => {
  const SETS: [string, number[]][] = [
    ['none', []],
    ['one', [7]],
    ['the lowest', [0, 1, 2]],
    ['side by side', [40, 41, 43, 44, 47, 48, 55, 56]],
    ['far apart', [1, 1_000_000, 9_007_199_254_740_991]],
    ['in no order, and twice', [9, 3, 3, 12, 9, 0]],
    ['beyond 32 bits', [4_294_967_296, 4_294_967_297, 4_294_967_301]],
  ]

  for (const [name, ids] of SETS) {
    test(`a set contains its ids: ${name}`, ({ assert }) => {
      const set = IdSet.union(ids)
      const sorted = [...new Set(ids)].sort((one, other) => one - other)
      assert.deepEqual([...set], sorted)
      assert.equal(set.size, sorted.length)
      for (const id of ids) {
        assert.isTrue(set.has(id))
        for (const near of [id - 1, id + 1, id + 8, id - 8]) {
          assert.equal(set.has(near), sorted.includes(near), `${near}`)
        }
      }
    })
  }

  test('a set takes at most one bit for each id of its range, or 8 bytes per id', ({ assert }) => {
    const random = new Random(1)
    const dense = Array.from({ length: 5_000 }, () => random.below(20_000))
    assert.isAtMost(IdSet.union(dense).bytes, 2_501)
    const sparse = dense.map((id) => id * 1_000_003)
    assert.isAtMost(IdSet.union(sparse).bytes, 8 * 5_000)
    assert.deepEqual(
      [...IdSet.union(sparse)],
      [...IdSet.union(dense)].map((id) => id * 1_000_003)
    )
  })
})
