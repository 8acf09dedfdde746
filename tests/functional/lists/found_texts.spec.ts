// @databases
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { feedTexts } from '#database/trigram_index/indexer'
import { ACCOUNT_SOURCES } from '#database/trigram_index/source'
import { MAX_SMALL_MATCH } from '#lists/sql/small_match'
import { caller, dataOf, expectStatus, type Caller } from '#tests/support/app/api'
import { unique } from '#tests/support/app/names'
import { administrator } from '#tests/support/app/people/people'
import { statementsOf } from '#tests/support/app/database/statements'
import { allLists } from '#tests/support/lists/all'
import { ListCheck } from '#tests/support/lists/checks'
import { foldOf, PARTS } from '#tests/support/lists/texts'
import { Random } from '#tests/support/random'
import { withReview } from '#tests/support/app/review'

/** Lists whose texts are in the trigram index of accounts. */
const FOUND = /^\/(users|api-keys|dynamic-dns\/(tokens|clients)|groups\/\d+\/(members|zones))$/

async function feedAll() {
  for (const source of ACCOUNT_SOURCES) {
    while (await feedTexts(db.connection(), source));
  }
}

test.group('q over accounts with the trigram index', (group) => {
  const { rows } = MAX_SMALL_MATCH
  let root: Caller
  group.setup(withReview())
  group.each.timeout(120_000)
  group.each.setup(async (t) => {
    root = caller(t.context.client, await administrator())
    return () => {
      MAX_SMALL_MATCH.rows = rows
    }
  })

  test('the index finds the rows of a full scan', async ({ client, assert }) => {
    const { lists } = await allLists(client, new Random(11))
    const dialect = db.connection().dialect.name
    const found = lists.filter(({ path }) => FOUND.test(path))
    assert.isAtLeast(found.length, 6)
    for (const state of ['noted', 'indexed', 'common']) {
      if (state === 'indexed') await feedAll()
      if (state === 'common') MAX_SMALL_MATCH.rows = 2
      for (const list of found) {
        const fold = foldOf(list.foldedBy === 'database' ? dialect : 'server')
        const check = new ListCheck(list, await list.rows(), fold, assert)
        const longer = PARTS.filter((text) => text.length > 2)
        for (const q of [...longer, 'ost1', 'Bench', '.example', 'zw_A']) {
          await check.answersAsSpecified({ q, per_page: '7' })
        }
      }
    }
  })

  test('a search reads few rows, and finds new and renamed rows at once', async ({ assert }) => {
    await feedAll()
    const word = unique('needle').toLowerCase()
    const input = { username: word, password: 'Correct-horse-9-battery', fullname: 'x' }
    const id: number = await dataOf(root.post('/users', input), 'user_id')
    const usersWith = async (q: string): Promise<number[]> => {
      const users: { user_id: number }[] = await dataOf(
        root.get(`/users?q=${q}&per_page=5`),
        'users'
      )
      return users.map((one) => one.user_id)
    }
    for (let state = 0; state < 2; state++) {
      assert.deepEqual(await usersWith(word), [id])
      await feedAll()
    }
    await expectStatus(root.put(`/users/${id}`, { description: `now ${word}-thread` }), 200)
    assert.deepEqual(await usersWith(`${word}-thread`), [id])
    if (db.connection().dialect.name === 'postgres') return
    const statements = await statementsOf(() => usersWith(`${word}-thread`))
    const likeQueries = statements.filter((sql) => / like /i.test(sql))
    assert.isNotEmpty(likeQueries)
    // Each query is limited to a range of ids.
    assert.isEmpty(likeQueries.filter((sql) => !/between|>=/i.test(sql)))
  })
})
