// @databases @api-backend(all)
import { test } from '@japa/runner'
import { caller, expectStatus, createZone } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, person, team, type Person } from '#tests/support/app/people/people'
import { ownersOf } from '#tests/support/app/zones/zones'

test.group('Owners of a new zone', (group) => {
  let admin: Person
  group.setup(async () => {
    admin = await administrator()
  })

  test('the caller owns it when nobody is named', async ({ client, assert }) => {
    const manager = await person({ template: 'Zone Manager' })
    const zone = await createZone(caller(client, manager), { name: zoneNamed() })
    assert.deepEqual(await ownersOf(zone.id), { users: [manager.id], groups: [] })
  })

  test('the named user owns it, as number or as text', async ({ client, assert }) => {
    const other = await person()
    for (const id of [other.id, String(other.id)]) {
      const zone = await createZone(caller(client, admin), { name: zoneNamed(), owner_user_id: id })
      assert.deepEqual(await ownersOf(zone.id), { users: [other.id], groups: [] })
    }
  })

  for (const nobody of [null, 0, -1, '0']) {
    test(`owner ${JSON.stringify(nobody)} is nobody: its groups own it`, async ({
      client,
      assert,
    }) => {
      const { id } = await team([])
      const input = { name: zoneNamed(), owner_user_id: nobody, group_ids: [id] }
      const zone = await createZone(caller(client, admin), input)
      assert.deepEqual(await ownersOf(zone.id), { users: [], groups: [id] })
    })
  }

  test('a user and groups own it together, each once', async ({ client, assert }) => {
    const first = await team([])
    const second = await team([])
    const input = { name: zoneNamed(), group_ids: [second.id, first.id, first.id] }
    const zone = await createZone(caller(client, admin), input)
    assert.deepEqual(await ownersOf(zone.id), {
      users: [admin.id],
      groups: [first.id, second.id],
    })
  })

  test('groups are the own ones, for all but administrators', async ({ client }) => {
    const own = await team([])
    const strange = await team([])
    const as = caller(client, await person({ template: 'Zone Manager', groups: [own.name] }))
    await expectStatus(as.post('/zones', { name: zoneNamed(), group_ids: [own.id] }), 201)
    await expectStatus(as.post('/zones', { name: zoneNamed(), group_ids: [strange.id] }), 403)
    const mixed = await as.post('/zones', { name: zoneNamed(), group_ids: [own.id, strange.id] })
    mixed.assertStatus(403)
  })

  test('too many groups are 400', async ({ client }) => {
    const ids = (count: number) => Array.from({ length: count }, (_, index) => index + 1_000_000)
    const as = caller(client, admin)
    await expectStatus(as.post('/zones', { name: zoneNamed(), group_ids: ids(50) }), 404)
    await expectStatus(as.post('/zones', { name: zoneNamed(), group_ids: ids(51) }), 400)
    await expectStatus(as.post('/zones', { name: zoneNamed(), group_ids: ids(40_000) }), 400)
  })

  test('who sees own zones through a group only shares a new zone with that group', async ({
    client,
    assert,
  }) => {
    const managers = await team(['zone_master_add', 'zone_content_view_own', 'zone_delete_own'])
    const member = await person({ groups: [managers.name] })
    const as = caller(client, member)
    const zone = await createZone(as, { name: zoneNamed() })
    assert.deepEqual(await ownersOf(zone.id), { users: [member.id], groups: [managers.id] })
    await expectStatus(as.get(`/zones/${zone.id}`), 200)
    await expectStatus(as.delete(`/zones/${zone.id}`), 204)
  })

  test('naming oneself needs no right over other zones', async ({ client }) => {
    const manager = await person({ template: 'Zone Manager' })
    const input = { name: zoneNamed(), owner_user_id: manager.id }
    await expectStatus(caller(client, manager).post('/zones', input), 201)
  })
})

test.group('Zones above and below', (group) => {
  let admin: Person
  group.setup(async () => {
    admin = await administrator()
  })

  test("a zone under somebody else's is refused", async ({ client, assert }) => {
    const parent = await createZone(caller(client, admin), { name: zoneNamed() })
    const as = caller(client, await person({ template: 'Zone Manager' }))
    for (const name of [`sub.${parent.name}`, `deep.down.${parent.name}`]) {
      const response = await as.post('/zones', { name })
      response.assertStatus(409)
      assert.include(response.body().message, 'overlaps')
    }
  })

  test("a zone over somebody else's is refused", async ({ client, assert }) => {
    const name = zoneNamed()
    await createZone(caller(client, admin), { name: `deep.down.${name}` })
    const as = caller(client, await person({ template: 'Zone Manager' }))
    for (const above of [name, `down.${name}`]) {
      const response = await as.post('/zones', { name: above })
      response.assertStatus(409)
      assert.include(response.body().message, 'overlaps')
    }
  })

  test('a zone beside them is not', async ({ client }) => {
    const name = zoneNamed()
    await createZone(caller(client, admin), { name: `a.${name}` })
    const as = caller(client, await person({ template: 'Zone Manager' }))
    for (const beside of [`b.${name}`, `a-b.${name}`, `x${name}`, `aa.${name}`]) {
      await createZone(as, { name: beside })
    }
  })

  test('own zones may lie above and below each other, also through a group', async ({ client }) => {
    const own = await team([])
    const member = await person({ template: 'Zone Manager', groups: [own.name] })
    const as = caller(client, member)
    const name = zoneNamed()
    await createZone(as, { name: `b.${name}` })
    await createZone(as, { name, owner_user_id: null, group_ids: [own.id] })
    await createZone(as, { name: `a.${name}` })
    await createZone(as, { name: `x.a.${name}` })
  })

  test('the closest zone above decides', async ({ client }) => {
    const manager = await person({ template: 'Zone Manager' })
    const top = await createZone(caller(client, admin), { name: zoneNamed() })
    const middle = `middle.${top.name}`
    await createZone(caller(client, admin), { name: middle, owner_user_id: manager.id })
    await createZone(caller(client, manager), { name: `sub.${middle}` })
  })

  test('administrators are exempt', async ({ client }) => {
    const manager = await person({ template: 'Zone Manager' })
    const zone = await createZone(caller(client, manager), { name: zoneNamed() })
    await createZone(caller(client, admin), { name: `sub.${zone.name}` })
  })
})
