// @databases
import { setTimeout as sleep } from 'node:timers/promises'
import type { ApiClient } from '@japa/api-client'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import type { Permission } from '#access/permissions'
import { caller, expectStatus, createZone } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import {
  administrator,
  keyFor,
  person,
  createTeam,
  type Person,
  type PersonOptions,
} from '#tests/support/app/people/people'
import { assertRefused, userRow } from '#tests/support/app/people/all_account_rows'
import { statementsOf } from '#tests/support/app/database/statements'
import { journalOf, ownersOf, stateOf } from '#tests/support/app/zones/zones'

let admin: Person

/** Creates a user who owns zones. */
async function zoneOwner(client: ApiClient, zones: number, options: PersonOptions = {}) {
  const owner = await person(options)
  const created: { id: number; name: string }[] = []
  for (let index = 0; index < zones; index++) {
    const input = { name: zoneNamed(), owner_user_id: owner.id }
    created.push(await createZone(caller(client, admin), input))
  }
  return { ...owner, at: `/users/${owner.id}`, zones: created }
}

const own = (zoneId: number, userId: number) =>
  db
    .table('zw_zone_owners')
    .insert({ zone_id: zoneId, user_id: userId, created_at: new Date().toISOString() })

test.group('Deleting a user', (group) => {
  group.setup(async () => {
    admin = await administrator()
  })

  test('the user, their keys and memberships are deleted; groups that they created stay', async ({
    client,
    assert,
  }) => {
    const created = await createTeam([])
    const someone = await person({ groups: [created.name] })
    await db.from('zw_groups').where('id', created.id).update({ created_by: someone.id })
    const response = await caller(client, admin).delete(`/users/${someone.id}`)
    response.assertStatus(200)
    const { data, message } = response.body()
    assert.deepEqual([data, message], [{ zones_affected: 0 }, 'User deleted successfully'])
    assert.isNull(await userRow(someone.id))
    for (const table of ['zw_api_keys', 'zw_group_members']) {
      assert.isNull(await db.from(table).where('user_id', someone.id).first(), table)
    }
    const remaining = await db.from('zw_groups').where('id', created.id).firstOrFail()
    assert.isNull(remaining.created_by)
    await expectStatus(caller(client, someone).get('/zones'), 401)
    await assertRefused(assert, caller(client, admin).delete(`/users/${someone.id}`), 404)
  })

  test('an owner cannot be deleted without a new owner for the zones', async ({
    client,
    assert,
  }) => {
    const { id, at } = await zoneOwner(client, 1)
    const root = caller(client, admin)
    for (const body of [undefined, {}, { transfer_to_user_id: null }]) {
      await assertRefused(assert, root.delete(at, body), 400, /'transfer_to_user_id'/)
    }
    for (const [target, status] of [
      [id, 400],
      [String(id), 400],
      [2_147_483_647, 404],
      [99_999_999_999, 404],
      [0, 404],
      [-1, 404],
      ['x', 400],
      [1.5, 400],
    ] as const) {
      await assertRefused(assert, root.delete(at, { transfer_to_user_id: target }), status)
    }
  })

  test('the new owner is validated even without zones', async ({ client, assert }) => {
    const { id, at } = await zoneOwner(client, 0)
    const root = caller(client, admin)
    await assertRefused(assert, root.delete(at, { transfer_to_user_id: id }), 400)
    await assertRefused(assert, root.delete(at, { transfer_to_user_id: 2_147_483_647 }), 404)
    const newOwner = await person()
    const response = await root.delete(at, { transfer_to_user_id: newOwner.id })
    assert.equal(response.body().message, 'User deleted successfully')
  })

  test('zones are transferred; other owners, groups, contents and history stay', async ({
    client,
    assert,
  }) => {
    const { id, at, zones } = await zoneOwner(client, 3)
    const [newOwner, otherUser] = [await person(), await person()]
    const { id: groupId } = await createTeam([])
    const [alone, shared, both] = zones
    await own(shared.id, otherUser.id)
    await db.table('zw_zone_groups').insert({
      zone_id: shared.id,
      group_id: groupId,
      created_at: new Date().toISOString(),
    })
    await own(both.id, newOwner.id)
    const before = await Promise.all(zones.map((zone) => stateOf(zone.id)))
    const root = caller(client, admin)
    const tags = await Promise.all(zones.map((zone) => root.get(`/zones/${zone.id}`)))
    const response = await root.delete(at, { transfer_to_user_id: String(newOwner.id) })
    response.assertStatus(200)
    const { data, message } = response.body()
    assert.deepEqual(data, { zones_affected: 3 })
    assert.equal(message, 'User deleted successfully. 3 zones transferred')
    const byId = (ids: number[]) => ids.sort((a, b) => a - b)
    assert.deepEqual(await ownersOf(alone.id), { users: [newOwner.id], groups: [] })
    assert.deepEqual(await ownersOf(shared.id), {
      users: byId([newOwner.id, otherUser.id]),
      groups: [groupId],
    })
    assert.deepEqual(await ownersOf(both.id), { users: [newOwner.id], groups: [] })
    assert.deepEqual(await Promise.all(zones.map((zone) => stateOf(zone.id))), before)
    for (const [index, zone] of zones.entries()) {
      const shown = await root.get(`/zones/${zone.id}`)
      assert.equal(shown.header('etag'), tags[index].header('etag'))
      assert.lengthOf(await journalOf(zone.id), 1)
    }
    assert.isNull(await userRow(id))
  })

  test('zones that another tool deleted do not prevent the deletion', async ({
    client,
    assert,
  }) => {
    const { at, zones } = await zoneOwner(client, 2)
    await db.from('domains').where('id', zones[0].id).delete()
    await db
      .from('domains')
      .where('id', zones[1].id)
      .update({ name: zoneNamed('taken-over') })
    const response = await caller(client, admin).delete(at)
    assert.deepEqual(response.body().data, { zones_affected: 0 })
    assert.deepEqual(await ownersOf(zones[0].id), { users: [], groups: [] })
    assert.deepEqual(await ownersOf(zones[1].id), { users: [], groups: [] })
  })

  test('administrators may delete themselves, other users may not', async ({ client, assert }) => {
    const leaving = await administrator()
    await expectStatus(caller(client, leaving).delete(`/users/${leaving.id}`), 200)
    const self = await person({ permissions: ['user_edit_others', 'user_edit_own'] })
    const call = caller(client, self).delete(`/users/${self.id}`)
    await assertRefused(assert, call, 403, /cannot delete your own account/)
  })

  test('of several concurrent deletions of one user one succeeds', async ({ client, assert }) => {
    const { at, zones } = await zoneOwner(client, 3)
    const heirs = await Promise.all([person(), person(), person(), person()])
    const root = caller(client, admin)
    const answers = await Promise.all(
      heirs.map(({ id }) => root.delete(at, { transfer_to_user_id: id }))
    )
    const statuses = answers.map((answer) => answer.status())
    assert.deepEqual([...statuses].sort(), [200, 404, 404, 404])
    const winner = heirs[statuses.indexOf(200)].id
    for (const zone of zones) {
      assert.deepEqual(await ownersOf(zone.id), { users: [winner], groups: [] })
    }
  })

  test('two users who are deleted concurrently in favour of each other leave no zone without owner', async ({
    client,
    assert,
  }) => {
    const [one, other] = [await zoneOwner(client, 2), await zoneOwner(client, 2)]
    const root = caller(client, admin)
    const answers = await Promise.all([
      root.delete(one.at, { transfer_to_user_id: other.id }),
      root.delete(other.at, { transfer_to_user_id: one.id }),
    ])
    const statuses = answers.map((answer) => answer.status()).sort((a, b) => a - b)
    assert.equal(statuses[0], 200)
    assert.include([404, 409], statuses[1])
    const left = answers[0].status() === 200 ? other.id : one.id
    for (const zone of [...one.zones, ...other.zones]) {
      assert.deepEqual(await ownersOf(zone.id), { users: [left], groups: [] })
    }
  })

  test('a new owner who is deleted concurrently is not found', async ({ client, assert }) => {
    const { id, at, zones } = await zoneOwner(client, 1)
    const newOwner = await person()
    const trx = await db.transaction()
    await trx.from('zw_users').where('id', newOwner.id).delete()
    const answer = caller(client, admin).delete(at, { transfer_to_user_id: newOwner.id }).send()
    await sleep(500)
    await trx.commit()
    const response = await answer
    assert.equal(response.status(), 404)
    assert.match(response.body().message, /User not found/)
    assert.deepEqual(await ownersOf(zones[0].id), { users: [id], groups: [] })
  })

  test('a zone created for a user during the deletion has an owner or is not created', async ({
    client,
    assert,
  }) => {
    for (let round = 0; round < 5; round++) {
      const someone = await zoneOwner(client, 0)
      const newOwner = await person()
      const root = caller(client, admin)
      const name = zoneNamed()
      const [created, deleted] = await Promise.all([
        root.post('/zones', { name, owner_user_id: someone.id }),
        root.delete(someone.at, { transfer_to_user_id: newOwner.id }),
      ])
      assert.equal(deleted.status(), 200)
      assert.include([201, 404, 409], created.status())
      if (created.status() === 201) {
        const { users } = await ownersOf(created.body().data.zone_id)
        assert.deepEqual(users, [newOwner.id])
      } else {
        assert.isNull(await db.from('domains').where('name', name).first())
      }
    }
  })

  test('a transfer takes the same number of statements for two zones and for twenty', async ({
    client,
    assert,
  }) => {
    const newOwner = await person()
    const root = caller(client, admin)
    const [few, many] = [await zoneOwner(client, 2), await zoneOwner(client, 20)]
    const cost = ({ at }: { at: string }) =>
      statementsOf(() => root.delete(at, { transfer_to_user_id: newOwner.id }))
    const cheap = await cost(few)
    assert.isAbove(cheap.length, 10)
    assert.lengthOf(await cost(many), cheap.length)
  })
})

