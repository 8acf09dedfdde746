// @databases
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import {
  accountState,
  createForeignNames,
  addToGroup,
  createGroup,
  NOTHING,
} from '#tests/support/app/people/accounts'
import { caller, dataOf, expectStatus, createZone, type Caller } from '#tests/support/app/api'
import { unique, zoneNamed } from '#tests/support/app/names'
import {
  administrator,
  keyFor,
  person,
  createTeam,
  type Person,
} from '#tests/support/app/people/people'
import { ownersOf } from '#tests/support/app/zones/zones'

const OUT_OF_REACH = 'Forbidden: this API key does not have access to the requested zone'

let admin: Person
let as: Caller
let group: Awaited<ReturnType<typeof createGroup>>

const setUp = (tests: Parameters<Parameters<typeof test.group>[1]>[0]) => {
  tests.setup(async () => {
    admin = await administrator()
  })
  tests.each.setup(async (t) => {
    as = caller(t.context.client, admin)
    group = await createGroup(as, ['zone_content_view_own'])
  })
}

/** Returns the names of the group's zones that the caller sees. */
const zonesOf = async (asUser: Caller, query = ''): Promise<string[]> => {
  const zones = await dataOf(asUser.get(`/groups/${group.id}/zones${query}`), 'zones')
  return zones.map((zone: { zone_name: string }) => zone.zone_name)
}

/** Returns the entity tag of a zone. */
const tagOf = async (zone: { id: number }) => {
  const response = await as.get(`/zones/${zone.id}`)
  return response.header('etag')
}

