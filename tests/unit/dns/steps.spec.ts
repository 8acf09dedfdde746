import { test } from '@japa/runner'
import { finished, sortSteps } from '#dns/steps'
import { stringifyYielding, isLarge } from '#database/event_loop'

const numbers = (count: number, of: (n: number) => number) =>
  Array.from({ length: count }, (_, n) => of(n))
type Pair = { key: number; place: number }
const byKey = (a: Pair, b: Pair) => a.key - b.key

test.group('Work in steps', () => {
  test('sortSteps() gives the result of toSorted(), stable for equal items: {0}')
    .with([
      ['nothing', []],
      ['one item', [7]],
      ['a whole run', numbers(1_000, (n) => (n * 7_919) % 1_000)],
      ['one more than a run', numbers(1_001, (n) => -n)],
      ['several runs with equal items', numbers(5_500, (n) => (n * 31) % 17)],
      ['three runs, sorted already', numbers(3_000, (n) => n)],
    ] as [string, number[]][])
    .run(({ assert }, [, keys]) => {
      const items = keys.map((key, position) => ({ key, place: position }))
      assert.deepEqual(finished(sortSteps(items, byKey)), items.toSorted(byKey))
    })

  test('sortSteps() has steps of limited length', ({ assert }) => {
    const steps = sortSteps(
      numbers(10_000, (n) => -n),
      (a, b) => a - b
    )
    let count = 0
    while (!steps.next().done) count++
    assert.isAbove(count, 10)
  })
})

test.group('JSON with pauses', () => {
  test('the result equals JSON.stringify(): {0}')
    .with([
      ['null', null],
      ['a text', 'a"b\u2028'],
      ['members without a value', { a: undefined, b: 1, c: () => 1 }],
      ['a date', { at: new Date(0) }],
      ['a short list', { list: [1, undefined, null, 'x', { a: [] }] }],
      ['a long list', { list: numbers(500, (n) => n) }],
      ['a long list with gaps', [...numbers(300, (n) => n), undefined, { a: undefined }]],
      ['long lists within lists', [{ zones: [{ changes: numbers(400, (n) => -n) }] }]],
      ['NaN and empty objects', { a: Number.NaN, b: {}, c: [] }],
    ] as [string, unknown][])
    .run(async ({ assert }, [, value]) => {
      assert.equal(await stringifyYielding(value), JSON.stringify(value))
    })

  test('only long lists count as large', ({ assert }) => {
    assert.isFalse(isLarge({ data: { list: [1, 2, 3] } }))
    assert.isFalse(isLarge('text'))
    assert.isTrue(isLarge({ data: { plan: { zones: [{ changes: numbers(300, (n) => n) }] } } }))
  })
})
