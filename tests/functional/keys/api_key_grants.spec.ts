import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import { caller, dataOf, expectStatus, createZone, type Caller } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import {
  administrator,
  keyFor,
  person,
  type Person,
  type Restrictions,
} from '#tests/support/app/people/people'

const BEYOND = /with no more access than its own; wider: /
const YEAR = 365 * 86_400_000

let owner: Person
let asOwner: Caller
let zone: { id: number; name: string }
let second: { id: number; name: string }

/** Restrictions of the owner's key, with a narrower and a wider key. */
const cases: [string, () => Restrictions, () => object, () => object][] = [
  [
    'operations',
    () => ({ operations: ['view', 'create', 'update'] }),
    () => ({ operations: ['view', 'update'] }),
    () => ({ operations: [] }),
  ],
  ['zones', () => ({ zones: [zone] }), () => ({ zones: [zone.id] }), () => ({ zones: [] })],
  [
    'networks',
    () => ({ networks: ['127.0.0.0/8', '10.0.0.0/8'] }),
    () => ({ networks: ['10.1.0.0/16', '127.0.0.1'] }),
    () => ({ networks: ['0.0.0.0/0'] }),
  ],
  [
    'expires_at',
    () => ({ expiresAt: inYears(2) }),
    () => ({ expires_at: inYears(1) }),
    () => ({ expires_at: inYears(3) }),
  ],
  ['idle_days', () => ({ idleDays: 10 }), () => ({ idle_days: 10 }), () => ({ idle_days: 11 })],
]

function inYears(years: number): string {
  return new Date(Date.now() + years * YEAR).toISOString()
}

async function setUp(client: ApiClient, user: Person) {
  owner = user
  asOwner = caller(client, owner)
  zone = await createZone(asOwner, { name: zoneNamed() })
  second = await createZone(asOwner, { name: zoneNamed() })
}

for (const role of ['Zone Manager', 'Administrator']) {
  test.group(`A created key is never wider than its creator: ${role}`, (group) => {
    group.each.setup(async (t) => {
      await setUp(t.context.client, await person({ template: role }))
    })

    for (const [member, restrictions, narrower, wider] of cases) {
      test(`${member}: narrower keys are created; wider keys and widening itself are refused`, async ({
        client,
        assert,
      }) => {
        const maker = await keyFor(owner, restrictions())
        const asUser = caller(client, maker)
        const createdObject = await asUser.post('/api-keys', { name: 'narrow', ...narrower() })
        createdObject.assertStatus(201)
        const { api_key: item } = createdObject.body().data
        const refused = [
          () => asUser.post('/api-keys', { name: 'wide', ...wider() }),
          () => asUser.post('/api-keys', { name: 'all' }),
          () => asUser.put(`/api-keys/${item.id}`, wider()),
          () => asUser.put(`/api-keys/${maker.id}`, wider()),
          () => asUser.put(`/api-keys/${owner.keyId}`, { name: 'taken' }),
          () => asUser.post(`/api-keys/${owner.keyId}/regenerate`, {}),
          () => asUser.post(`/api-keys/${owner.keyId}/enable`, {}),
          () => asUser.post(`/api-keys/${owner.keyId}/disable`, {}),
        ]
        const before = await dataOf(asOwner.get('/api-keys'), 'api_keys')
        for (const attempt of refused) {
          const response = await attempt()
          assert.equal(response.status(), 403, response.text())
          assert.match(response.body().message, BEYOND)
          assert.include(response.body().message, member)
        }
        const strip = (keys: { last_used_at: unknown }[]) =>
          keys.map((key) => ({ ...key, last_used_at: null, last_used_from: null }))
        const after = await dataOf(asOwner.get('/api-keys'), 'api_keys')
        assert.deepEqual(strip(after), strip(before))
        await expectStatus(asUser.put(`/api-keys/${item.id}`, { name: 'renamed' }), 200)
        await expectStatus(asUser.post(`/api-keys/${item.id}/regenerate`, {}), 200)
        await expectStatus(
          asUser.put(`/api-keys/${maker.id}`, { name: 'itself', ...narrower() }),
          200
        )
      })
    }

    test('a read-only key creates and changes no key', async ({ client }) => {
      const asUser = caller(client, await keyFor(owner, { readOnly: true }))
      await expectStatus(asUser.post('/api-keys', { name: 'x', read_only: true }), 403)
      await expectStatus(asUser.put(`/api-keys/${owner.keyId}`, { name: 'x' }), 403)
      await expectStatus(asUser.delete(`/api-keys/${owner.keyId}`), 403)
    })

    test('a key can narrow itself but not widen itself again', async ({ client }) => {
      const maker = await keyFor(owner, { zones: [zone, second] })
      const asUser = caller(client, maker)
      const path = `/api-keys/${maker.id}`
      await expectStatus(asUser.put(path, { zones: [zone.id] }), 200)
      await expectStatus(asUser.put(path, { zones: [zone.id, second.id] }), 400)
      await expectStatus(asUser.put(path, { zones: [], zone_restricted: false }), 403)
      await expectStatus(asUser.get(`/zones/${second.id}`), 403)
      await expectStatus(asUser.delete(path), 204)
      await expectStatus(asUser.get('/zones'), 401)
    })

    test('a key deletes keys that are not wider than itself', async ({ client }) => {
      const asUser = caller(client, await keyFor(owner, { zones: [zone] }))
      const inside = await keyFor(owner, { zones: [zone] })
      await expectStatus(asUser.delete(`/api-keys/${inside.id}`), 204)
      await expectStatus(asUser.delete(`/api-keys/${owner.keyId}`), 403)
    })

    test('the response names no zone that the key does not reach', async ({ client, assert }) => {
      const other = await keyFor(owner, { zones: [second] })
      const asUser = caller(client, await keyFor(owner, { zones: [zone] }))
      for (const path of ['/api-keys', `/api-keys/${other.id}`]) {
        const response = await asUser.get(path)
        response.assertStatus(200)
        assert.notInclude(response.text(), second.name)
      }
    })
  })
}

test.group('A created key is never wider than its creator: other owners', () => {
  test("an administrator's restricted key creates restricted keys for others", async ({
    client,
    assert,
  }) => {
    await setUp(client, await person({ template: 'Zone Manager' }))
    const admin = await administrator()
    const asUser = caller(client, await keyFor(admin, { zones: [zone] }))
    const all = await asUser.post('/api-keys', { name: 'x', user_id: owner.id })
    all.assertStatus(403)
    assert.match(all.body().message, BEYOND)
    await expectStatus(
      asUser.post('/api-keys', { name: 'x', user_id: owner.id, zones: [zone.id] }),
      201
    )
    await expectStatus(asUser.post(`/api-keys/${owner.keyId}/regenerate`, {}), 403)
    await expectStatus(asUser.put(`/api-keys/${admin.keyId}`, { name: 'x' }), 403)
  })
})