test.group('Zones of a group', (tests) => {
  setUp(tests)

  test('a zone is assigned, listed and unassigned without a history entry', async ({ assert }) => {
    const zone = await createZone(as, { name: zoneNamed() })
    const tag = await tagOf(zone)
    const assigned = await as.post(`/groups/${group.id}/zones`, { zone_id: zone.id })
    assigned.assertStatus(201)
    assigned.assertBody({ success: true, data: null, message: 'Zone assigned successfully' })
    assert.deepEqual(await ownersOf(zone.id), { users: [admin.id], groups: [group.id] })

    const [{ created_at: since, ...listed }] = await dataOf(
      as.get(`/groups/${group.id}/zones`),
      'zones'
    )
    assert.match(since, /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/)
    assert.deepEqual(listed, { zone_id: zone.id, zone_name: zone.name, zone_type: 'MASTER' })
    const detail = await dataOf(as.get(`/groups/${group.id}`), 'group')
    assert.deepEqual(detail.zones, [{ zone_id: zone.id, zone_name: zone.name }])
    assert.equal(detail.zone_count, 1)

    const removed = await as.delete(`/groups/${group.id}/zones/${zone.id}`)
    removed.assertStatus(200)
    removed.assertBody({ success: true, data: null, message: 'Zone unassigned successfully' })
    assert.deepEqual(await ownersOf(zone.id), { users: [admin.id], groups: [] })
    const secondResponse = await as.delete(`/groups/${group.id}/zones/${zone.id}`)
    secondResponse.assertStatus(404)
    secondResponse.assertBodyContains({ message: 'Zone assignment not found' })
    assert.equal(await tagOf(zone), tag)
  })

  test('an invalid assignment is refused and changes nothing', async ({ assert }) => {
    const zone = await createZone(as, { name: zoneNamed() })
    const at = `/groups/${group.id}/zones`
    await expectStatus(as.post(at, { zone_id: String(zone.id) }), 201)
    const before = await accountState()
    for (const body of [
      {},
      { zone_id: null },
      { zone_id: 0 },
      { zone_id: 'x' },
      { zone_id: 1.5 },
    ]) {
      await expectStatus(as.post(at, body), 400)
    }
    const repeatedResponse = await as.post(at, { zone_id: zone.id })
    repeatedResponse.assertStatus(400)
    repeatedResponse.assertBodyContains({ message: 'Group already owns this zone' })
    for (const id of [NOTHING, 99_999_999_999]) {
      const missing = await as.post(at, { zone_id: id })
      missing.assertStatus(404)
      missing.assertBodyContains({ message: 'Zone not found' })
      await expectStatus(as.delete(`${at}/${id}`), 404)
    }
    assert.deepEqual(await accountState(), before)
  })

  test('the last owner of a zone cannot be removed', async ({ assert }) => {
    const input = { name: zoneNamed(), owner_user_id: null, group_ids: [group.id] }
    const zone = await createZone(as, input)
    const response = await as.delete(`/groups/${group.id}/zones/${zone.id}`)
    response.assertStatus(400)
    assert.include(response.body().message, 'last owner')
    assert.deepEqual(await ownersOf(zone.id), { users: [], groups: [group.id] })
  })

  test('concurrent assignments create one row, and the zone keeps one owner', async ({
    assert,
  }) => {
    const zone = await createZone(as, { name: zoneNamed() })
    const answers = await Promise.all(
      [1, 2, 3, 4].map(() => as.post(`/groups/${group.id}/zones`, { zone_id: zone.id }))
    )
    assert.deepEqual(answers.map((answer) => answer.status()).sort(), [201, 400, 400, 400])
    const leaving = await Promise.all([
      as.delete(`/groups/${group.id}/zones/${zone.id}`),
      as.delete(`/zones/${zone.id}/owners/${admin.id}`),
    ])
    assert.deepEqual(leaving.map((answer) => answer.status()).sort(), [200, 400])
    const { users, groups } = await ownersOf(zone.id)
    assert.lengthOf([...users, ...groups], 1)
  })

  test('a zone that is assigned to a group during its deletion is assigned completely or not at all', async ({
    assert,
  }) => {
    const zone = await createZone(as, { name: zoneNamed() })
    const [deleted, assigned] = await Promise.all([
      as.delete(`/groups/${group.id}?confirm=true`),
      as.post(`/groups/${group.id}/zones`, { zone_id: zone.id }),
    ])
    deleted.assertStatus(200)
    assert.include([201, 404, 409], assigned.status())
    assert.deepEqual(await ownersOf(zone.id), { users: [admin.id], groups: [] })
  })

  test('a zone of another tool can be assigned to a group', async ({ assert }) => {
    const name = zoneNamed()
    await db.table('domains').insert({ name, type: 'NATIVE' })
    const { id } = await db.from('domains').where('name', name).firstOrFail()
    await expectStatus(as.post(`/groups/${group.id}/zones`, { zone_id: id }), 201)
    assert.deepEqual(await zonesOf(as), [name])
    // A zone with the same id and another name is another zone.
    await db.from('domains').where('id', id).update({ name: zoneNamed() })
    assert.deepEqual(await zonesOf(as), [])
    // The count is corrected once the new zone was detected.
    assert.equal(await dataOf(as.get(`/groups/${group.id}`), 'group.zone_count'), 0)
  })

  test('the list has the newest zone first, and can be sorted, searched and paged', async ({
    assert,
  }) => {
    const word = unique('gz')
    const zones = []
    for (const [name, type] of [
      [`${word}10.test`, 'MASTER'],
      [`${word}9.test`, 'NATIVE'],
      [`a.${word}.test`, 'MASTER'],
    ]) {
      const zone = await createZone(as, { name, type })
      await as.post(`/groups/${group.id}/zones`, { zone_id: zone.id })
      zones.push(zone.name)
    }
    const [ten, nine, a] = zones
    for (const [query, expected] of [
      ['', [a, nine, ten]],
      ['?sort=created_at', [ten, nine, a]],
      ['?sort=zone_id:desc', [a, nine, ten]],
      ['?sort=zone_name', [a, nine, ten]],
      ['?sort=zone_name:desc&per_page=2&page=2', [a]],
      ['?sort=zone_type:desc,zone_id', [nine, ten, a]],
      ['?sort=zone_type,zone_name', [a, ten, nine]],
      [`?q=${word.toUpperCase()}9`, [nine]],
      [`?q=${word}9&sort=zone_name`, [nine]],
      ['?per_page=2&page=2', [ten]],
      ['?q=_', []],
    ] as [string, string[]][]) {
      assert.deepEqual(await zonesOf(as, query), expected, query)
    }
    const page = await as.get(`/groups/${group.id}/zones?per_page=2&q=${word}1`)
    assert.deepEqual(page.body().pagination, {
      current_page: 1,
      per_page: 2,
      total: 1,
      last_page: 1,
    })
    await expectStatus(as.get(`/groups/${group.id}/zones?sort=owner`), 400)
  })
})

