// @databases
import db from '@adonisjs/lucid/services/db'
import type { Assert } from '@japa/assert'
import { test } from '@japa/runner'
import fc from 'fast-check'
import { keyUses } from '#accounts/keys/last_used'
import { withReview } from '#tests/support/app/review'
import { allLists } from '#tests/support/lists/all'
import { limitedLists } from '#tests/support/lists/limited_lists'
import { ListCheck } from '#tests/support/lists/checks'
import type { ListUnderTest } from '#tests/support/lists/list_under_test'
import { queriesOf } from '#tests/support/lists/queries'
import { foldOf } from '#tests/support/lists/texts'
import { Random, seedOfRun } from '#tests/support/random'

/** Random rows and requests. ZW_SEED=<seed> repeats a failed run, LIST_RUNS=1000 sends more requests. */
const SEED = seedOfRun()
const RUNS = Number(process.env.LIST_RUNS ?? 40)

/** Number of sortable lists, so that a missing list fails the test. */
const SORTED = 11

test.group('Random requests of every list', (group) => {
  group.setup(withReview())
  // Uses of keys are written once a minute. Rows would change between the reference and a response.
  group.setup(() => {
    const writer = keyUses as unknown as { writeNow(): Promise<void> }
    const { writeNow } = writer
    writer.writeNow = async () => {}
    return () => {
      writer.writeNow = writeNow
    }
  })
  group.each.timeout(300_000)

  test(`the response matches the specification (ZW_SEED=${SEED})`, async ({ client, assert }) => {
    const { lists, unsorted } = await allLists(client, new Random(SEED))
    assert.isAtLeast(lists.length, SORTED)
    unsorted.forEach(({ path }) => console.log(`not sorted yet, and not compared: ${path}`))
    await areAnswered(lists, assert, RUNS)
  })

  test(`the response matches the specification for a user with few rights (ZW_SEED=${SEED})`, async ({
    client,
    assert,
  }) => {
    const lists = await limitedLists(client, new Random(SEED))
    await areAnswered(lists, assert, Math.ceil(RUNS / 2))
  })
})

/** Compares random requests and walks with the reference. */
async function areAnswered(lists: ListUnderTest[], assert: Assert, runs: number): Promise<void> {
  for (const list of lists) {
    const dialect = list.foldedBy === 'database' ? db.connection().dialect.name : 'server'
    const check = new ListCheck(list, await list.rows(), foldOf(dialect), assert)
    await fc.assert(
      fc.asyncProperty(queriesOf(list, check.rows), (query) => check.answersAsSpecified(query)),
      { numRuns: runs, seed: SEED }
    )
    const walk = fc.tuple(queriesOf(list, check.rows), fc.constantFrom(1, 2, 5, 17, 1000))
    await fc.assert(
      fc.asyncProperty(walk, ([query, size]) => {
        const rows = check.rows.length
        return check.walksWhole(query, rows > 200 ? Math.max(size, 100) : size)
      }),
      { numRuns: Math.ceil(runs / 6), seed: SEED }
    )
  }
}
