// @databases @api-backend(all)
import { test } from '@japa/runner'
import { caller, expectStatus, createZone } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, person, createTeam, type Person } from '#tests/support/app/people/people'
import { ownersOf } from '#tests/support/app/zones/zones'

test.group('Owners of a new zone', (group) => {
  let admin: Person
  group.setup(async () => {
    admin = await administrator()
  })

  test('without a named owner the caller owns the zone', async ({ client, assert }) => {
    const manager = await person({ template: 'Zone Manager' })
    const zone = await createZone(caller(client, manager), { name: zoneNamed() })
    assert.deepEqual(await ownersOf(zone.id), { users: [manager.id], groups: [] })
  })

  test('the named user owns the zone, as a number or a string', async ({ client, assert }) => {
    const otherUser = await person()
    for (const id of [otherUser.id, String(otherUser.id)]) {
      const zone = await createZone(caller(client, admin), { name: zoneNamed(), owner_user_id: id })
      assert.deepEqual(await ownersOf(zone.id), { users: [otherUser.id], groups: [] })
    }
  })

  for (const nobody of [null, 0, -1, '0']) {
    test(`owner ${JSON.stringify(nobody)} means no user: its groups own the zone`, async ({
      client,
      assert,
    }) => {
      const { id } = await createTeam([])
      const input = { name: zoneNamed(), owner_user_id: nobody, group_ids: [id] }
      const zone = await createZone(caller(client, admin), input)
      assert.deepEqual(await ownersOf(zone.id), { users: [], groups: [id] })
    })
  }

  test('a user and groups own the zone together, without duplicates', async ({
    client,
    assert,
  }) => {
    const first = await createTeam([])
    const second = await createTeam([])
    const input = { name: zoneNamed(), group_ids: [second.id, first.id, first.id] }
    const zone = await createZone(caller(client, admin), input)
    assert.deepEqual(await ownersOf(zone.id), {
      users: [admin.id],
      groups: [first.id, second.id],
    })
  })

  test('only administrators name groups without being a member', async ({ client }) => {
    const ownTeam = await createTeam([])
    const strange = await createTeam([])
    const as = caller(client, await person({ template: 'Zone Manager', groups: [ownTeam.name] }))
    await expectStatus(as.post('/zones', { name: zoneNamed(), group_ids: [ownTeam.id] }), 201)
    await expectStatus(as.post('/zones', { name: zoneNamed(), group_ids: [strange.id] }), 403)
    const mixed = await as.post('/zones', {
      name: zoneNamed(),
      group_ids: [ownTeam.id, strange.id],
    })
    mixed.assertStatus(403)
  })

  test('too many groups get 400', async ({ client }) => {
    const ids = (count: number) => Array.from({ length: count }, (_, index) => index + 1_000_000)
    const as = caller(client, admin)
    await expectStatus(as.post('/zones', { name: zoneNamed(), group_ids: ids(50) }), 404)
    await expectStatus(as.post('/zones', { name: zoneNamed(), group_ids: ids(51) }), 400)
    await expectStatus(as.post('/zones', { name: zoneNamed(), group_ids: ids(40_000) }), 400)
  })

  test('a new zone of a caller who sees own zones through one group belongs to this group too', async ({
    client,
    assert,
  }) => {
    const managers = await createTeam([
      'zone_master_add',
      'zone_content_view_own',
      'zone_delete_own',
    ])
    const member = await person({ groups: [managers.name] })
    const as = caller(client, member)
    const zone = await createZone(as, { name: zoneNamed() })
    assert.deepEqual(await ownersOf(zone.id), { users: [member.id], groups: [managers.id] })
    await expectStatus(as.get(`/zones/${zone.id}`), 200)
    await expectStatus(as.delete(`/zones/${zone.id}`), 204)
  })

  test('naming oneself requires no right on other zones', async ({ client }) => {
    const manager = await person({ template: 'Zone Manager' })
    const input = { name: zoneNamed(), owner_user_id: manager.id }
    await expectStatus(caller(client, manager).post('/zones', input), 201)
  })
})

test.group('Parent and child zones', (group) => {
  let admin: Person
  group.setup(async () => {
    admin = await administrator()
  })

  test('a zone below a foreign zone is refused', async ({ client, assert }) => {
    const parent = await createZone(caller(client, admin), { name: zoneNamed() })
    const as = caller(client, await person({ template: 'Zone Manager' }))
    for (const name of [`sub.${parent.name}`, `deep.down.${parent.name}`]) {
      const response = await as.post('/zones', { name })
      response.assertStatus(409)
      assert.include(response.body().message, 'overlaps')
    }
  })

  test('a zone above a foreign zone is refused', async ({ client, assert }) => {
    const name = zoneNamed()
    await createZone(caller(client, admin), { name: `deep.down.${name}` })
    const as = caller(client, await person({ template: 'Zone Manager' }))
    for (const above of [name, `down.${name}`]) {
      const response = await as.post('/zones', { name: above })
      response.assertStatus(409)
      assert.include(response.body().message, 'overlaps')
    }
  })

  test('a sibling of a foreign zone is allowed', async ({ client }) => {
    const name = zoneNamed()
    await createZone(caller(client, admin), { name: `a.${name}` })
    const as = caller(client, await person({ template: 'Zone Manager' }))
    for (const sibling of [`b.${name}`, `a-b.${name}`, `x${name}`, `aa.${name}`]) {
      await createZone(as, { name: sibling })
    }
  })

  test('own zones may nest, also through a group', async ({ client }) => {
    const ownTeam = await createTeam([])
    const member = await person({ template: 'Zone Manager', groups: [ownTeam.name] })
    const as = caller(client, member)
    const name = zoneNamed()
    await createZone(as, { name: `b.${name}` })
    await createZone(as, { name, owner_user_id: null, group_ids: [ownTeam.id] })
    await createZone(as, { name: `a.${name}` })
    await createZone(as, { name: `x.a.${name}` })
  })

  test('the closest parent zone decides', async ({ client }) => {
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
