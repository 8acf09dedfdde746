import { test } from '@japa/runner'
import { createStage, requestOf } from '#tests/support/access/fixtures'
import { TABLE } from '#tests/support/access/matrix_row'
import { withReview } from '#tests/support/app/review'
import { rowsOf, tableNames } from '#tests/support/app/database/tables'
import { refusedCalls } from '#audit/refused_calls'
import { keyUses } from '#accounts/keys/last_used'

/** Tables that a dry run may write: hashes of the returned plans, and leases of jobs. */
const BESIDE = ['zw_plans', 'zw_job_leases']

async function everything(): Promise<Record<string, string[]>> {
  const all = await tableNames()
  const names = all.filter((name) => !BESIDE.includes(name))
  const tables: [string, string[]][] = []
  for (const name of names)
    tables.push([name, await rowsOf(name, ['last_used_at', 'last_used_from'])])
  return Object.fromEntries(tables)
}

test.group('Dry runs of all routes', (group) => {
  group.setup(withReview())

  test('dry runs of users, groups, templates, keys and owners change no row of any table', async ({
    client,
    assert,
  }) => {
    const { cast, props } = await createStage(client)
    const writes = TABLE.filter(
      (row) => row.allowed === 200 && row.path(props).includes('dry_run=true')
    )
    assert.isAtLeast(writes.length, 20)
    const key = cast.keyOf('administrator', 'plain')
    await refusedCalls.flush()
    await keyUses.flush()
    const before = await everything()
    for (const row of writes) {
      const response = await requestOf(client, row, props, key)
      assert.equal(response.status(), 200, `${row.route}: ${response.text()}`)
    }
    await refusedCalls.flush()
    assert.deepEqual(await everything(), before)
  })
})
