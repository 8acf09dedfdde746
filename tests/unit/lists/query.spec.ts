import { test } from '@japa/runner'
import { Refusal } from '#exceptions/refusal'
import { defineList } from '#lists/declaration'
import { parseCursorPage } from '#lists/page'
import { listQuery } from '#lists/query'

const LIST = defineList({
  sort: { id: 'number', name: 'natural', a: 'plain', b: 'plain', c: 'plain', d: 'plain' },
  filters: { type: ['user', 'group'], name: 'exact' },
  search: ['name'],
  defaultOrder: [{ field: 'id' }],
})

test.group('Queries of lists', () => {
  test('sort {0} is refused')
    .with([
      ['nonsense', /"nonsense". Allowed fields: id, name, a, b, c, d/],
      ['__proto__', /Allowed fields/],
      ['name,', /Invalid sort field ""/],
      ['name:up', /"up" of field 'name'.*must be asc or desc/],
      ['name:asc:desc', /"asc:desc"/],
      ['name,NAME:desc', /'name' appears twice/],
      ['id,name,a,b,c,d', /at most 5 fields, found 6/],
      ['x'.repeat(110), /"x{100}"/],
    ] as [string, RegExp][])
    .run(({ assert }, [sort, words]) => {
      try {
        listQuery(LIST, { sort })
        assert.fail('it was taken')
      } catch (error) {
        assert.instanceOf(error, Refusal)
        assert.equal((error as Refusal).status, 400)
        assert.match((error as Refusal).message, words)
      }
    })

  test('blanks and case in sort and filter values are ignored', ({ assert }) => {
    const { sort, filters } = listQuery(LIST, { sort: ' Name : DESC , ID', type: ' User ' })
    assert.deepEqual(sort, [
      { field: 'name', descending: true },
      { field: 'id', descending: false },
    ])
    assert.deepEqual(filters, { type: 'user' })
  })

  test('empty parameters count as absent, and unknown ones are ignored', ({ assert }) => {
    const query = listQuery(LIST, { sort: ' ', type: '', name: '', q: ' ', limit: '3', x: 'y' })
    assert.deepEqual(query, { sort: [], filters: {}, q: null, page: null })
  })

  test('an invalid word is refused with the allowed ones', ({ assert }) => {
    assert.throws(
      () => listQuery(LIST, { type: 'role' }),
      /'type' must be one of user, group, found "role"/
    )
  })

  test('a step of a walk has per_page rows, by default 1000', ({ assert }) => {
    const sizes = [{}, { per_page: '0' }, { per_page: '7' }, { per_page: '99999', page: '5' }].map(
      (given) => {
        const { size, offset } = parseCursorPage(given, null)
        return [size, offset]
      }
    )
    assert.deepEqual(sizes, [
      [1000, 0],
      [1000, 0],
      [7, 0],
      [10_000, 0],
    ])
  })
})
