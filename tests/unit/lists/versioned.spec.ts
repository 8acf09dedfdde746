import { test } from '@japa/runner'
import { VersionedCache } from '#lists/cache/versioned_cache'

test.group('Versioned cache of lists', () => {
  const memory = () =>
    new VersionedCache(
      () => ({ bytes: 0 }),
      10,
      1_000,
      () => 0,
      { sizeOf: ({ bytes }) => bytes, maxBytes: 100 }
    )

  test('all entries together stay below the memory limit', ({ assert }) => {
    const lists = memory()
    for (const [name, bytes] of Object.entries({ old: 40, small: 1, later: 40, last: 50 })) {
      lists.get(name, '1').bytes = bytes
      lists.trim()
    }
    const known = ['old', 'small', 'later', 'last'].map((name) => lists.get(name, '1').bytes)
    assert.deepEqual(known, [0, 1, 40, 50])
  })

  test('an entry above the limit is not stored', ({ assert }) => {
    const lists = memory()
    lists.get('one', '1').bytes = 30
    lists.get('large', '1').bytes = 101
    lists.trim()
    assert.deepEqual([lists.get('large', '1').bytes, lists.get('one', '1').bytes], [0, 30])
  })

  test('a read makes an entry the most recently used', ({ assert }) => {
    const lists = memory()
    lists.get('one', '1').bytes = 60
    lists.get('two', '1').bytes = 40
    lists.get('one', '1')
    lists.get('three', '1').bytes = 30
    lists.trim()
    const known = ['one', 'two', 'three'].map((name) => lists.get(name, '1').bytes)
    assert.deepEqual(known, [60, 0, 30])
  })
})
