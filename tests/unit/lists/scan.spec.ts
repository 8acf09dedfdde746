import { test } from '@japa/runner'
import { defineList } from '#lists/declaration'
import { listInMemory, matcherOf, orderingOf } from '#lists/memory/sort_in_memory'
import { scanInOrder, scanSorted } from '#lists/memory/scan'
import { sortedBatches } from '#lists/memory/sorted_stream'
import type { ListQuery } from '#lists/query'

const LIST = defineList({
  sort: { name: 'natural', size: 'number' },
  filters: { name: 'contains' },
  search: ['name'],
  defaultOrder: [{ field: 'id' }],
})
type Row = (typeof ROWS)[number]
type Query = ListQuery<'name' | 'size', 'name'>

/** Rows in an order that differs from every order of the list. */
const ROWS = Array.from({ length: 1_000 }, (_, i) => {
  const id = (i * 377) % 1_000
  return { id, name: `host${(id * 7) % 100}`, size: id % 13 }
})

const QUERIES: Pick<Query, 'sort' | 'filters' | 'q'>[] = [
  { sort: [], filters: {}, q: null },
  { sort: [{ field: 'name' }], filters: {}, q: null },
  { sort: [{ field: 'size', descending: true }, { field: 'name' }], filters: {}, q: null },
  { sort: [{ field: 'name', descending: true }], filters: { name: '1' }, q: 'HOST' },
]

async function* pass() {
  for (let at = 0; at < ROWS.length; at += 64) yield ROWS.slice(at, at + 64)
}

test.group('Scans of lists', () => {
  for (const held of [10, 40, 5_000]) {
    test(`pages, walks and complete lists equal the reference in memory (${held} rows held)`, async ({
      assert,
    }) => {
      for (const part of QUERIES) {
        const all = listInMemory(LIST, { ...part, page: null }, ROWS)
        for (const offset of [0, 3, 37, 300, 498, 690, 950, 990, 999, 1_000, 5_000]) {
          const page = { number: 1, size: 7, offset }
          const expected = listInMemory(LIST, { ...part, page }, ROWS)
          const found = await scanSorted(LIST, { ...part, page }, pass, held)
          assert.deepEqual(found, expected, JSON.stringify({ part, offset }))
        }
        const walk = { number: 1, size: 7, offset: 0, after: null }
        const first = await scanSorted(LIST, { ...part, page: walk }, pass, held)
        assert.deepEqual(first.rows, all.rows.slice(0, 7))
        const step = { ...walk, after: first.next }
        const second = await scanSorted(LIST, { ...part, page: step }, pass, held)
        assert.deepEqual(second.rows, all.rows.slice(7, 14))
        assert.isNull(second.total)

        const packing = { pack: (row: Row) => row, unpack: (row: unknown) => row as Row }
        const batches = sortedBatches(LIST, { ...part, page: null }, pass, packing, held)
        const whole = await Array.fromAsync(batches)
        assert.deepEqual(whole.flat(), all.rows)
        if (held < ROWS.length) {
          assert.isAtMost(Math.max(...whole.map(({ length }) => length)), held)
        }
      }
    })
  }

  test('pages and walks in the default order equal the reference in memory', async ({ assert }) => {
    const { keyOf } = orderingOf<Row, 'name' | 'size', 'id' | 'name', 'name'>(LIST, { sort: [] })
    async function* after(id: number) {
      const rows = ROWS.toSorted((one, other) => one.id - other.id).slice(id + 1)
      for (let at = 0; at < rows.length; at += 64) {
        yield rows.slice(at, at + 64).map((row) => ({ row, key: keyOf(row) }))
      }
    }
    for (const filters of [{}, { name: '1' }, { name: 'absent' }]) {
      const part = { sort: [], filters, q: null }
      const matches = matcherOf<Row>(LIST, part)
      for (const offset of [0, 3, 180, 183, 186, 187, 188, 189, 190, 991, 993, 999, 1_000, 5_000]) {
        const page = { number: 1, size: 7, offset }
        const expected = listInMemory(LIST, { ...part, page }, ROWS)
        assert.deepEqual(await scanInOrder(page, matches, after(-1)), expected)
      }
      for (const key of [null, [0], [500], [993], [998], [999]]) {
        const page = { number: 1, size: 7, offset: 0, after: key }
        const expected = listInMemory(LIST, { ...part, page }, ROWS)
        assert.deepEqual(await scanInOrder(page, matches, after(key?.[0] ?? -1)), expected)
      }
    }
  })
})
