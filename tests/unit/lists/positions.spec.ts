import { test } from '@japa/runner'
import { PagePositions, storeKey } from '#lists/cache/page_positions'
import type { RowKey } from '#lists/row_key'

test.group('Cached positions of pages', (group) => {
  let now = 0
  let positions: PagePositions
  group.each.setup(() => {
    now = 1_000
    positions = new PagePositions(() => now)
  })

  test('a cached position is returned for the same version', ({ assert }) => {
    const known = positions.get('zones', '1')
    assert.isNull(known.total)
    known.total = 7
    storeKey(known.keys, 600, ['a', 1])
    const again = positions.get('zones', '1')
    assert.equal(again.total, 7)
    assert.deepEqual(again.keys.get(600), ['a', 1])
  })

  test('another version, and another list, have no positions', ({ assert }) => {
    positions.get('zones', '1').total = 7
    assert.isNull(positions.get('users', '1').total)
    assert.isNull(positions.get('zones', '2').total)
    // Versions do not repeat. A repeated version has no cached entries.
    assert.isNull(positions.get('zones', '1').total)
  })

  test('a position is valid for five seconds, however often it is read', ({ assert }) => {
    positions.get('zones', '1').total = 7
    for (const moment of [1_001, 3_000, 5_999]) {
      now = moment
      assert.equal(positions.get('zones', '1').total, 7)
    }
    now = 6_000
    assert.isNull(positions.get('zones', '1').total)
  })

  test('the 500 most recently used lists are cached', ({ assert }) => {
    for (let list = 0; list < 500; list++) {
      positions.get(`list ${list}`, '1').total = list
    }
    assert.equal(positions.get('list 0', '1').total, 0)
    positions.get('one more', '1')
    assert.equal(positions.get('list 0', '1').total, 0)
    assert.equal(positions.get('list 2', '1').total, 2)
    assert.isNull(positions.get('list 1', '1').total)
  })

  test('the latest 200 keys of a list are cached', ({ assert }) => {
    const keys = new Map<number, RowKey>()
    for (let position = 0; position < 200; position++) {
      storeKey(keys, position, [position])
    }
    storeKey(keys, 0, ['again'])
    storeKey(keys, 200, [200])
    assert.equal(keys.size, 200)
    assert.deepEqual(keys.get(0), ['again'])
    assert.isFalse(keys.has(1))
    assert.isTrue(keys.has(2))
  })
})