test.group('Zones of a group: visibility', (tests) => {
  setUp(tests)

  test('a key lists, counts and changes only the zones that it reaches', async ({
    client,
    assert,
  }) => {
    const inside = await createZone(as, { name: zoneNamed(), group_ids: [group.id] })
    const outside = await createZone(as, { name: zoneNamed(), group_ids: [group.id] })
    const free = await createZone(as, { name: zoneNamed() })
    const key = caller(client, await keyFor(admin, { zones: [inside] }))
    assert.deepEqual(await zonesOf(key), [inside.name])
    assert.deepEqual(await zonesOf(key, '?sort=zone_name'), [inside.name])
    assert.deepEqual(await zonesOf(key, `?q=${outside.name}`), [])
    const detail = await dataOf(key.get(`/groups/${group.id}`), 'group')
    assert.deepEqual(detail.zones, [{ zone_id: inside.id, zone_name: inside.name }])
    const [listed] = await dataOf(key.get(`/groups?q=${group.name}`), 'groups')
    assert.deepEqual([detail.zone_count, listed.zone_count], [1, 1])

    const before = await accountState()
    for (const call of [
      key.post(`/groups/${group.id}/zones`, { zone_id: free.id }),
      key.post(`/groups/${group.id}/zones`, { zone_id: NOTHING }),
      key.delete(`/groups/${group.id}/zones/${outside.id}`),
      key.delete(`/groups/${group.id}/zones/${NOTHING}`),
      key.delete(`/groups/${group.id}`),
      key.delete(`/groups/${group.id}?confirm=true`),
    ]) {
      const response = await call
      response.assertStatus(403)
      response.assertBodyContains({ message: OUT_OF_REACH })
    }
    assert.deepEqual(await accountState(), before)
    await expectStatus(key.delete(`/groups/${group.id}/zones/${inside.id}`), 200)
    await expectStatus(key.post(`/groups/${group.id}/zones`, { zone_id: inside.id }), 201)
  })

  test('a member sees the zones of which the group grants the view permission', async ({
    client,
    assert,
  }) => {
    const blind = await createTeam(['zone_content_edit_own'])
    const zone = await createZone(as, { name: zoneNamed(), group_ids: [group.id, blind.id] })
    const member = await person({ groups: [blind.name] })
    const asMember = caller(client, member)
    const groupMember = (what: string) =>
      dataOf(asMember.get(`/groups/${blind.id}`), `group.${what}`)
    assert.deepEqual(await groupMember('zones'), [])
    assert.equal(await groupMember('zone_count'), 0)
    await addToGroup(group, member)
    assert.deepEqual(await zonesOf(asMember), [zone.name])
    // The zone is now visible through the other group.
    assert.equal(await groupMember('zone_count'), 1)
  })

  test('foreign groups and their zones stay hidden', async ({ client, assert }) => {
    const canary = await createForeignNames(client, admin)
    const zone = await createZone(as, { name: zoneNamed(), group_ids: [group.id] })
    const member = await person({ template: 'Zone Manager', groups: [group.name] })
    const asMember = caller(client, member)
    const words = [canary.group.name, canary.zone.name]
    for (const path of [
      '/groups',
      `/groups?q=${canary.group.name}`,
      '/groups?sort=zone_count:desc&per_page=1',
      `/groups/${group.id}`,
      `/groups/${group.id}/zones`,
      `/groups/${group.id}/zones?q=${canary.zone.name}`,
      `/groups/${canary.group.id}`,
      `/groups/${canary.group.id}/zones`,
      `/groups/${canary.group.id}/members`,
      `/zones/${canary.zone.id}/owners`,
      `/zones/${zone.id}/owners`,
      '/permission-templates',
      '/permissions',
    ]) {
      const response = await asMember.get(path)
      words.forEach((word) => assert.notInclude(response.text(), word, path))
    }
    const page = await asMember.get('/groups?per_page=5')
    assert.equal(page.body().pagination.total, 1)
    const before = await accountState()
    for (const call of [
      asMember.post(`/zones/${canary.zone.id}/owners`, { user_id: member.id }),
      asMember.post(`/zones/${canary.zone.id}/owners`, { user_ids: [member.id] }),
      asMember.delete(`/zones/${canary.zone.id}/owners/${member.id}`),
    ]) {
      const response = await call
      response.assertStatus(404)
      response.assertBody({ success: false, data: null, message: 'Zone not found' })
    }
    assert.deepEqual(await accountState(), before)
  })
})
