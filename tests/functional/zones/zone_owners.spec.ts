// @databases @api-backend(all)
import { test } from '@japa/runner'
import { accountState, NOTHING } from '#tests/support/app/people/accounts'
import { caller, dataOf, expectStatus, createZone, type Caller } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import {
  administrator,
  keyFor,
  person,
  createTeam,
  type Person,
} from '#tests/support/app/people/people'
import { journalOf, ownersOf } from '#tests/support/app/zones/zones'

let admin: Person
let as: Caller
let zone: { id: number; name: string }
let at: string

const setUp = (tests: Parameters<Parameters<typeof test.group>[1]>[0]) => {
  tests.setup(async () => {
    admin = await administrator()
  })
  tests.each.setup(async (t) => {
    as = caller(t.context.client, admin)
    zone = await createZone(as, { name: zoneNamed() })
    at = `/zones/${zone.id}/owners`
  })
}

const users = async () => {
  const owners = await ownersOf(zone.id)
  return owners.users
}

test.group('Owners of a zone', (tests) => {
  setUp(tests)

  test('a user becomes an owner, is listed and removed, without a journal entry', async ({
    assert,
  }) => {
    const user = await person()
    const entries = await journalOf(zone.id)
    const added = await as.post(at, { user_id: user.id })
    added.assertStatus(201)
    added.assertBody({ success: true, data: null, message: 'Owner added successfully' })
    assert.deepEqual(await dataOf(as.get(at), 'owners'), [
      { user_id: admin.id, username: admin.username, fullname: '' },
      { user_id: user.id, username: user.username, fullname: '' },
    ])
    const secondResponse = await as.post(at, { user_id: String(user.id) })
    secondResponse.assertStatus(409)
    secondResponse.assertBodyContains({ message: 'User is already an owner of this zone' })

    const removed = await as.delete(`${at}/${user.id}`)
    removed.assertStatus(200)
    removed.assertBody({ success: true, data: null, message: 'Owner removed successfully' })
    const deleted = await as.delete(`${at}/${user.id}`)
    deleted.assertStatus(404)
    deleted.assertBodyContains({ message: 'Owner not found for this zone' })
    assert.deepEqual(await users(), [admin.id])
    assert.deepEqual(await journalOf(zone.id), entries)
  })

  test('several users become owners at once, each with a result', async ({ assert }) => {
    const [first, second, third] = [await person(), await person(), await person()]
    const ids = [first.id, admin.id, String(second.id), NOTHING, -5, first.id]
    const mixed = await as.post(at, { user_ids: ids })
    mixed.assertStatus(201)
    assert.deepEqual(mixed.body().data, {
      added: [first.id, second.id],
      skipped: [admin.id],
      not_found: [NOTHING, -5],
    })
    assert.equal(mixed.body().message, '2 owner(s) added, 1 already assigned, 2 not found')
    const emptyResponse = await as.post(at, { user_ids: [first.id, 99_999_999_999] })
    emptyResponse.assertStatus(200)
    const nothing = { added: [], skipped: [first.id], not_found: [99_999_999_999] }
    assert.deepEqual(emptyResponse.body().data, nothing)
    const one = await as.post(at, { user_ids: [third.id] })
    assert.equal(one.body().message, '1 owner(s) added')
    assert.deepEqual(await users(), [admin.id, first.id, second.id, third.id])
  })

  test('unknown users and groups are refused', async ({ assert }) => {
    const otherUser = await person()
    for (const body of [
      {},
      { user_id: null },
      { user_id: 0 },
      { user_id: -1 },
      { user_id: 'joe' },
      { user_id: 1.5 },
      { user_ids: [] },
      { user_ids: ['joe', null] },
      { user_ids: [[otherUser.id], [String(otherUser.id)]] },
      { user_ids: 5 },
      { user_ids: Array.from({ length: 1001 }, (_, index) => index + 1) },
      { user_id: admin.id, user_ids: [admin.id] },
    ]) {
      await expectStatus(as.post(at, body), 400)
    }
    const missing = await as.post(at, {})
    missing.assertBodyContains({ message: 'Missing required field: user_id or user_ids' })
    for (const id of [NOTHING, 99_999_999_999]) {
      const unknown = await as.post(at, { user_id: id })
      unknown.assertStatus(404)
      unknown.assertBodyContains({ message: 'User not found' })
      await expectStatus(as.delete(`${at}/${id}`), 404)
    }
    await expectStatus(as.delete(`${at}/0`), 400)
    await expectStatus(as.delete(`${at}/joe`), 404)
    assert.deepEqual(await users(), [admin.id])
  })

  test('one response lists every invalid entry of user_ids, and adds no owner', async ({
    assert,
  }) => {
    const otherUser = await person()
    for (const [entries, wrong] of [
      [[otherUser.id, 'x'], [1]],
      [
        [NOTHING, otherUser.id, 'x', {}],
        [2, 3],
      ],
      [[null, otherUser.id], [0]],
      [
        [otherUser.id, 1.5, true, [otherUser.id]],
        [1, 2, 3],
      ],
      [
        ['', String(otherUser.id), '1e3'],
        [0, 2],
      ],
    ] as const) {
      const response = await as.post(at, { user_ids: entries })
      response.assertStatus(400)
      const named = String(response.body().message).matchAll(/Field 'user_ids\.(\d+)'/g)
      assert.deepEqual(
        [...named].map(([, index]) => Number(index)),
        [...wrong],
        JSON.stringify(entries)
      )
    }
    assert.deepEqual(await users(), [admin.id])
  })

  test('the last owner stays unless a group owns the zone too', async ({ assert }) => {
    const response = await as.delete(`${at}/${admin.id}`)
    response.assertStatus(400)
    assert.include(response.body().message, 'last owner')
    const group = await createTeam([])
    await expectStatus(as.post(`/groups/${group.id}/zones`, { zone_id: zone.id }), 201)
    await expectStatus(as.delete(`${at}/${admin.id}`), 200)
    assert.deepEqual(await ownersOf(zone.id), { users: [], groups: [group.id] })
    assert.deepEqual(await dataOf(as.get(at), 'owners'), [])
  })

  test('concurrent additions of one owner create one row', async ({ assert }) => {
    const user = await person()
    const answers = await Promise.all([1, 2, 3, 4].map(() => as.post(at, { user_id: user.id })))
    assert.deepEqual(answers.map((answer) => answer.status()).sort(), [201, 409, 409, 409])
    const others = [await person(), await person()].map(({ id }) => id)
    const batches = await Promise.all([1, 2, 3].map(() => as.post(at, { user_ids: others })))
    assert.deepEqual(batches.map((answer) => answer.status()).sort(), [200, 200, 201])
    assert.deepEqual(await users(), [admin.id, user.id, ...others])
  })

  test('of concurrently removed owners one stays', async ({ assert }) => {
    const user = await person()
    await as.post(at, { user_id: user.id })
    const answers = await Promise.all([
      as.delete(`${at}/${admin.id}`),
      as.delete(`${at}/${user.id}`),
    ])
    assert.deepEqual(answers.map((answer) => answer.status()).sort(), [200, 400])
    assert.lengthOf(await users(), 1)
  })

  test('a dry run changes nothing, and a repeated request gets the first response', async ({
    assert,
  }) => {
    const user = await person()
    await expectStatus(as.post(`${at}?dry_run=true`, { user_id: user.id }), 200)
    await expectStatus(as.post(at, { user_ids: [user.id], dry_run: true }), 200)
    assert.deepEqual(await users(), [admin.id])
    const send = () => as.post(at, { user_id: user.id }).header('Idempotency-Key', zone.name)
    for (const response of [await send(), await send()]) {
      response.assertStatus(201)
    }
    await expectStatus(as.post(at, { user_id: user.id }).header('If-Match', '*'), 400)
  })

  test('owners are deleted and restored with the zone', async ({ assert }) => {
    const user = await person()
    await as.post(at, { user_id: user.id })
    await as.delete(`/zones/${zone.id}`)
    const trash: { id: number; zone_id: number }[] = await dataOf(as.get('/trash'), 'zones')
    const { id } = trash.find((one) => one.zone_id === zone.id)!
    await expectStatus(as.post(`/trash/${id}/restore`, {}), 201)
    assert.deepEqual(await users(), [admin.id, user.id])
  })
})