test.group('Transfers without administrator rights', (group) => {
  group.setup(async () => {
    admin = await administrator()
  })

  const HELPDESK: Permission[] = ['user_edit_others', 'user_view_others']

  test('a caller who may not change owners transfers no zone and learns of no zone', async ({
    client,
    assert,
  }) => {
    const { at, zones } = await zoneOwner(client, 1)
    const newOwner = await person()
    const as = caller(client, await person({ permissions: HELPDESK }))
    const call = as.delete(at, { transfer_to_user_id: newOwner.id })
    const message = await assertRefused(assert, call, 403, /zones of this user/)
    assert.notInclude(message, zones[0].name)
    assert.notMatch(message, new RegExp(`\\b${zones[0].id}\\b`))
  })

  test('nobody transfers permissions on a zone that they do not hold', async ({
    client,
    assert,
  }) => {
    const { at, zones } = await zoneOwner(client, 1)
    const strong = await person({ template: 'Zone Manager' })
    const weak = await person({ permissions: ['zone_meta_edit_own'] })
    const as = caller(client, await person({ permissions: [...HELPDESK, 'zone_meta_edit_others'] }))
    const call = as.delete(at, { transfer_to_user_id: strong.id })
    await assertRefused(assert, call, 403, /the owner would get zone_content_view_own/)
    const response = await as.delete(at, { transfer_to_user_id: weak.id })
    response.assertStatus(200)
    assert.equal(response.body().message, 'User deleted successfully. 1 zone transferred')
    assert.deepEqual(await ownersOf(zones[0].id), { users: [weak.id], groups: [] })
  })

  test('one zone that may not be transferred prevents the deletion and all transfers', async ({
    client,
    assert,
  }) => {
    const { at, zones } = await zoneOwner(client, 2)
    const helper = await person({ permissions: [...HELPDESK, 'zone_meta_edit_own'] })
    await own(zones[0].id, helper.id)
    const newOwner = await person()
    const as = caller(client, helper)
    const call = as.delete(at, { transfer_to_user_id: newOwner.id })
    await assertRefused(assert, call, 403, /zones of this user/)
    await own(zones[1].id, helper.id)
    await expectStatus(as.delete(at, { transfer_to_user_id: newOwner.id }), 200)
  })

  test('a key for single zones transfers no other zones, even for an administrator', async ({
    client,
    assert,
  }) => {
    const { at, zones } = await zoneOwner(client, 2)
    const newOwner = await person()
    const body = { transfer_to_user_id: newOwner.id }
    const asLimitedKey = caller(client, await keyFor(admin, { zones: [zones[0]] }))
    await assertRefused(assert, asLimitedKey.delete(at, body), 403, /does not have access/)
    const wide = caller(client, await keyFor(admin, { zones }))
    await expectStatus(wide.delete(at, body), 200)
  })
})

