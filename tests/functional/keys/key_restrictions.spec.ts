import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import type { KeyOperation } from '#access/actor'
import {
  caller,
  type Caller,
  expectStatus,
  createRecord,
  createZone,
  dataOf,
} from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import {
  administrator,
  keyFor,
  type Person,
  type Restrictions,
} from '#tests/support/app/people/people'
import { rowCounts, stateOf } from '#tests/support/app/zones/zones'

const NOT_ALLOWED = /^Forbidden: this API key is not permitted to perform/
const OUT_OF_REACH = 'Forbidden: this API key does not have access to the requested zone'
const NOTHING = 2147483647

let admin: Person

async function setUp(client: ApiClient, restrictions: Restrictions) {
  const as = caller(client, admin)
  const zone = await createZone(as, { name: zoneNamed() })
  const record = await createRecord(as, zone, { name: 'a', type: 'A', content: '192.0.2.1' })
  const restricted = caller(client, await keyFor(admin, restrictions))
  return { as, zone, record, restricted }
}

/** One call of each operation. The deletion comes last. */
function calls(as: Caller, zone: { id: number }, record: { id: number }) {
  const address = { name: 'b', type: 'A', content: '192.0.2.2' }
  return [
    ['view', () => as.get('/zones')],
    ['view', () => as.get(`/zones/${zone.id}`)],
    ['view', () => as.get(`/zones/${zone.id}/records`)],
    ['view', () => as.get(`/zones/${zone.id}/records/${record.id}`)],
    ['create', () => as.post('/zones', { name: zoneNamed() })],
    ['create', () => as.post(`/zones/${zone.id}/records`, address)],
    ['update', () => as.put(`/zones/${zone.id}`, { description: 'changed' })],
    ['update', () => as.put(`/zones/${zone.id}`, { name: zoneNamed('renamed') })],
    ['update', () => as.put(`/zones/${zone.id}/records/${record.id}`, { ttl: 60 })],
    ['update', () => as.put(`/zones/${zone.id}/records/${record.id}`, { content: '192.0.2.9' })],
    ['update', () => as.put(`/zones/${zone.id}/records/${record.id}`, { name: 'renamed' })],
    ['delete', () => as.delete(`/zones/${zone.id}/records/${record.id}`)],
    ['delete', () => as.delete(`/zones/${zone.id}`)],
  ] as [KeyOperation, () => ReturnType<Caller['get']>][]
}

test.group('Keys restricted to operations', (group) => {
  group.setup(async () => {
    admin = await administrator()
  })

  for (const allowed of ['view', 'create', 'update', 'delete'] as KeyOperation[]) {
    test(`a key for '${allowed}' only allows this`, async ({ client, assert }) => {
      const { zone, record, restricted } = await setUp(client, { operations: [allowed] })
      for (const [operation, call] of calls(restricted, zone, record)) {
        const before = operation === allowed ? null : await stateOf(zone.id)
        const response = await call()
        if (before === null) {
          assert.isBelow(response.status(), 300, `${operation}: ${response.text()}`)
        } else {
          response.assertStatus(403)
          assert.match(response.body().message, NOT_ALLOWED)
          assert.deepEqual(await stateOf(zone.id), before)
        }
      }
    })
  }

  test("a key for 'create' does not change the TTL of existing records", async ({
    client,
    assert,
  }) => {
    const { zone, restricted } = await setUp(client, { operations: ['create'] })
    const before = await stateOf(zone.id)
    const record = { name: 'a', type: 'A', content: '192.0.2.2', ttl: 60 }
    const response = await restricted.post(`/zones/${zone.id}/records`, record)
    response.assertStatus(403)
    assert.match(response.body().message, NOT_ALLOWED)
    assert.deepEqual(await stateOf(zone.id), before)
  })

  test('a key for several operations allows each of them', async ({ client }) => {
    const { zone, record, restricted } = await setUp(client, { operations: ['view', 'update'] })
    for (const [operation, call] of calls(restricted, zone, record)) {
      const isAllowed = operation === 'view' || operation === 'update'
      const response = await call()
      response.assertStatus(isAllowed ? 200 : 403)
    }
  })

  test('a read-only key allows GET and HEAD and refuses other methods', async ({
    client,
    assert,
  }) => {
    const { zone, record, restricted } = await setUp(client, { readOnly: true })
    for (const [operation, call] of calls(restricted, zone, record)) {
      const response = await call()
      response.assertStatus(operation === 'view' ? 200 : 403)
    }
    const { key } = await keyFor(admin, { readOnly: true })
    const head = await client.head(`/api/v2/zones/${zone.id}`).header('x-api-key', key)
    head.assertStatus(200)
    const { journal } = await stateOf(zone.id)
    assert.lengthOf(journal, 2)
  })

  test('read-only restricts the selected operations', async ({ client }) => {
    const { zone, restricted } = await setUp(client, { readOnly: true, operations: ['update'] })
    await expectStatus(restricted.get(`/zones/${zone.id}`), 403)
    await expectStatus(restricted.put(`/zones/${zone.id}`, { description: 'x' }), 403)
  })

  test('the operation is checked before the body and before the zone', async ({
    client,
    assert,
  }) => {
    const { restricted } = await setUp(client, { operations: ['view'] })
    const response = await restricted.post(`/zones/${NOTHING}/records`, {})
    response.assertStatus(403)
    assert.match(response.body().message, NOT_ALLOWED)
  })
})

