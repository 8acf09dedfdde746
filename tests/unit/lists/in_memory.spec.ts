import { test } from '@japa/runner'
import fc from 'fast-check'
import { defineList } from '#lists/declaration'
import { listInMemory } from '#lists/memory/sort_in_memory'
import type { ListResult } from '#lists/list_result'
import type { Page } from '#lists/page'
import { listQuery, orderText } from '#lists/query'
import type { RowKey } from '#lists/row_key'
import { LAW_RUNS } from '#tests/unit/dns/support/law_runs'

interface Host {
  id: number
  name: string
  note: string | null
}

const HOSTS = defineList({
  sort: { id: 'number', name: 'natural', note: 'caseless' },
  filters: { note: 'caseless' },
  search: ['name', 'note'],
  defaultOrder: [{ field: 'name' }, { field: 'id' }],
})

const SOME: Host[] = [
  { id: 1, name: 'host10', note: null },
  { id: 2, name: 'Host2', note: 'B' },
  { id: 3, name: 'host002', note: 'a' },
  { id: 4, name: 'host', note: '' },
]

function ids(parameters: Record<string, string>, rows = SOME): number[] {
  return listInMemory(HOSTS, listQuery(HOSTS, parameters), rows).rows.map(({ id }) => id)
}

test.group('Lists in memory', () => {
  test('{0} is sorted by {1}')
    .with([
      ['', [4, 2, 3, 1]],
      ['name', [4, 2, 3, 1]],
      ['name:desc', [1, 2, 3, 4]],
      ['name:desc,id:desc', [1, 3, 2, 4]],
      ['note', [1, 4, 3, 2]],
      ['note:desc', [2, 3, 4, 1]],
      ['id:desc', [4, 3, 2, 1]],
    ] as [string, number[]][])
    .run(({ assert }, [sort, expected]) => {
      assert.deepEqual(ids({ sort }), expected)
      assert.deepEqual(ids({ sort }, SOME.toReversed()), expected)
    })

  test('sort fields after a unique field are ignored', ({ assert }) => {
    const order = (sort: string) => orderText(HOSTS, listQuery(HOSTS, { sort }))
    assert.equal(order('name'), 'name,id')
    assert.equal(order('id'), 'id')
    assert.equal(order('id:desc,name'), 'id:desc')
    assert.equal(order('note,id:desc'), 'note,id:desc')
  })

  test('international names match by their Unicode form in fields of names', ({ assert }) => {
    const some: Host[] = [
      { id: 1, name: 'www.xn--mnchen-3ya.example', note: 'xn--mnchen-3ya' },
      { id: 2, name: 'www.example', note: 'xn--mnchen-3ya' },
    ]
    const list = {
      ...HOSTS,
      filters: { name: 'contains', note: 'caseless' },
      names: ['name'],
    } as const
    const found = (parameters: Record<string, string>) =>
      listInMemory(list, listQuery(list, parameters), some).rows.map(({ id }) => id)
    assert.deepEqual(found({ q: 'MÜNCHEN.ex' }), [1])
    assert.deepEqual(found({ name: 'münchen' }), [1])
    assert.deepEqual(found({ name: 'münch' }), [])
    assert.deepEqual(found({ note: 'münchen' }), [])
  })

  test('absent values match neither text nor filter', ({ assert }) => {
    assert.deepEqual(ids({ q: 'null' }), [])
    assert.deepEqual(ids({ note: 'A' }), [3])
  })

  test('a page has the cursor of the next one; the last page and the complete list have none', ({
    assert,
  }) => {
    const list = (parameters: Record<string, string>) =>
      listInMemory(HOSTS, listQuery(HOSTS, parameters), SOME)
    assert.isNotNull(list({ per_page: '3' }).next)
    assert.isNull(list({ per_page: '4' }).next)
    assert.isNull(list({ per_page: '3', page: '2' }).next)
    assert.isNull(list({ per_page: '3', page: '9' }).next)
    assert.isNull(list({}).next)
  })

  test('a walk returns remaining rows once while others are added and deleted', ({ assert }) => {
    const host = fc.record({
      id: fc.nat(1000),
      name: fc.constantFrom('host2', 'host10', 'HOST2', 'host002', 'a'),
      note: fc.constantFrom(null, '', 'a', 'B', 'b'),
    })
    const hosts = fc.uniqueArray(host, { selector: ({ id }) => id, maxLength: 30 })
    const sort = fc.constantFrom('', 'name', 'note:desc', 'note,name:desc', 'id:desc')
    const law = fc.property(
      hosts,
      hosts,
      sort,
      fc.integer({ min: 1, max: 7 }),
      (all, more, by, size) => {
        const query = listQuery(HOSTS, { sort: by })
        const staying = all.filter(({ id }) => id % 2 === 0)
        const passing = more.filter((one) => !all.some(({ id }) => id === one.id))
        const seenIds: number[] = []
        let after: RowKey | null = null
        for (let step = 0; step < 100; step++) {
          const now = step % 2 === 0 ? all : [...staying, ...passing]
          const page: Page = { number: 1, size, offset: 0, after }
          const { rows, next, total }: ListResult<Host> = listInMemory(
            HOSTS,
            { ...query, page },
            now
          )
          assert.isNull(total)
          seenIds.push(...rows.map(({ id }) => id))
          if (next === null) break
          after = next
        }
        const expected = listInMemory(HOSTS, query, staying).rows.map(({ id }) => id)
        assert.deepEqual(
          seenIds.filter((id) => staying.some((one) => one.id === id)),
          expected
        )
      }
    )
    fc.assert(law, LAW_RUNS)
  })
})
