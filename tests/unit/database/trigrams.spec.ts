import { test } from '@japa/runner'
import fc from 'fast-check'
import { lookupTrigrams, trigramsOf } from '#database/trigram_index/trigrams'
import { mergeAdjacent as gathered } from '#database/trigram_index/pending'

test.group('Trigrams', () => {
  test('a text contains all trigrams of each of its substrings', ({ assert }) => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.string({ unit: 'binary', minLength: 1 }),
        fc.string({ unit: 'binary' }),
        (before, needle, after) => {
          // Only a sigma at the end of a word has another lower case form.
          fc.pre(!/Σ/.test(needle))
          const grams = trigramsOf(before + needle + after)
          assert.isTrue(lookupTrigrams([needle]).every((gram) => grams.has(gram)))
        }
      )
    )
  })

  test('texts below three characters are not looked up', ({ assert }) => {
    assert.deepEqual(lookupTrigrams(['ab', 'é', 'äö']), [])
    assert.lengthOf(lookupTrigrams(['abc', 'äöü']), 5)
  })

  test('a text is found with any case folding of the database', ({ assert }) => {
    const grams = trigramsOf('In \u0130stanbul')
    for (const needle of ['istanbul', 'n i\u0307st', '\u0130stan']) {
      assert.isTrue(
        lookupTrigrams([needle]).every((gram) => grams.has(gram)),
        needle
      )
    }
  })

  test('ranges of ids lose no id', ({ assert }) => {
    const id = fc.integer({ min: 1, max: 5000 })
    fc.assert(
      fc.property(fc.array(id), (ids) => {
        const ranges = gathered(ids.map((it) => [it, it]))
        assert.isTrue(ids.every((it) => ranges.some(([a, b]) => a <= it && it <= b)))
        const isInOrder = ranges.every(([a, b], i) => a <= b && (i === 0 || ranges[i - 1][1] < a))
        assert.isTrue(isInOrder)
      })
    )
  })
})
