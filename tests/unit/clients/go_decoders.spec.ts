import { test } from '@japa/runner'
import {
  DecodeError,
  bool,
  flag,
  identifier,
  int,
  intPointer,
  list,
  struct,
  text,
  wanted,
} from '#tests/support/go_clients/decode'

test.group('Decoders of Go programs', () => {
  const zone = struct({ id: wanted(int), name: text })

  test('decoders accept what Go accepts', ({ assert }) => {
    assert.deepEqual(zone({ id: 1, name: null, more: [] }, 'zone'), { id: 1, name: '' })
    assert.deepEqual(list(zone)(null, 'zones'), [])
    assert.deepEqual(
      [flag(0, ''), flag(true, ''), bool(undefined, ''), intPointer(null, ''), identifier(7, '')],
      [false, true, false, null, '7']
    )
  })

  test('decoders refuse what Go refuses, with the path', ({ assert }) => {
    const refused: [() => unknown, RegExp][] = [
      [() => zone({ id: '1', name: 'a' }, 'zone'), /"1" into zone\.id of type int/],
      [() => zone({ name: 'a' }, 'zone'), /zone\.id of type something/],
      [() => zone({ id: 1, name: 7 }, 'zone'), /7 into zone\.name of type string/],
      [() => zone([], 'zone'), /type struct/],
      [() => list(zone)([{ id: 1.5 }], 'zones'), /1\.5 into zones\[0\]\.id/],
      [() => list(zone)({}, 'zones'), /type slice/],
      [() => flag('1', 'disabled'), /type flag/],
      [() => flag(null, 'disabled'), /type flag/],
      [() => flag(2, 'disabled'), /type flag/],
      [() => bool(1, 'active'), /type bool/],
      [() => identifier(true, 'id'), /type int/],
    ]
    for (const [read, message] of refused) {
      assert.throws(read, message)
      assert.throws(read, DecodeError)
    }
  })
})
