import db from '@adonisjs/lucid/services/db'
import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import { test } from '@japa/runner'
import { IdSet } from '#database/rows/id_set'
import { defineList } from '#lists/declaration'
import { FilteredQuery } from '#lists/sql/id_filter'
import type { ListSource } from '#lists/source'
import { KeysetQuery } from '#lists/sql/keyset_query'
import { addUsers } from '#tests/support/lists/account_lists'
import { Random } from '#tests/support/random'

const USERS = 60
const LIST = defineList<'fullname', 'id'>({
  sort: { fullname: 'plain' },
  search: [],
  defaultOrder: [{ field: 'id' }],
})

/** A list of users. Some users are deleted before some of its statements. */
class Vanishing {
  #statements = 0

  constructor(
    readonly ids: number[],
    /** Ids to delete before the statement with this number, from 1. */
    private readonly plan: (statement: number) => number[]
  ) {}

  rows(): DatabaseQueryBuilderContract {
    const rows = db.from('zw_users').whereIn('zw_users.id', this.ids)
    const read = rows.then.bind(rows)
    rows.then = (...args) => {
      const deleted = db.from('zw_users').whereIn('id', [0, ...this.plan(++this.#statements)])
      return deleted.delete().then(() => read(...args)) as never
    }
    return rows
  }

  view(sort: 'fullname' | null): KeysetQuery<{ id: number }> {
    const source: ListSource<'fullname' | 'id'> = {
      columns: {
        id: { column: 'zw_users.id', unique: true },
        fullname: { column: 'zw_users.fullname', indexed: [''] },
      },
      createQuery: () => this.rows(),
      select: (rows) => rows.select('zw_users.id'),
    }
    const order = sort === null ? [] : [{ field: sort, descending: true }]
    return new KeysetQuery(LIST, { sort: order, filters: {}, q: null, page: null }, source)
  }
}

/** Returns the ids of a complete walk with pages of `size` rows. */
async function walked(
  view: Pick<KeysetQuery<{ id: number }>, 'after'>,
  size: number
): Promise<number[]> {
  const seenIds: number[] = []
  let key = null
  for (;;) {
    // Reads one more row than the page, as lists do. No additional row means the end.
    const found = await view.after(key, size + 1)
    seenIds.push(...found.slice(0, size).map(({ row }) => Number(row.id)))
    if (found.length <= size) return seenIds
    key = found[size - 1].key
  }
}

test.group('A walk during deletions', (group) => {
  let ids: number[]
  group.each.setup(async () => {
    ids = await addUsers(new Random(3), USERS)
    for (const [at, id] of ids.entries()) {
      // Both orders are equal: the last ids have the first names.
      const fullname = String(1_000 - Math.floor(at / 3))
      await db.from('zw_users').where('id', id).update({ fullname })
    }
  })

  /** Each statement deletes three rows of the first half. */
  const firstHalf = (statement: number) => ids.slice(0, Math.min(3 * statement, USERS / 2))
  const staying = () => ids.slice(USERS / 2)

  test('a walk through filtered ids returns all remaining rows', async ({ assert }) => {
    const list = new Vanishing(ids, firstHalf)
    const view = new FilteredQuery(list.view(null), {
      column: 'id',
      ids: IdSet.union(ids),
      lookup: () => list.rows(),
    })
    const seenIds = await walked(view, 5)
    assert.deepEqual(
      seenIds.filter((id) => staying().includes(id)),
      staying()
    )
  })

  test('keyAt() finds the key of a position among filtered ids while a row exists', async ({
    assert,
  }) => {
    const list = new Vanishing(ids, firstHalf)
    const filter = { column: 'id', ids: IdSet.union(ids), lookup: () => list.rows() }
    const key = await new FilteredQuery(list.view(null), filter).keyAt(2)
    assert.isNotNull(key)
  })

  test('a walk through equal values returns all remaining rows', async ({ assert }) => {
    // Deletes all rows before the last value of a page after the page was found.
    const list = new Vanishing(ids, (statement) => (statement > 1 ? ids.slice(0, 6) : []))
    const seenIds = await walked(list.view('fullname'), 7)
    assert.includeMembers(seenIds, ids.slice(6))
  })
})
