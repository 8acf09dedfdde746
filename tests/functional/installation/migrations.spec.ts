// @databases @process
import { readdirSync } from 'node:fs'
import { test } from '@japa/runner'
import { homePath } from '#support/home'
import { ace } from '#tests/support/app/commands'
import { NewDatabase } from '#tests/support/app/database/new_database'
import { lastReleasedTag, migrationsOf } from '#tests/support/app/database/released_tag'
import { rowsOf, schemaOf } from '#tests/support/app/database/schema'

const LIMIT = 5 * 60_000
const MIGRATIONS = readdirSync(homePath('database/migrations'))

/** Returns the schema and rows of a database. */
async function contentOf({ client }: NewDatabase) {
  return { schema: await schemaOf(client), rows: await rowsOf(client) }
}

test.group('Migrations', (group) => {
  let fresh: Awaited<ReturnType<typeof contentOf>>
  group.tap((one) => one.timeout(LIMIT).tags(['@sql']))
  group.setup(async () => {
    const database = await NewDatabase.create()
    await database.migrate()
    fresh = await contentOf(database)
    await database.drop()
  })

  test('migrations reach the same schema if they stop after each migration', async ({
    assert,
    cleanup,
  }) => {
    const database = await NewDatabase.create()
    cleanup(() => database.drop())
    for (let runs = 1; !(await database.migrate({ most: 1 })); runs += 1) {
      assert.isBelow(runs, MIGRATIONS.length)
    }
    assert.deepEqual(await contentOf(database), fresh)
  })

  test('migrations reach the same schema after a rollback', async ({ assert, cleanup }) => {
    const database = await NewDatabase.create()
    cleanup(() => database.drop())
    await database.migrate()
    await database.migrate({ direction: 'down' })
    const left = await schemaOf(database.client)
    assert.isEmpty(left.filter((line) => line.includes('zw_')))
    await database.migrate()
    assert.deepEqual(await contentOf(database), fresh)
  })

  test('a second setup changes nothing', async ({ assert, cleanup }) => {
    const database = await NewDatabase.create()
    cleanup(() => database.drop())
    const { variables } = database
    const first = await ace(['setup'], { variables })
    assert.equal(first.code, 0, first.stderr)
    const before = await contentOf(database)
    assert.deepEqual(before.schema, fresh.schema)
    const second = await ace(['setup'], { variables })
    assert.equal(second.code, 0, second.stderr)
    assert.deepEqual(await contentOf(database), before)
  })

  const tag = lastReleasedTag()
  if (tag !== null) {
    test(`migrations upgrade a database of ${tag}`, async ({ assert, cleanup }) => {
      const database = await NewDatabase.create()
      cleanup(() => database.drop())
      const folder = migrationsOf(tag)
      await database.migrate({ folder })
      // The recorded names include the folder.
      const { client } = database
      await client.rawQuery('UPDATE zw_migrations SET name = replace(name, ?, ?)', [
        folder,
        'database/migrations',
      ])
      await database.migrate()
      assert.deepEqual(await contentOf(database), fresh)
    })
  }
})
