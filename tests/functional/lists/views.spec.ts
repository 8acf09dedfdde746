import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { defineList } from '#lists/declaration'
import { batchesInDatabase, listInDatabase } from '#lists/sql/paginate'
import { listQuery } from '#lists/query'
import type { RowKey } from '#lists/row_key'
import type { ListSource } from '#lists/source'
import { KeysetQuery } from '#lists/sql/keyset_query'
import { unique } from '#tests/support/app/names'
import { permissionTemplate } from '#tests/support/app/people/people'
import { statementsOf } from '#tests/support/app/database/statements'

const LIST = defineList({
  sort: { id: 'number', fullname: 'caseless', email: 'caseless' },
  filters: { fullname: 'caseless' },
  search: ['username'],
  defaultOrder: [{ field: 'id' }],
})

interface Row {
  id: number
}

/** [full name, address] of six users, in the order of their ids. */
const USERS: [string, string | null][] = [
  ['b', null],
  ['A', 'x'],
  ['a', null],
  ['B', 'w'],
  ['a', 'Y'],
  ['c', null],
]

test.group('Keyset queries', (group) => {
  let template: number
  let ids: number[]

  group.setup(async () => {
    ;({ id: template } = await permissionTemplate('user', []))
    const word = unique('v')
    for (const [index, [fullname, email]] of USERS.entries()) {
      await db.table('zw_users').insert({
        username: `${word}-${index}`,
        fullname,
        email: email && email + word,
        permission_template_id: template,
        created_at: '2020-01-01T00:00:00.000Z',
        updated_at: '2020-01-01T00:00:00.000Z',
      })
    }
    const rows = await db.from('zw_users').where('permission_template_id', template).orderBy('id')
    ids = rows.map(({ id }: Row) => id)
  })

  function source(marks?: ListSource['readState']): ListSource {
    return {
      columns: {
        id: 'zw_users.id',
        username: 'zw_users.username',
        fullname: 'zw_users.fullname',
        email: { column: 'zw_users.email', nullable: true },
      },
      createQuery: () => db.from('zw_users').where('permission_template_id', template),
      select: (rows) => rows.select('zw_users.id'),
      ...(marks ? { readState: marks } : {}),
    }
  }

  const view = (parameters: Record<string, string>) =>
    KeysetQuery.open<Row>(LIST, listQuery(LIST, parameters), source())
  const positionsOf = (rows: Row[]) => rows.map(({ id }) => ids.indexOf(id))

  for (const [sort, order] of [
    ['', [0, 1, 2, 3, 4, 5]],
    ['id:desc', [5, 4, 3, 2, 1, 0]],
    ['fullname', [1, 2, 4, 0, 3, 5]],
    ['fullname:desc', [5, 0, 3, 1, 2, 4]],
    ['email', [0, 2, 5, 3, 1, 4]],
    ['email:desc', [4, 1, 3, 0, 2, 5]],
    ['email:desc,id:desc', [4, 1, 3, 5, 2, 0]],
    ['fullname,email:desc', [4, 1, 2, 3, 0, 5]],
    ['fullname:desc,email', [5, 0, 3, 2, 1, 4]],
  ] as const) {
    test(`queries in the order '${sort}' continue after any row, and find a row from either end`, async ({
      assert,
    }) => {
      const shown = await view({ sort })
      assert.deepEqual(positionsOf(await shown.all()), [...order])
      for (let position = 0; position < order.length; position++) {
        const key = (await shown.keyAt(position))!
        assert.deepEqual(await shown.keyAt(order.length - 1 - position, true), key)
        for (const limit of [1, 2, 10]) {
          const behind = await shown.after(key, limit)
          const expected = order.slice(position + 1, position + 1 + limit)
          assert.deepEqual(positionsOf(behind.map(({ row }) => row)), [...expected], `${position}`)
          assert.isTrue(behind.every(({ row }) => Object.keys(row).join() === 'id'))
        }
      }
      assert.isNull(await shown.keyAt(order.length))
      assert.isNull(await shown.keyAt(order.length, true))
    })
  }

  test('a page after a key takes one statement per sort field, and stops when it is full', async ({
    assert,
  }) => {
    const shown = await view({ sort: 'fullname' })
    const key = (await shown.keyAt(0))!
    assert.lengthOf(await statementsOf(() => shown.after(key, 2)), 1)
    assert.lengthOf(await statementsOf(() => shown.after(key, 3)), 2)
    assert.lengthOf(await statementsOf(() => shown.after(key, 9)), 2)
  })

  test('a key stays valid after its row was deleted', async ({ assert }) => {
    const shown = await view({ sort: 'fullname' })
    const behind = async (key: RowKey) => {
      const found = await shown.after(key, 9)
      return positionsOf(found.map(({ row }) => row))
    }
    assert.deepEqual(await behind(['a', 0]), [1, 2, 4, 0, 3, 5])
    assert.deepEqual(await behind(['aa', 2_000_000_000]), [0, 3, 5])
    assert.deepEqual(await behind(['bb', 0]), [5])
    assert.deepEqual(await behind(['d', 0]), [])
  })

  test('the total counts filtered rows case-insensitively', async ({ assert }) => {
    const named = await view({ fullname: 'A' })
    assert.equal(await named.count(), 3)
    assert.isTrue(named.isFiltered)
    const identities = new Set([named.identity])
    const others: Record<string, string>[] = [{ sort: 'id' }, { sort: 'id:desc' }, { q: 'a' }]
    for (const parameters of others) {
      const other = await view(parameters)
      assert.equal(other.isFiltered, 'q' in parameters)
      identities.add(other.identity)
    }
    assert.lengthOf([...identities], 4)
  })

  test('totals are counted once per version, and read from the counters if available', async ({
    assert,
  }) => {
    const scope = unique('scope')
    const ask = (version: string, kept?: number, more: Record<string, string> = {}) =>
      listInDatabase<Row, never, never, never>(
        LIST as never,
        listQuery(LIST, { per_page: '2', ...more }) as never,
        source(async () => ({ scope, version, ...(kept === undefined ? {} : { total: kept }) }))
      )
    const total = async (answer: ReturnType<typeof ask>) => {
      const listed = await answer
      return listed.total
    }
    const counts = async (work: () => Promise<unknown>) => {
      const statements = await statementsOf(work)
      return statements.filter((sql) => /count\(/i.test(sql)).length
    }
    assert.equal(await counts(() => ask('1')), 1)
    assert.equal(await counts(() => ask('1', undefined, { page: '2' })), 0)
    assert.equal(await counts(() => ask('2')), 1)
    assert.equal(await total(ask('2')), 6)
    assert.equal(await counts(() => ask('3', 6)), 0)
    assert.equal(await total(ask('3', 6)), 6)
    // A cached total is not used for a filtered list.
    assert.equal(await total(ask('3', 6, { fullname: 'a' })), 3)
  })

  test('the complete list is read in batches once', async ({ assert }) => {
    const found: Row[] = []
    const query = listQuery(LIST, { sort: 'fullname' })
    for await (const rows of batchesInDatabase<Row, never, never, never>(
      LIST as never,
      query as never,
      source()
    )) {
      found.push(...rows)
    }
    assert.deepEqual(positionsOf(found), [1, 2, 4, 0, 3, 5])
  })
})
