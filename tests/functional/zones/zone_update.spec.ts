// @databases @api-backend
import { test } from '@japa/runner'
import { caller, expectStatus, createZone, dataOf } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, type Person } from '#tests/support/app/people/people'
import { journalOf, serialOf, stateOf } from '#tests/support/app/zones/zones'

const NOTHING = 2147483647

test.group('PUT /zones/:id', (group) => {
  let admin: Person
  group.setup(async () => {
    admin = await administrator()
  })

  test('the response has the whole current zone', async ({ client, assert }) => {
    const as = caller(client, admin)
    const zone = await createZone(as, { name: zoneNamed() })
    const response = await as.put(`/zones/${zone.id}`, { description: 'Production' })
    response.assertStatus(200)
    assert.equal(response.body().message, 'Zone updated successfully')
    assert.deepEqual(response.body().data, await dataOf(as.get(`/zones/${zone.id}`)))
    assert.equal(response.body().data.zone.description, 'Production')
  })

  for (const [what, first, change, expected] of [
    ['description', {}, { description: 'new' }, { description: 'new' }],
    ['no description', { description: 'old' }, { description: '' }, { description: null }],
    ['account', {}, { account: 'new' }, { account: 'new' }],
    ['no account', { account: 'old' }, { account: '' }, { account: null }],
    ['type', {}, { type: 'native' }, { type: 'NATIVE' }],
    [
      'type and primaries',
      {},
      { type: 'SLAVE', master: '192.0.2.1' },
      { type: 'SLAVE', master: '192.0.2.1', masters: '192.0.2.1' },
    ],
    [
      'primaries as master',
      { type: 'SLAVE', master: '192.0.2.1' },
      { master: '192.0.2.9' },
      { master: '192.0.2.9', masters: '192.0.2.9' },
    ],
    [
      'primaries as a list',
      { type: 'SLAVE', master: '192.0.2.1' },
      { masters: ['192.0.2.9', '[2001:DB8::1]:53'] },
      { masters: '192.0.2.9,[2001:db8::1]:53' },
    ],
    [
      'no primaries where nothing replicates',
      { type: 'SLAVE', master: '192.0.2.1' },
      { type: 'MASTER' },
      { type: 'MASTER', master: null, masters: null },
    ],
    ['primaries where nothing replicates', {}, { master: '192.0.2.1' }, { master: null }],
    ['what is not null', { account: 'old' }, { account: null, type: 'NATIVE' }, { account: 'old' }],
  ] as [string, object, object, object][]) {
    test(`an update changes ${what}: ${JSON.stringify(change)}`, async ({ client, assert }) => {
      const as = caller(client, admin)
      const zone = await createZone(as, { name: zoneNamed(), ...first })
      const response = await as.put(`/zones/${zone.id}`, change)
      response.assertStatus(200)
      assert.containsSubset(response.body().data.zone, expected)
    })
  }

  for (const [what, body] of [
    ['an unknown type', { type: 'FOO' }],
    ['an empty type', { type: '' }],
    ['a producer', { type: 'PRODUCER' }],
    ['a secondary without primaries', { type: 'SLAVE' }],
    ['a secondary with empty primaries', { type: 'SLAVE', master: '' }],
    ['a primary that is none', { master: 'not an ip' }],
    ['a serial policy', { soa_edit_api: 'EPOCH' }],
    ['nothing that it knows', { nonsense: 1 }],
    ['nothing but null', { name: null, type: null }],
    ['a number as name', { name: 5 }],
    ['an empty name', { name: '' }],
    ['a name that is none', { name: 'bad name!' }],
    ['a list as description', { description: [] }],
    ['an account of more than 40 characters', { account: 'a'.repeat(41) }],
    ['one bad member among good ones', { description: 'x', account: 'y', type: 'FOO' }],
  ] as [string, object][]) {
    test(`an update refuses ${what} with 400 and changes nothing`, async ({ client, assert }) => {
      const as = caller(client, admin)
      const zone = await createZone(as, { name: zoneNamed() })
      const before = await stateOf(zone.id)
      const response = await as.put(`/zones/${zone.id}`, body)
      response.assertStatus(400)
      assert.notMatch(response.body().message, /\{\{|undefined|\[object/)
      assert.deepEqual(await stateOf(zone.id), before)
    })
  }

  test('a secondary zone keeps at least one primary', async ({ client, assert }) => {
    const as = caller(client, admin)
    const input = { name: zoneNamed(), type: 'SLAVE', master: '192.0.2.1' }
    const zone = await createZone(as, input)
    for (const body of [{ master: '' }, { masters: [] }]) {
      const response = await as.put(`/zones/${zone.id}`, body)
      response.assertStatus(400)
    }
    assert.equal(await dataOf(as.get(`/zones/${zone.id}`), 'zone.master'), '192.0.2.1')
  })

  test('properties keep the serial and are journaled with old and new values', async ({
    client,
    assert,
  }) => {
    const as = caller(client, admin)
    const zone = await createZone(as, { name: zoneNamed(), description: 'old' })
    const serial = await serialOf(zone.id)
    await as.put(`/zones/${zone.id}`, { description: 'new', account: 'new', type: 'MASTER' })
    assert.equal(await serialOf(zone.id), serial)
    const [, entry, ...more] = await journalOf(zone.id)
    assert.lengthOf(more, 0)
    assert.deepEqual(entry.zone_before, { account: null, description: 'old' })
    assert.deepEqual(entry.zone_after, { account: 'new', description: 'new' })
    assert.deepEqual(entry.changes, [])
  })

  test('a missing zone gets 404 for any body', async ({ client }) => {
    const as = caller(client, admin)
    for (const body of [{ type: 'NATIVE' }, {}]) {
      const response = await as.put(`/zones/${NOTHING}`, body)
      response.assertStatus(404)
    }
  })

  test('ids above every number get 404', async ({ client }) => {
    const as = caller(client, admin)
    for (const id of ['0', '2147483648', '9007199254740993', '99999999999999999999']) {
      await expectStatus(as.get(`/zones/${id}`), 404)
      await expectStatus(as.get(`/zones/${id}/records`), 404)
      await expectStatus(as.get(`/zones/${id}/records/1`), 404)
      await expectStatus(as.delete(`/zones/${id}`), 404)
    }
  })
})