test.group('Deleting a user with several new owners', (group) => {
  group.setup(async () => {
    admin = await administrator()
  })

  test('groups and single zones get different new owners, and shared zones keep their owners', async ({
    client,
    assert,
  }) => {
    const { id, at, zones } = await zoneOwner(client, 4)
    const [, second, third, fourth] = zones
    const newOwner = await person()
    const team = await createTeam(['zone_content_view_own'])
    await own(third.id, newOwner.id)
    const single = [
      { zone_id: second.id, user_id: newOwner.id },
      { zone_id: third.id },
      { zone_id: fourth.id, group_id: team.id },
    ]
    const body = { transfer_to_group_id: team.id, zone_transfers: single }
    const response = await caller(client, admin).delete(at, body)
    response.assertStatus(200)
    assert.equal(response.body().data.zones_affected, 4)
    assert.deepEqual(await Promise.all(zones.map((zone) => ownersOf(zone.id))), [
      { users: [], groups: [team.id] },
      { users: [newOwner.id], groups: [] },
      { users: [newOwner.id], groups: [] },
      { users: [], groups: [team.id] },
    ])
    const events = await db
      .from('zw_audit')
      .where({ action: 'user.deleted', object_id: id })
      .firstOrFail()
    const detail = JSON.parse(events.detail) as { zones: number[][] }
    assert.sameMembers(
      detail.zones.flat(),
      zones.map((zone) => zone.id)
    )
  })

  test('an invalid distribution is refused and changes nothing', async ({ client, assert }) => {
    const { id, at, zones } = await zoneOwner(client, 1)
    const newOwner = await person()
    const root = caller(client, admin)
    const otherZone = await createZone(root, { name: zoneNamed() })
    const [zone] = zones
    for (const [body, status, message] of [
      [{ transfer_to_user_id: newOwner.id, transfer_to_group_id: 4 }, 400, /Only one of/],
      [{ transfer_to_group_id: 2_147_483_647 }, 404, /Group not found/],
      [{ zone_transfers: [{ zone_id: zone.id }] }, 400, /zone \d+ has no other owner/],
      [
        { zone_transfers: [{ zone_id: zone.id, user_id: id }] },
        400,
        /cannot be transferred to the user/,
      ],
      [{ zone_transfers: [{ zone_id: zone.id, user_id: 0 }] }, 404, /User not found/],
      [
        { zone_transfers: [{ zone_id: otherZone.id, user_id: newOwner.id }] },
        400,
        /the user does not own zone/,
      ],
      [
        {
          zone_transfers: [
            { zone_id: zone.id, user_id: newOwner.id },
            { zone_id: zone.id, user_id: newOwner.id },
          ],
        },
        400,
        /listed only once/,
      ],
    ] as const) {
      await assertRefused(assert, root.delete(at, body), status, message)
    }
    assert.isNotNull(await userRow(id))
    assert.deepEqual(await ownersOf(zone.id), { users: [id], groups: [] })
  })

  test('only administrators transfer zones to groups', async ({ client, assert }) => {
    const { id, at } = await zoneOwner(client, 1)
    const clerk = await person({
      permissions: ['user_edit_others', 'zone_meta_edit_others', 'zone_content_view_others'],
    })
    const team = await createTeam([])
    const body = { transfer_to_group_id: team.id }
    await assertRefused(assert, caller(client, clerk).delete(at, body), 403, /manage groups/)
    assert.isNotNull(await userRow(id))
  })
})