test.group('Owners of a zone: permissions', (tests) => {
  setUp(tests)

  test('a key that does not reach the zone gets 403, whether the zone exists or not', async ({
    client,
    assert,
  }) => {
    const otherZone = await createZone(as, { name: zoneNamed() })
    const key = caller(client, await keyFor(admin, { zones: [otherZone] }))
    for (const id of [zone.id, NOTHING]) {
      for (const call of [
        key.get(`/zones/${id}/owners`),
        key.post(`/zones/${id}/owners`, {}),
        key.delete(`/zones/${id}/owners/${admin.id}`),
      ]) {
        const response = await call
        response.assertStatus(403)
        assert.include(response.body().message, 'does not have access to the requested zone')
      }
    }
    const { id } = await person()
    await expectStatus(key.post(`/zones/${otherZone.id}/owners`, { user_id: id }), 201)
  })

  test('reads and changes require their permissions; a hidden zone gets 404', async ({
    client,
  }) => {
    for (const [permissions, read, write] of [
      [[], 404, 404],
      [['zone_content_view_own'], 403, 403],
      [['zone_content_edit_own'], 403, 403],
      [['zone_ownership_view_own'], 200, 403],
      [['zone_ownership_view_others'], 200, 403],
      [['zone_meta_edit_own'], 200, 201],
      [['zone_meta_edit_others'], 200, 201],
    ] as const) {
      const owner = await person({ permissions: [...permissions] })
      await expectStatus(as.post(at, { user_id: owner.id }), 201)
      const asMember = caller(client, owner)
      await expectStatus(asMember.get(at), read)
      const { id } = await person()
      await expectStatus(asMember.post(at, { user_id: id }), write)
      await expectStatus(asMember.post(at, {}), write === 201 ? 400 : write)
      await expectStatus(asMember.delete(`${at}/${NOTHING}`), write === 201 ? 404 : write)
    }
  })

  test('the operations of a key apply', async ({ client }) => {
    const user = await person()
    const reader = caller(client, await keyFor(admin, { readOnly: true }))
    await expectStatus(reader.get(at), 200)
    await expectStatus(reader.post(at, { user_id: user.id }), 403)
    const creator = caller(client, await keyFor(admin, { operations: ['create'] }))
    // HTTP API, Key restrictions 4 and 6: an owner may do what the key may not.
    await expectStatus(creator.post(at, { user_id: user.id }), 403)
    const whole = caller(
      client,
      await keyFor(admin, { operations: ['view', 'create', 'update', 'delete'] })
    )
    await expectStatus(whole.post(at, { user_id: user.id }), 201)
    await expectStatus(creator.get(at), 403)
    await expectStatus(creator.delete(`${at}/${user.id}`), 403)
  })

  test('nobody adds an owner with more rights on the zone than their own', async ({
    client,
    assert,
  }) => {
    const owner = await person({ permissions: ['zone_content_view_own', 'zone_meta_edit_own'] })
    await as.post(at, { user_id: owner.id })
    const asMember = caller(client, owner)
    const editor = await person({ permissions: ['zone_content_edit_own'] })
    const viewer = await person({ permissions: ['zone_content_view_own'] })
    const everywhere = await person({
      permissions: ['zone_content_edit_own', 'zone_content_edit_others'],
    })
    const before = await accountState()
    for (const body of [{ user_id: editor.id }, { user_ids: [viewer.id, editor.id] }]) {
      const response = await asMember.post(at, body)
      response.assertStatus(403)
      assert.notInclude(response.text(), editor.username, 'who it is, they need not know')
      assert.include(response.body().message, 'zone_content_edit_own')
    }
    assert.deepEqual(await accountState(), before)
    for (const otherUser of [viewer, everywhere, await administrator()]) {
      await expectStatus(asMember.post(at, { user_id: otherUser.id }), 201)
    }
    await expectStatus(as.post(at, { user_id: editor.id }), 201)
    await expectStatus(asMember.post(at, { user_id: editor.id }), 409)
  })

  test('rights of a group count for the zones of the group only', async ({ client, assert }) => {
    const group = await createTeam(['zone_content_edit_own', 'zone_meta_edit_own'])
    const owner = await person({ permissions: ['zone_meta_edit_own'], groups: [group.name] })
    await as.post(at, { user_id: owner.id })
    const asMember = caller(client, owner)
    const editor = await person({ permissions: ['zone_content_edit_own'] })
    await expectStatus(asMember.post(at, { user_id: editor.id }), 403)
    await expectStatus(as.post(`/groups/${group.id}/zones`, { zone_id: zone.id }), 201)
    await expectStatus(asMember.post(at, { user_id: editor.id }), 201)
    assert.deepEqual(await users(), [admin.id, owner.id, editor.id])
  })
})
