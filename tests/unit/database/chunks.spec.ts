import { test } from '@japa/runner'
import fc from 'fast-check'
import { CHUNK_SIZE as CHUNK, CHUNK_BYTES, chunks, textParts } from '#database/statements/chunks'

test.group('Chunks of lists and texts', () => {
  test('a list is split by number of items and by bytes', ({ assert }) => {
    assert.deepEqual(chunks([]), [])
    assert.deepEqual(chunks([1, 2, 3, 4, 5], 2), [[1, 2], [3, 4], [5]])
    const [short, long] = [{ text: 'é' }, { text: 'x'.repeat(8) }]
    assert.deepEqual(chunks([short, short, long, short], 500, 8), [[short, short], [long], [short]])
    assert.lengthOf(chunks(new Array(CHUNK + 1).fill(1)), 2)
    const half = { content: 'x'.repeat(CHUNK_BYTES / 2), bytes: Buffer.alloc(1) }
    assert.lengthOf(chunks([half, half]), 2)
  })

  test('chunks keep all items in order, within the maximum length', ({ assert }) => {
    fc.assert(
      fc.property(
        fc.array(fc.string({ unit: 'binary' })),
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 20 }),
        (items, size, bytes) => {
          const parts = chunks(items, size, bytes)
          assert.deepEqual(parts.flat(), items)
          for (const part of parts) {
            assert.isNotEmpty(part)
            assert.isAtMost(part.length, size)
            if (part.length > 1) assert.isAtMost(Buffer.byteLength(part.join('')), bytes)
          }
        }
      )
    )
  })

  test('a text is split between characters', ({ assert }) => {
    assert.deepEqual(textParts(''), [''])
    assert.deepEqual(textParts('abcdef', 6), ['ab', 'cd', 'ef'])
    assert.deepEqual(textParts('a😀b', 9), ['a😀', 'b'])
    assert.deepEqual(textParts('ab😀', 9), ['ab', '😀'])
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 6, max: 30 }), (text, bytes) => {
        const parts = textParts(text, bytes)
        assert.equal(parts.map((part) => Buffer.from(part).toString()).join(''), text)
        parts.forEach((part) => assert.isAtMost(Buffer.byteLength(part), bytes))
      })
    )
  })
})
