// @databases @api-backend(all)
import type { ApiClient } from '@japa/api-client'
import { test } from '@japa/runner'
import { caller, expectStatus, createZone, type Caller } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, keyFor, type Person } from '#tests/support/app/people/people'
import { stateOf } from '#tests/support/app/zones/zones'

const A = { name: 'www', type: 'A', ttl: 300, records: [{ content: '192.0.2.1' }] }

let admin: Person
let as: Caller
let zone: { id: number; name: string }
let path: string

async function setUp(client: ApiClient) {
  as = caller(client, admin)
  zone = await createZone(as, { name: zoneNamed() })
  path = `/zones/${zone.id}/rrsets`
}

test.group('RRsets and keys', (group) => {
  group.setup(async () => {
    admin = await administrator()
  })
  group.each.setup((t) => setUp(t.context.client))

  const two = { ...A, records: [{ content: '192.0.2.1' }, { content: '192.0.2.2' }] }

  test('replacing requires create and update', async ({ client, assert }) => {
    await as.put(path, two)
    const before = await stateOf(zone.id)
    for (const operations of [['create'], ['update'], ['view', 'delete'], ['create', 'delete']]) {
      const restricted = caller(client, await keyFor(admin, { operations: operations as ['view'] }))
      await expectStatus(restricted.put(path, { ...two, ttl: 60 }), 403)
    }
    const reader = caller(client, await keyFor(admin, { readOnly: true }))
    await expectStatus(reader.put(path, two), 403)
    await expectStatus(reader.delete(`${path}/www/A`), 403)
    await expectStatus(reader.get(`${path}/www/A`), 200)
    assert.deepEqual(await stateOf(zone.id), before)
  })

  test('the same number of records or more requires no further operation; fewer require delete', async ({
    client,
    assert,
  }) => {
    await as.put(path, two)
    const restricted = caller(client, await keyFor(admin, { operations: ['create', 'update'] }))
    const others = { ...A, records: [{ content: '192.0.2.8' }, { content: '192.0.2.9' }] }
    await expectStatus(restricted.put(path, others), 200)
    await expectStatus(restricted.put(path, { ...others, ttl: 60 }), 200)
    const grown = { ...others, records: [...others.records, { content: '192.0.2.3' }] }
    await expectStatus(restricted.put(path, grown), 200)
    const before = await stateOf(zone.id)
    const shrunk = await restricted.put(path, A)
    shrunk.assertStatus(403)
    assert.match(shrunk.body().message, /'delete' operation/)
    await expectStatus(restricted.delete(`${path}/www/A`), 403)
    assert.deepEqual(await stateOf(zone.id), before)
    const remover = caller(client, await keyFor(admin, { operations: ['delete'] }))
    await expectStatus(remover.delete(`${path}/www/A`), 204)
  })

  test('a key of other zones is refused', async ({ client }) => {
    const ownZone = await createZone(as, { name: zoneNamed() })
    const restricted = caller(client, await keyFor(admin, { zones: [ownZone] }))
    for (const at of [path, '/zones/999999999/rrsets']) {
      await expectStatus(restricted.get(at), 403)
      await expectStatus(restricted.put(at, A), 403)
      await expectStatus(restricted.delete(`${at}/www/A`), 403)
    }
  })
})

test.group('RRsets: errors of the records', (group) => {
  group.setup(async () => {
    admin = await administrator()
  })
  group.each.setup((t) => setUp(t.context.client))

  for (const [what, records, wrong] of [
    ['two bad contents', ['bad', '192.0.2.1', 'worse'], [0, 2]],
    ['one bad content of two', ['192.0.2.1', 'bad'], [1]],
    ['a bad priority and a bad content', [{ priority: -1 }, 'bad', '192.0.2.1'], [0, 1]],
    ['bad priorities alone', [{ priority: -1 }, { priority: 'x' }], [0, 1]],
    ['an entry without content before a bad one', [{}, 'bad'], [1]],
    ['a number as entry and a bad content', [5, 'bad'], [0, 1]],
  ] as [string, (string | number | object)[], number[]][]) {
    test(`one response lists every refused record: ${what}`, async ({ assert }) => {
      const before = await stateOf(zone.id)
      const entries = records.map((it) => (typeof it === 'string' ? { content: it } : it))
      const body = { name: 'all', type: 'A', ttl: 300, records: entries }
      const response = await as.put(`/zones/${zone.id}/rrsets`, body)
      response.assertStatus(400)
      const { errors } = response.body().data as { errors: string[] }
      assert.deepEqual(
        errors.map((text) => Number(/^Record (\d+): Field /.exec(text)?.[1])),
        wrong
      )
      assert.deepEqual(await stateOf(zone.id), before)
    })
  }
})
