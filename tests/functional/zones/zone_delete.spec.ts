// @databases @api-backend
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { caller, expectStatus, createRecord, createZone, dataOf } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, keyFor, createTeam, type Person } from '#tests/support/app/people/people'
import { lastEntryOf, serialOf } from '#tests/support/app/zones/zones'

test.group('DELETE /zones/:id', (group) => {
  let admin: Person
  group.setup(async () => {
    admin = await administrator()
  })

  test('a deletion removes all rows of the zone and no other rows', async ({ client, assert }) => {
    const as = caller(client, admin)
    const { id: groupId } = await createTeam([])
    const input = { group_ids: [groupId], soa_edit_api: 'EPOCH' }
    const [zone, other] = [
      await createZone(as, { name: zoneNamed(), ...input }),
      await createZone(as, { name: zoneNamed(), ...input }),
    ]
    for (const { id, name } of [zone, other]) {
      await createRecord(as, { id }, { name: 'x.y', type: 'A', content: '192.0.2.1' })
      await keyFor(admin, { zones: [{ id, name }] })
      await db
        .table('comments')
        .insert({ domain_id: id, name, type: 'A', modified_at: 1, account: '', comment: 'why' })
      await db.table('cryptokeys').insert({ domain_id: id, flags: 257, active: true, content: '' })
    }
    const tables = [
      ['domains', 'id'],
      ['records', 'domain_id'],
      ['comments', 'domain_id'],
      ['domainmetadata', 'domain_id'],
      ['cryptokeys', 'domain_id'],
      ['zw_zones', 'id'],
      ['zw_zone_owners', 'zone_id'],
      ['zw_zone_groups', 'zone_id'],
      ['zw_api_key_zones', 'zone_id'],
    ]
    await expectStatus(as.delete(`/zones/${zone.id}`), 204)
    for (const [table, column] of tables) {
      assert.lengthOf(await db.from(table).where(column, zone.id), 0, table)
      assert.isNotEmpty(await db.from(table).where(column, other.id), table)
    }
  }).tags(['@sql'])

  test('the zone is gone at once, and its name is free', async ({ client, assert }) => {
    const as = caller(client, admin)
    const zone = await createZone(as, { name: zoneNamed() })
    await expectStatus(as.delete(`/zones/${zone.id}`), 204)
    for (const response of [
      await as.delete(`/zones/${zone.id}`),
      await as.get(`/zones/${zone.id}`),
      await as.get(`/zones/${zone.id}/records`),
    ]) {
      response.assertStatus(404)
      response.assertBodyContains({ success: false, message: 'Zone not found' })
    }
    assert.deepEqual(await dataOf(as.get(`/zones?name=${zone.name}`), 'zones'), [])
    await createZone(as, { name: zone.name })
  })

  test('the id is never assigned again', async ({ client, assert }) => {
    const as = caller(client, admin)
    const ids = new Set<number>()
    for (let round = 0; round < 4; round++) {
      const { id } = await createZone(as, { name: zoneNamed() })
      assert.isFalse(ids.has(id))
      ids.add(id)
      await expectStatus(as.delete(`/zones/${id}`), 204)
    }
  })

  test('the journal has the data for a restore', async ({ client, assert }) => {
    const as = caller(client, admin)
    const zone = await createZone(as, {
      name: zoneNamed(),
      description: 'd',
      soa_edit_api: 'EPOCH',
    })
    await createRecord(as, zone, { name: 'www', type: 'A', content: '192.0.2.1', ttl: 60 })
    const serial = await serialOf(zone.id)
    await as.delete(`/zones/${zone.id}`)
    const entry = await lastEntryOf(zone.id)
    assert.containsSubset(entry, { serial_before: serial, serial_after: null, zone_after: null })
    assert.containsSubset(entry.zone_before, {
      name: zone.name,
      description: 'd',
      owners: { users: [admin.id], groups: [] },
      metadata: { 'SOA-EDIT-API': ['EPOCH'] },
    })
    assert.deepEqual(
      entry.changes.map(({ name, type, after }) => [name, type, after]),
      [
        [`www.${zone.name}`, 'A', null],
        [zone.name, 'SOA', null],
      ]
    )
    assert.deepEqual(entry.changes[0].before, {
      ttl: 60,
      records: [{ content: '192.0.2.1', priority: 0, disabled: false }],
    })
  })

  test('a secondary zone can be deleted too', async ({ client }) => {
    const as = caller(client, admin)
    const zone = await createZone(as, { name: zoneNamed(), type: 'SLAVE', master: '192.0.2.1' })
    await expectStatus(as.delete(`/zones/${zone.id}`), 204)
  })
})
