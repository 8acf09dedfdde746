import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { migrate } from '#accounts/migrate'
import env from '#start/env'

/** Migrations that MariaDB commits statement by statement, and that are begun again after they were cut off. */
const NAMES = ['0013_create_zone_list_columns', '0018_create_record_keys_table']

if (env.get('DB_CONNECTION') === 'mysql') {
  test.group('Migrations that were cut off', () => {
    for (const name of NAMES) {
      test(`${name} can be begun again wherever it ended`, async ({ assert }) => {
        const row = () => db.from('zw_migrations').where('name', `database/migrations/${name}`)
        await row().firstOrFail()
        await db.rawQuery(
          name.startsWith('0013')
            ? 'drop index zw_zones_kind_desc on zw_zones'
            : 'drop index zw_seen_zones_keyed_to on zw_seen_zones'
        )
        await row().delete()
        await migrate(app)
        await row().firstOrFail()
        const [found] = await db.rawQuery(
          `select index_name as name from information_schema.statistics
           where table_schema = database() and index_name in ('zw_zones_kind_desc', 'zw_seen_zones_keyed_to')`
        )
        assert.lengthOf(new Set(found.map((one: { name: string }) => one.name)), 2)
      })
    }
  })
}
