// @databases @api-backend(all)
import type { ApiClient } from '@japa/api-client'
import { test } from '@japa/runner'
import { caller, type Caller, expectStatus, createRecord, createZone } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, person, createTeam, type Person } from '#tests/support/app/people/people'
import { stateOf } from '#tests/support/app/zones/zones'

const MISSING = { success: false, data: null, message: 'Zone not found' }
const NOTHING = 2147483647

let admin: Person

async function listed(as: Caller): Promise<string[]> {
  const response = await as.get('/zones')
  return response.body().data.zones.map((zone: { name: string }) => zone.name)
}

/** Sends every call on a zone. Each must respond as for a missing zone. */
async function callsOn(as: Caller, id: number, recordId: number) {
  return [
    await as.get(`/zones/${id}`),
    await as.put(`/zones/${id}`, { description: 'x' }),
    await as.put(`/zones/${id}`, {}),
    await as.delete(`/zones/${id}`),
    await as.get(`/zones/${id}/records`),
    await as.post(`/zones/${id}/records`, { name: 'b', type: 'A', content: '192.0.2.2' }),
    await as.post(`/zones/${id}/records`, {}),
    await as.get(`/zones/${id}/records/${recordId}`),
    await as.put(`/zones/${id}/records/${recordId}`, { ttl: 60 }),
    await as.delete(`/zones/${id}/records/${recordId}`),
  ]
}

async function zoneOf(client: ApiClient, owners: Record<string, unknown>) {
  const root = caller(client, admin)
  const zone = await createZone(root, { name: zoneNamed(), ...owners })
  const record = await createRecord(root, zone, { name: 'a', type: 'A', content: '192.0.2.1' })
  return { zone, record }
}

test.group('Hidden zones', (group) => {
  group.setup(async () => {
    admin = await administrator()
  })

  test('a foreign zone responds as a missing one on every path', async ({ client, assert }) => {
    const { zone, record } = await zoneOf(client, {})
    const before = await stateOf(zone.id)
    for (const template of ['Guest', 'Viewer', 'Editor', 'Zone Manager']) {
      const as = caller(client, await person({ template }))
      const hidden = await callsOn(as, zone.id, record.id)
      const missing = await callsOn(as, NOTHING, record.id)
      hidden.forEach((response, index) => {
        response.assertStatus(404)
        response.assertBody(MISSING)
        assert.deepEqual(response.body(), missing[index].body())
        assert.deepEqual(
          Object.keys(response.headers()).sort(),
          Object.keys(missing[index].headers()).sort()
        )
      })
      assert.notInclude(await listed(as), zone.name)
    }
    assert.deepEqual(await stateOf(zone.id), before)
  })

  test('an own zone without any permission is hidden too', async ({ client, assert }) => {
    const guest = await person()
    const { zone, record } = await zoneOf(client, { owner_user_id: guest.id })
    const as = caller(client, guest)
    for (const response of await callsOn(as, zone.id, record.id)) {
      response.assertStatus(404)
    }
    assert.deepEqual(await listed(as), [])
  })

  test('a visible zone without edit permission gets 403 for changes', async ({ client }) => {
    const everyone = await person({ permissions: ['zone_content_view_others'] })
    const { zone, record } = await zoneOf(client, {})
    const as = caller(client, everyone)
    const answers = await callsOn(as, zone.id, record.id)
    // The body decides whether an update is valid: an empty body gets 400.
    const statuses = [200, 403, 400, 403, 200, 403, 403, 200, 403, 403]
    answers.forEach((response, index) => response.assertStatus(statuses[index]))
  })

  test('a caller who may edit a zone but not view it gets 403 for reads', async ({
    client,
    assert,
  }) => {
    const blind = await person({ permissions: ['zone_content_edit_own'] })
    const { zone } = await zoneOf(client, { owner_user_id: blind.id })
    const as = caller(client, blind)
    await expectStatus(as.get(`/zones/${zone.id}`), 403)
    await expectStatus(as.get(`/zones/${zone.id}/records`), 403)
    assert.deepEqual(await listed(as), [])
  })
})

