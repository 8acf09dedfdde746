import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { JournalKeeper } from '#jobs/journal_keeper'
import { caller, makeRecord, makeZone } from '#tests/support/app/api'
import { told } from '#tests/support/app/history'
import { zoneNamed } from '#tests/support/app/names'
import { administrator } from '#tests/support/app/people'
import { statementsOf } from '#tests/support/app/statements'

test.group('Entries that an older version wrote', () => {
  test('are found by filters', async ({ client, assert }) => {
    const as = caller(client, await administrator())
    const zone = await makeZone(as, { name: zoneNamed() })
    const found = async (query: string) => {
      const entries: { entry: number }[] = await told(as, zone, query)
      return entries.map(({ entry }) => entry)
    }
    await makeRecord(as, zone, { name: 'www', type: 'A', content: '192.0.2.1' })
    await as.put(`/zones/${zone.id}`, { description: 'new' })
    await as.put(`/zones/${zone.id}`, { description: 'newer' })
    const { zone_uid: uid } = await db.from('zw_journal').where('zone_id', zone.id).firstOrFail()
    const keeper = new JournalKeeper({ warn() {} })
    const queries = ['&name=www', '&type=A', '&action=create', '&action=properties']
    for (let i = 0; i < 2; i++) {
      // As the columns' defaults leave them.
      const changes = db.from('zw_journal_changes').where('zone_uid', uid)
      await changes.update({ zone_uid: '', entry: 0 })
      await db.from('zw_journal').where('zone_uid', uid).update({ zone_action: null })
      for (const query of queries) assert.isEmpty(await found(query), query)
      await keeper.step()
      const filed = await Promise.all(queries.map(found))
      assert.deepEqual(filed, [[2], [2], [1], [4, 3]])
    }
    const statements = await statementsOf(() => keeper.step())
    assert.isNotEmpty(statements)
    assert.isEmpty(statements.filter((sql) => /^\s*update/i.test(sql)))
  })
})