test.group('Keys restricted to zones', (group) => {
  group.setup(async () => {
    admin = await administrator()
  })

  test('a key restricted to zones reaches its zones', async ({ client }) => {
    const { as, zone, record } = await setUp(client, {})
    const second = await createZone(as, { name: zoneNamed() })
    const restricted = caller(client, await keyFor(admin, { zones: [zone, second] }))
    await expectStatus(restricted.get(`/zones/${zone.id}`), 200)
    await expectStatus(restricted.get(`/zones/${second.id}`), 200)
    const path = `/zones/${zone.id}/records/${record.id}`
    await expectStatus(restricted.put(path, { ttl: 60 }), 200)
    await expectStatus(restricted.delete(path), 204)
  })

  test('other zones are refused on every path, whether they exist or not', async ({
    client,
    assert,
  }) => {
    const { as, zone, record } = await setUp(client, {})
    const ownZone = await createZone(as, { name: zoneNamed() })
    const restricted = caller(client, await keyFor(admin, { zones: [ownZone] }))
    const before = await stateOf(zone.id)
    for (const id of [zone.id, NOTHING]) {
      const inZone = calls(restricted, { id }, record).filter(
        ([, call]) => !/\/zones'/.test(`${call}`)
      )
      for (const [, call] of inZone) {
        const response = await call()
        response.assertStatus(403)
        response.assertBody({ success: false, data: null, message: OUT_OF_REACH })
      }
    }
    assert.deepEqual(await stateOf(zone.id), before)
  })

  test('the list of zones contains the zones of the key', async ({ client, assert }) => {
    const { as, zone } = await setUp(client, {})
    const second = await createZone(as, { name: zoneNamed() })
    const restricted = caller(client, await keyFor(admin, { zones: [zone, second] }))
    const response = await restricted.get('/zones?per_page=10')
    const ids = response.body().data.zones.map((item: { id: number }) => item.id)
    assert.sameMembers(ids, [zone.id, second.id])
    assert.equal(response.body().pagination.total, 2)
  })

  test('a key restricted to zones creates no zone with any body', async ({ client, assert }) => {
    const { zone } = await setUp(client, {})
    const restricted = caller(client, await keyFor(admin, { zones: [zone] }))
    const before = await rowCounts()
    for (const body of [{ name: zoneNamed() }, {}, { name: 5 }]) {
      const response = await restricted.post('/zones', body)
      response.assertStatus(403)
    }
    assert.deepEqual(await rowCounts(), before)
  })

  test('a key whose only zone was deleted reaches no zone', async ({ client, assert }) => {
    const { as, zone } = await setUp(client, {})
    const otherZone = await createZone(as, { name: zoneNamed() })
    const restricted = caller(client, await keyFor(admin, { zones: [zone] }))
    await expectStatus(as.delete(`/zones/${zone.id}`), 204)
    assert.deepEqual(await dataOf(restricted.get('/zones'), 'zones'), [])
    for (const id of [zone.id, otherZone.id]) {
      const response = await restricted.get(`/zones/${id}`)
      response.assertStatus(403)
      assert.equal(response.body().message, OUT_OF_REACH)
    }
    await expectStatus(restricted.post('/zones', { name: zoneNamed() }), 403)
  })

  test('a key follows its zone after a rename', async ({ client, assert }) => {
    const { as, zone } = await setUp(client, {})
    const restricted = caller(client, await keyFor(admin, { zones: [zone] }))
    const name = zoneNamed('renamed')
    await expectStatus(as.put(`/zones/${zone.id}`, { name }), 200)
    assert.equal(await dataOf(restricted.get(`/zones/${zone.id}`), 'zone.name'), name)
    assert.lengthOf(await dataOf(restricted.get('/zones'), 'zones'), 1)
  })

  test('a key does not reach another zone that another tool created with the same id', async ({
    client,
    assert,
  }) => {
    const { zone } = await setUp(client, {})
    const restricted = caller(client, await keyFor(admin, { zones: [zone] }))
    await db
      .from('domains')
      .where('id', zone.id)
      .update({ name: zoneNamed('stranger') })
    await expectStatus(restricted.get(`/zones/${zone.id}`), 403)
    assert.deepEqual(await dataOf(restricted.get('/zones'), 'zones'), [])
  })

  test('restrictions grant no permission that the owner lacks', async ({ client }) => {
    const { zone } = await setUp(client, {})
    const { person } = await import('#tests/support/app/people/people')
    const guest = await person()
    const restricted = caller(client, await keyFor(guest, { zones: [zone] }))
    const response = await restricted.get(`/zones/${zone.id}`)
    response.assertStatus(404)
  })
})
