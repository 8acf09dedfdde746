// @databases
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { caller, expectStatus, createRecord, createZone, dataOf } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, person, type Person } from '#tests/support/app/people/people'
import { journalOf, serialOf, stateOf } from '#tests/support/app/zones/zones'

test.group('Renaming a zone', (group) => {
  let admin: Person
  group.setup(async () => {
    admin = await administrator()
  })

  test('owner names below change, ids and contents stay', async ({ client, assert }) => {
    const as = caller(client, admin)
    const zone = await createZone(as, { name: zoneNamed() })
    await createRecord(as, zone, { name: '@', type: 'MX', content: `mail.${zone.name}` })
    await createRecord(as, zone, { name: 'a.b', type: 'A', content: '192.0.2.1' })
    await createRecord(as, zone, { name: '*.w', type: 'CNAME', content: `a.b.${zone.name}` })
    const path = `/zones/${zone.id}/records`
    const before = await dataOf(as.get(path), 'records')

    const name = zoneNamed('renamed')
    const response = await as.put(`/zones/${zone.id}`, { name: `${name.toUpperCase()}.` })
    response.assertStatus(200)
    assert.containsSubset(response.body().data.zone, { id: zone.id, name })

    const serial = await serialOf(zone.id)
    const follow = (text: string) => text.slice(0, -zone.name.length) + name
    const expected = before.map((record: Record<string, string>) => ({
      ...record,
      name: follow(record.name),
      content:
        record.type === 'SOA' ? record.content.replace(/\d{10}/, String(serial)) : record.content,
    }))
    assert.sameDeepMembers(await dataOf(as.get(path), 'records'), expected)
    assert.lengthOf(await dataOf(as.get(`/zones?name=${name}`), 'zones'), 1)
    assert.lengthOf(await dataOf(as.get(`/zones?name=${zone.name}`), 'zones'), 0)
  })

  test('empty non-terminals and comments change too', async ({ client, assert }) => {
    const as = caller(client, admin)
    const zone = await createZone(as, { name: zoneNamed() })
    await createRecord(as, zone, { name: 'x.y.z', type: 'A', content: '192.0.2.1' })
    await db.table('comments').insert({
      domain_id: zone.id,
      name: `x.y.z.${zone.name}`,
      type: 'A',
      modified_at: 1,
      account: '',
      comment: 'why',
    })
    const name = zoneNamed('renamed')
    await expectStatus(as.put(`/zones/${zone.id}`, { name }), 200)
    const rows = await db.from('records').where('domain_id', zone.id)
    assert.isTrue(rows.every((row) => row.name === name || row.name.endsWith(`.${name}`)))
    const comment = await db.from('comments').where('domain_id', zone.id).firstOrFail()
    assert.equal(comment.name, `x.y.z.${name}`)
  })

  test('the serial goes up by one and the journal has one entry', async ({ client, assert }) => {
    const as = caller(client, admin)
    const zone = await createZone(as, { name: zoneNamed() })
    const serial = await serialOf(zone.id)
    const name = zoneNamed('renamed')
    await as.put(`/zones/${zone.id}`, { name })
    assert.equal(await serialOf(zone.id), serial + 1)
    const [, entry, ...more] = await journalOf(zone.id)
    assert.lengthOf(more, 0)
    assert.containsSubset(entry, {
      zone_name: name,
      zone_before: { name: zone.name },
      zone_after: { name },
      serial_before: serial,
      serial_after: serial + 1,
    })
  })

  test('the zone keeps its owners and its journal', async ({ client, assert }) => {
    const manager = await person({ template: 'Zone Manager' })
    const as = caller(client, manager)
    const zone = await createZone(as, { name: zoneNamed(), description: 'kept' })
    const response = await as.put(`/zones/${zone.id}`, { name: zoneNamed('renamed') })
    assert.equal(response.body().data.zone.description, 'kept')
    await expectStatus(as.get(`/zones/${zone.id}`), 200)
    const entries = await journalOf(zone.id)
    const uids = new Set(entries.map((entry) => entry.zone_uid))
    assert.equal(uids.size, 1)
  })

  test('a zone can be renamed to a child of its old name and back', async ({ client, assert }) => {
    const as = caller(client, admin)
    const zone = await createZone(as, { name: zoneNamed() })
    await createRecord(as, zone, { name: 'www', type: 'A', content: '192.0.2.1' })
    for (const name of [`sub.${zone.name}`, zone.name]) {
      await expectStatus(as.put(`/zones/${zone.id}`, { name }), 200)
      const { records } = await dataOf(as.get(`/zones/${zone.id}/records?type=A`))
      assert.equal(records[0].name, `www.${name}`)
    }
  })

  test('a taken name gets 409 and changes nothing', async ({ client, assert }) => {
    const as = caller(client, admin)
    const taken = await createZone(as, { name: zoneNamed() })
    const zone = await createZone(as, { name: zoneNamed() })
    const before = await stateOf(zone.id)
    const response = await as.put(`/zones/${zone.id}`, { name: taken.name, description: 'x' })
    response.assertStatus(409)
    assert.deepEqual(await stateOf(zone.id), before)
  })

  test('a name below a foreign zone gets 409', async ({ client, assert }) => {
    const foreignZone = await createZone(caller(client, admin), { name: zoneNamed() })
    const as = caller(client, await person({ template: 'Zone Manager' }))
    const zone = await createZone(as, { name: zoneNamed() })
    const response = await as.put(`/zones/${zone.id}`, { name: `sub.${foreignZone.name}` })
    response.assertStatus(409)
    assert.include(response.body().message, 'overlaps')
  })

  test('a name that makes a record name too long gets 400 and changes nothing', async ({
    client,
    assert,
  }) => {
    const as = caller(client, admin)
    const zone = await createZone(as, { name: zoneNamed() })
    const label = 'a'.repeat(60)
    await createRecord(as, zone, {
      name: `${label}.${label}.${label}`,
      type: 'A',
      content: '192.0.2.1',
    })
    const before = await stateOf(zone.id)
    const name = `${'b'.repeat(60)}.${zoneNamed()}`
    const response = await as.put(`/zones/${zone.id}`, { name })
    response.assertStatus(400)
    assert.deepEqual(await stateOf(zone.id), before)
  })
})
