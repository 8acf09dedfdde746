// @databases
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { USER_LIST as USER_LIST } from '#accounts/users/directory'
import { batchesInDatabase, listInDatabase } from '#lists/sql/paginate'
import { listQuery } from '#lists/query'
import type { ListSource } from '#lists/source'
import { caller, type Caller } from '#tests/support/app/api'
import { administrator } from '#tests/support/app/people/people'
import { unique } from '#tests/support/app/names'
import { statementsOf } from '#tests/support/app/database/statements'
import { addUsers } from '#tests/support/lists/account_lists'
import { Random } from '#tests/support/random'

/** More than one batch of a complete list. */
const USERS = 2_080
const SIZE = 100

const ORDERS = [
  '',
  'id:desc',
  'username',
  'username:desc',
  'email',
  'email:desc',
  'email:desc,id:desc',
  'fullname,email',
  'fullname:desc,email:desc,username',
]

/** Pages at large offsets, which databases skip slowly. */
test.group('Deep pages', (group) => {
  let added: number[]
  let root: Caller

  group.each.timeout(120_000)
  group.setup(async () => {
    added = []
    const random = new Random(16)
    for (let created = 0; created < USERS; created += 80) {
      added.push(...(await addUsers(random, 80)))
    }
    return async () => {
      for (let from = 0; from < added.length; from += 500) {
        await db
          .from('zw_users')
          .whereIn('id', added.slice(from, from + 500))
          .delete()
      }
    }
  })

  for (const sort of ORDERS) {
    test(`deep pages in the order '${sort}' are slices of the complete list, from either end`, async ({
      client,
      assert,
    }) => {
      root = caller(client, await administrator())
      const whole = await idsAt(root, { sort })
      assert.isAtLeast(whole.length, USERS)
      const pages = Math.ceil(whole.length / SIZE)
      for (const page of [...Array(pages).keys()].toReversed()) {
        const given = { sort, per_page: String(SIZE), page: String(page + 1) }
        const expected = whole.slice(page * SIZE, (page + 1) * SIZE)
        assert.deepEqual(await idsAt(root, given), expected, `page ${page + 1}`)
      }
    })
  }

  test('a filtered list has its own deep pages', async ({ client, assert }) => {
    root = caller(client, await administrator())
    const q = 'host'
    const whole = await idsAt(root, { sort: 'email', q })
    assert.isAtLeast(whole.length, 600)
    for (let from = 0; from < whole.length; from += 50) {
      const given = { sort: 'email', q, per_page: '50', page: String(from / 50 + 1) }
      assert.deepEqual(await idsAt(root, given), whole.slice(from, from + 50), `from ${from}`)
    }
  })

  for (const sort of ['', 'email:desc', 'fullname,email']) {
    test(`batches in the order '${sort}' form one complete list`, async ({ client, assert }) => {
      root = caller(client, await administrator())
      const query = listQuery(USER_LIST, { sort })
      const found: number[] = []
      for await (const rows of batchesInDatabase<{ id: number }, Field, Column, Filter>(
        USER_LIST,
        query,
        SOURCE
      )) {
        assert.isAtMost(rows.length, 2_000)
        found.push(...rows.map(({ id }) => id))
      }
      assert.deepEqual(found, await idsAt(root, { sort }))
    })
  }

  test('cached positions locate deep pages while the list has the same version', async ({
    client,
    assert,
  }) => {
    root = caller(client, await administrator())
    const scope = unique('scope')
    let version = '1'
    const ask = async (page: number, sort = 'email:desc') => {
      const query = listQuery(USER_LIST, { sort, per_page: '100', page: String(page) })
      const marks = async () => ({ scope, version })
      const { rows } = await listInDatabase<{ id: number }, Field, Column, Filter>(
        USER_LIST,
        query,
        { ...SOURCE, readState: marks }
      )
      return rows.map(({ id }) => id)
    }
    const statements = async (page: number) => {
      const sent = await statementsOf(() => ask(page))
      return sent.filter((sql) => /offset/i.test(sql)).length
    }
    assert.equal(await statements(9), 1)
    assert.equal(await statements(9), 0)
    // A page starts at the cursor of the previous page.
    assert.equal(await statements(10), 0)
    assert.equal(await statements(14), 1)
    const whole = await idsAt(root, { sort: 'email:desc' })
    for (const page of [9, 10, 14, 1, 15]) {
      assert.deepEqual(await ask(page), whole.slice((page - 1) * 100, page * 100), `page ${page}`)
    }
    const byId = await idsAt(root, { sort: 'id' })
    assert.deepEqual(await ask(9, 'id'), byId.slice(800, 900))
    const deleted = whole.slice(0, 3)
    await db
      .from('zw_users')
      .whereIn(
        'id',
        added.filter((id) => deleted.includes(id))
      )
      .delete()
    version = '2'
    const left = await idsAt(root, { sort: 'email:desc' })
    assert.deepEqual(await ask(9), left.slice(800, 900))
  })
})

type Field = keyof typeof USER_LIST.sort
type Column = (typeof USER_LIST.search)[number] | 'id'
type Filter = keyof typeof USER_LIST.filters

const SOURCE: ListSource<Field | Column | Filter> = {
  columns: {
    id: 'zw_users.id',
    username: 'zw_users.username',
    fullname: 'zw_users.fullname',
    email: { column: 'zw_users.email', nullable: true },
    description: 'zw_users.description',
  },
  createQuery: () => db.from('zw_users'),
  select: (rows) => rows.select('zw_users.id'),
}

async function idsAt(as: Caller, parameters: Record<string, string>): Promise<number[]> {
  const response = await as.get(`/users?${new URLSearchParams(parameters).toString()}`)
  response.assertStatus(200)
  return response.body().data.users.map((user: { user_id: number }) => user.user_id)
}