test.group('Lists of zones', (group) => {
  group.setup(async () => {
    admin = await administrator()
  })

  test('lists contain own zones, zones of own groups, and no others', async ({
    client,
    assert,
  }) => {
    const viewers = await createTeam(['zone_content_view_own'])
    const strangers = await createTeam(['zone_content_view_own'])
    const viewer = await person({ template: 'Viewer', groups: [viewers.name] })
    const own = await zoneOf(client, { owner_user_id: viewer.id })
    const groups = await zoneOf(client, { owner_user_id: null, group_ids: [viewers.id] })
    const both = await zoneOf(client, { owner_user_id: viewer.id, group_ids: [viewers.id] })
    await zoneOf(client, { owner_user_id: null, group_ids: [strangers.id] })
    await zoneOf(client, {})
    const names = [own, groups, both].map(({ zone }) => zone.name).sort()
    const as = caller(client, viewer)
    assert.deepEqual(await listed(as), names)
    const page = await as.get('/zones?per_page=1')
    assert.equal(page.body().pagination.total, 3)
  })

  test('lists contain every zone for callers who may view other zones', async ({
    client,
    assert,
  }) => {
    const { zone } = await zoneOf(client, {})
    const viewers = await createTeam(['zone_content_view_others'])
    const administrators = await createTeam(['user_is_ueberuser'])
    for (const options of [
      { permissions: ['zone_content_view_others' as const] },
      { template: 'Administrator' },
      { groups: [viewers.name] },
      { groups: [administrators.name] },
    ]) {
      assert.include(await listed(caller(client, await person(options))), zone.name)
    }
  })
})

test.group('Rights through groups', (group) => {
  group.setup(async () => {
    admin = await administrator()
  })

  test('a member of the owning group has the rights of that group', async ({ client }) => {
    const editors = await createTeam(['zone_content_view_own', 'zone_content_edit_own'])
    const member = caller(client, await person({ groups: [editors.name] }))
    const { zone, record } = await zoneOf(client, { owner_user_id: null, group_ids: [editors.id] })
    await expectStatus(member.get(`/zones/${zone.id}`), 200)
    const path = `/zones/${zone.id}/records/${record.id}`
    await expectStatus(member.put(path, { ttl: 60 }), 200)
    await expectStatus(member.delete(`/zones/${zone.id}`), 403)
  })

  test('a right of one group does not apply to the zone of another group', async ({
    client,
    assert,
  }) => {
    const editors = await createTeam(['zone_content_view_own', 'zone_content_edit_own'])
    const viewers = await createTeam(['zone_content_view_own'])
    const member = await person({ groups: [editors.name, viewers.name] })
    const { zone, record } = await zoneOf(client, { owner_user_id: null, group_ids: [viewers.id] })
    const as = caller(client, member)
    await expectStatus(as.get(`/zones/${zone.id}`), 200)
    const before = await stateOf(zone.id)
    const path = `/zones/${zone.id}/records`
    await expectStatus(as.put(`${path}/${record.id}`, { ttl: 60 }), 403)
    await expectStatus(as.post(path, { name: 'b', type: 'A', content: '192.0.2.2' }), 403)
    assert.deepEqual(await stateOf(zone.id), before)
  })

  test("a right of the user's template does not apply to the zone of a group without it", async ({
    client,
  }) => {
    const nobodies = await createTeam([])
    const member = await person({ template: 'Zone Manager', groups: [nobodies.name] })
    const { zone } = await zoneOf(client, { owner_user_id: null, group_ids: [nobodies.id] })
    await expectStatus(caller(client, member).get(`/zones/${zone.id}`), 404)
  })

  test('a right of a group does not apply to a zone that only its member owns', async ({
    client,
  }) => {
    const editors = await createTeam(['zone_content_view_own', 'zone_content_edit_own'])
    const member = await person({ groups: [editors.name] })
    const { zone } = await zoneOf(client, { owner_user_id: member.id })
    await expectStatus(caller(client, member).get(`/zones/${zone.id}`), 404)
  })
})
