import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import api from '#config/api'
import { caller, dataOf, expectStatus } from '#tests/support/app/api'
import type { Caller } from '#tests/support/app/api'
import { manager, statusWith } from '#tests/support/app/people/key_managers'
import { unique } from '#tests/support/app/names'
import { administrator, keyFor, person, type Person } from '#tests/support/app/people/people'

let admin: Person
let asAdmin: Caller

test.group('API keys: ownership', (group) => {
  group.setup(async () => {
    admin = await administrator()
  })
  group.each.setup((t) => {
    asAdmin = caller(t.context.client, admin)
  })

  test('foreign keys get 404 for every request', async ({ client, assert }) => {
    const { as } = await manager(client)
    const other = await manager(client)
    for (const id of [other.who.keyId, admin.keyId, 2147483646, 99999999999999]) {
      const calls = [
        () => as.get(`/api-keys/${id}`),
        () => as.put(`/api-keys/${id}`, { name: 'mine' }),
        () => as.delete(`/api-keys/${id}`),
        () => as.post(`/api-keys/${id}/regenerate`, {}),
        () => as.post(`/api-keys/${id}/enable`, {}),
        () => as.post(`/api-keys/${id}/disable`, {}),
      ]
      for (const call of calls) {
        const response = await call()
        response.assertStatus(404)
        response.assertBody({ success: false, data: null, message: 'API key not found' })
      }
    }
    for (const id of [other.who.id, admin.id, 2147483646]) {
      const listResponse = await as.get(`/api-keys?user_id=${id}`)
      const created = await as.post('/api-keys', { name: 'x', user_id: id })
      for (const response of [listResponse, created]) {
        response.assertStatus(404)
        response.assertBody({ success: false, data: null, message: 'User not found' })
      }
    }
    const { api_keys: own } = await dataOf(as.get('/api-keys'))
    assert.lengthOf(own, 1)
  })

  test('without api_manage_keys own keys are refused, but a key can read and delete itself', async ({
    client,
  }) => {
    const viewer = await person({ template: 'Viewer' })
    const { id: otherId } = await keyFor(viewer)
    const as = caller(client, viewer)
    await expectStatus(as.get('/api-keys'), 403)
    await expectStatus(as.post('/api-keys', { name: 'x' }), 403)
    await expectStatus(as.get(`/api-keys/${otherId}`), 403)
    await expectStatus(as.delete(`/api-keys/${otherId}`), 403)
    await expectStatus(as.post(`/api-keys/${viewer.keyId}/regenerate`, {}), 403)
    await expectStatus(as.get(`/api-keys/${viewer.keyId}`), 200)
    await expectStatus(as.delete(`/api-keys/${viewer.keyId}`), 204)
    await expectStatus(as.get('/zones'), 401)
  })

  test('administrators manage all keys, filtered by owner and paged', async ({
    client,
    assert,
  }) => {
    const { who: user } = await manager(client)
    const second = await keyFor(user)
    const listed = await dataOf(
      asAdmin.get(`/api-keys?user_id=${user.id}&sort=id:desc`),
      'api_keys'
    )
    assert.deepEqual(
      listed.map(({ id }: { id: number }) => id),
      [second.id, user.keyId]
    )
    const page = await asAdmin.get(`/api-keys?user_id=${user.id}&per_page=1&page=2`)
    assert.deepEqual(page.body().pagination, {
      current_page: 2,
      per_page: 1,
      total: 2,
      last_page: 2,
    })
    const all = await dataOf(asAdmin.get('/api-keys?sort=owner:desc'), 'api_keys')
    assert.includeMembers(
      all.map(({ id }: { id: number }) => id),
      [user.keyId, second.id, admin.keyId]
    )
    await expectStatus(asAdmin.get('/api-keys?sort=secret_hash'), 400)
    await expectStatus(asAdmin.get('/api-keys?user_id=me'), 400)
    await expectStatus(asAdmin.get('/api-keys?user_id=2147483646'), 404)
    const created = await asAdmin.post('/api-keys', { name: 'for them', user_id: user.id })
    created.assertStatus(201)
    assert.equal(created.body().data.api_key.owner.username, user.username)
    const { key } = created.body().data
    assert.equal(await statusWith(client, key), 200)
    await expectStatus(asAdmin.post(`/api-keys/${user.keyId}/disable`, {}), 200)
    await expectStatus(caller(client, user).get('/zones'), 401)
  })

  test('zones of a key must be visible to its owner and to its creator', async ({
    client,
    assert,
  }) => {
    const { as, who: user } = await manager(client)
    const other = await manager(client)
    const missing = await as.post('/api-keys', { name: 'x', zones: [2147483646] })
    const hidden = await as.post('/api-keys', { name: 'x', zones: [other.zone.id] })
    const named = await as.post('/api-keys', { name: 'x', zones: [other.zone.name] })
    const nothing = await as.post('/api-keys', { name: 'x', zones: ['nothing.test'] })
    for (const response of [missing, hidden, named, nothing]) response.assertStatus(400)
    const shape = (text: string) => text.replace(/zone \\?".*"$|zone \d+$/, 'zone')
    assert.equal(shape(hidden.body().message), shape(missing.body().message))
    assert.equal(shape(named.body().message), shape(nothing.body().message))
    const forOwner = { name: 'x', user_id: user.id, zones: [other.zone.id] }
    await expectStatus(asAdmin.post('/api-keys', forOwner), 400)
  })

  test('a zone that is now hidden is not named in the response', async ({ client, assert }) => {
    const { as, who: user, zone } = await manager(client)
    const created = await as.post('/api-keys', { name: 'x', zones: [zone.id] })
    const { id } = created.body().data.api_key
    await db.from('zw_zone_owners').where('zone_id', zone.id).update({ user_id: admin.id })
    for (const path of [`/api-keys/${id}`, '/api-keys', `/api-keys?user_id=${user.id}`]) {
      const response = await as.get(path)
      response.assertStatus(200)
      assert.notInclude(response.text(), zone.name)
    }
    const forAdmin = await asAdmin.get(`/api-keys/${id}`)
    assert.include(forAdmin.text(), zone.name)
  })

  test('a regular user has at most api.max_keys_per_user, also with concurrent requests', async ({
    client,
    assert,
  }) => {
    const { as } = await manager(client)
    const answers = await Promise.all(
      Array.from({ length: api.max_keys_per_user + 3 }, () =>
        as.post('/api-keys', { name: unique('key') }).then((response) => response.status())
      )
    )
    assert.lengthOf(
      answers.filter((status) => status === 201),
      api.max_keys_per_user - 1
    )
    assert.lengthOf(
      answers.filter((status) => status === 409),
      4
    )
  })

  test('an inactive owner gets no key', async () => {
    const user = await person()
    await db.from('zw_users').where('id', user.id).update({ active: false })
    await expectStatus(asAdmin.post('/api-keys', { name: 'x', user_id: user.id }), 409)
  })
})
