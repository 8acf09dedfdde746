import { test } from '@japa/runner'
import { LISTS } from '#controllers/api/docs/lists'
import { defineList } from '#lists/declaration'
import { listParameters } from '#lists/docs/openapi'
import { listQuery } from '#lists/query'

const RECORDS = defineList({
  sort: { name: 'natural', ttl: 'number' },
  filters: { type: ['user', 'group'], name: 'exact', content: 'contains' },
  search: ['name', 'content'],
  defaultOrder: [{ field: 'ttl', descending: true }, { field: 'name' }],
})

test.group('OpenAPI parameters of lists', () => {
  test('the parameters are page, per_page, cursor, sort, the filters and q', ({ assert }) => {
    assert.deepEqual(
      listParameters(RECORDS).map(({ name, schema }) => [name, schema]),
      [
        ['page', { type: 'integer', minimum: 1, default: 1 }],
        ['per_page', { type: 'integer', minimum: 0, maximum: 10_000, default: 0 }],
        ['cursor', { type: 'string' }],
        [
          'sort',
          {
            type: 'string',
            pattern: '^(name|ttl)(:(asc|desc))?(,(name|ttl)(:(asc|desc))?){0,4}$',
          },
        ],
        ['type', { type: 'string', enum: ['user', 'group'] }],
        ['name', { type: 'string' }],
        ['content', { type: 'string' }],
        ['q', { type: 'string' }],
      ]
    )
  })

  test('descriptions name the comparison of fields, the match of filters and the default order', ({
    assert,
  }) => {
    const descriptions = Object.fromEntries(
      listParameters(RECORDS).map(({ name, description }) => [name, description])
    )
    assert.match(
      descriptions.sort,
      /`name` \(ignoring case, with numbers by size\), `ttl` \(by size\)/
    )
    assert.match(descriptions.sort, /The default order is `ttl:desc,name`\.$/)
    assert.equal(descriptions.name, 'Only rows whose `name` is equal to this value.')
    assert.match(descriptions.content, /a text that contains this value, ignoring case/)
    assert.match(descriptions.q, /one of `name`, `content`\.$/)
  })

  test('a list without search has no q', ({ assert }) => {
    const plain = defineList({
      sort: { id: 'number' },
      search: [],
      defaultOrder: [{ field: 'id' }],
    })
    const names = listParameters(plain).map(({ name }) => name)
    assert.deepEqual(names, ['page', 'per_page', 'cursor', 'sort'])
  })

  test('for every list the pattern of sort accepts the same values as the list', ({ assert }) => {
    for (const [path, list] of Object.entries(LISTS)) {
      if (Object.keys(list.sort).length === 0) continue
      const [, , , { schema }] = listParameters(list)
      const pattern = new RegExp(schema.pattern!)
      const fields = Object.keys(list.sort)
      for (const sort of [fields[0], `${fields[0]}:desc`, fields.slice(0, 5).join(':asc,')]) {
        assert.match(sort, pattern, path)
        assert.isNotEmpty(listQuery(list, { sort }).sort)
      }
      for (const sort of [
        'nonsense',
        `${fields[0]}:up`,
        `${fields[0]},`,
        Array(6).fill(fields[0]),
      ]) {
        assert.notMatch(String(sort), pattern, path)
        assert.throws(() => listQuery(list, { sort: String(sort) }))
      }
    }
  })
})
