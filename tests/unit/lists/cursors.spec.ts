import { test } from '@japa/runner'
import fc from 'fast-check'
import { openedCursor, sealedCursor } from '#controllers/support/cursors'
import { Refusal } from '#exceptions/refusal'
import type { RowKey } from '#lists/row_key'
import { LAW_RUNS } from '#tests/unit/dns/support/law_runs'

const LIST = '/api/v2/zones'

const value = fc.oneof(
  fc.constant(null),
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
  fc.string({ unit: 'grapheme', maxLength: 100 })
)
const key = fc.array(value, { minLength: 1, maxLength: 6 })

/** Returns the error of opening this cursor. */
function refusal(order: string, cursor: string): Refusal {
  try {
    openedCursor(LIST, order, cursor)
  } catch (error) {
    if (error instanceof Refusal) return error
    throw error
  }
  throw new Error(`${cursor} was opened`)
}

test.group('Cursors', () => {
  test('a sealed cursor can be opened', ({ assert }) => {
    const law = fc.property(key, (given: RowKey) => {
      assert.deepEqual(openedCursor(LIST, 'name,id', sealedCursor(LIST, 'name,id', given)), given)
    })
    fc.assert(law, LAW_RUNS)
  })

  test('a cursor of five names with 255 characters in any script can be opened', ({ assert }) => {
    for (const letter of ['"', 'ä', '日', '🦊']) {
      const given = [letter, letter, letter, letter, letter].map((one) => one.repeat(127))
      assert.deepEqual(
        openedCursor(LIST, 'a,b,c,d,e', sealedCursor(LIST, 'a,b,c,d,e', given)),
        given
      )
    }
  })

  test('an empty cursor and * are the start', ({ assert }) => {
    assert.isNull(openedCursor(LIST, 'id', ''))
    assert.isNull(openedCursor(LIST, 'id', '*'))
  })

  test('a cursor needs no encoding in a URL', ({ assert }) => {
    assert.match(sealedCursor(LIST, 'fullname,id', ['ÿþ?&=', 7]), /^[\w-]+$/)
  })

  test('a changed, shortened or lengthened cursor is refused', ({ assert }) => {
    const good = sealedCursor(LIST, 'name,id', ['example.com', 7])
    const bytes = Buffer.from(good, 'base64url')
    const law = fc.property(
      fc.nat(bytes.length - 1),
      fc.integer({ min: 1, max: 255 }),
      (at, by) => {
        const forged = Buffer.from(bytes)
        forged[at] ^= by
        assert.equal(refusal('name,id', forged.toString('base64url')).status, 400)
      }
    )
    fc.assert(law, LAW_RUNS)
    for (let length = 1; length < good.length; length++) {
      assert.match(refusal('name,id', good.slice(0, length)).message, /'cursor'.*'\*'/)
    }
    assert.equal(refusal('name,id', `${good}AAAA`).status, 400)
    assert.equal(refusal('name,id', '.').status, 400)
    assert.equal(refusal('name,id', 'A'.repeat(100_000)).status, 400)
  })

  test('a cursor of another order is refused with both orders', ({ assert }) => {
    const { message, status } = refusal('name:desc,id', sealedCursor(LIST, 'name,id', ['a', 1]))
    assert.equal(status, 400)
    assert.match(message, /'name,id'.*'name:desc,id'/)
  })

  test('a cursor of another list with the same order is refused', ({ assert }) => {
    const { message, status } = refusal('id', sealedCursor('/api/v2/users', 'id', [1]))
    assert.equal(status, 400)
    assert.match(message, /another list/)
  })

  test('a cursor only contains the order and the key', ({ assert }) => {
    const bytes = Buffer.from(sealedCursor(LIST, 'name,id', ['a', 1]), 'base64url')
    assert.equal(bytes.subarray(12).toString(), '["name,id",["a",1]]')
  })
})
