import { test } from '@japa/runner'
import type { ApiClient } from '@japa/api-client'
import { randomInt } from 'node:crypto'
import {
  baseUrl,
  caller,
  dataOf,
  expectStatus,
  createRecord,
  createZone,
} from '#tests/support/app/api'
import type { Caller } from '#tests/support/app/api'
import { unique, zoneNamed } from '#tests/support/app/names'
import { administrator, keyFor, person, type Person } from '#tests/support/app/people/people'
import { stateOf } from '#tests/support/app/zones/zones'

const NOT_THESE = /Forbidden: this API key may not write/
const NOT_THIS = /^Forbidden: this API key is restricted to records of certain names/

type Zone = { id: number; name: string }

let admin: Person
let as: Caller
let zone: Zone
let key: { id: number; key: string }
let restricted: Caller

/** Creates a zone with records inside and outside the pattern, and a key for `*.dyn` addresses and ACME challenges. */
async function setUp(client: ApiClient) {
  as = caller(client, admin)
  zone = await createZone(as, { name: zoneNamed() })
  const patterns = [
    { name: `*.dyn.${zone.name}`, types: ['A', 'aaaa'] },
    { name: `_acme-challenge.**.${zone.name}.`, types: ['TXT'] },
  ]
  key = await keyFor(admin, { patterns })
  restricted = caller(client, key)
}

test.group('Keys restricted to patterns of names', (group) => {
  group.setup(async () => {
    admin = await administrator()
  })
  group.each.setup((t) => setUp(t.context.client))

  const address = (name: string, content = '192.0.2.1') => ({ name, type: 'A', content })
  const path = (rest: string) => `/zones/${zone.id}${rest}`

  test('matching names are written by every channel, and the serial goes up', async ({
    assert,
  }) => {
    const { id } = await createRecord(restricted, zone, address('host.DYN'))
    await expectStatus(restricted.put(path(`/records/${id}`), { content: '192.0.2.2' }), 200)
    const set = { name: 'a.b.dyn', type: 'AAAA', records: [{ content: '2001:db8::1' }] }
    await expectStatus(restricted.put(path('/rrsets'), set), 200)
    const txt = { name: '_acme-challenge.www', type: 'TXT', content: 'token' }
    const operations = [
      { action: 'create', ...txt },
      { action: 'create', ...address('c.dyn') },
    ]
    await expectStatus(restricted.post(path('/records/bulk'), { operations }), 200)
    const actions = [{ op: 'clear', name: `c.dyn.${zone.name}`, type: 'A' }]
    await expectStatus(restricted.post('/changes', { actions }), 201)
    const { entries } = await dataOf(restricted.get(path('/history')))
    const undoResponse = await restricted.post(path(`/history/${entries[0].entry}/undo`), {})
    undoResponse.assertStatus(200)
    const restoreResponse = await restricted.post(path('/restore'), { entry: entries[0].entry })
    restoreResponse.assertStatus(200)
    await expectStatus(restricted.delete(path(`/records/${id}`)), 204)
    const soa = await dataOf(as.get(path('/rrsets?type=SOA')), 'rrsets.0.records.0.content')
    assert.isAbove(Number(soa.split(' ')[2]), entries.at(-1).serial_after)
  })

  test('other names are refused by every channel, and nothing is written', async ({ assert }) => {
    const www = await createRecord(as, zone, address('www'))
    const host = await createRecord(as, zone, address('host.dyn'))
    await expectStatus(as.put(path(`/records/${www.id}`), { content: '192.0.2.77' }), 200)
    const before = await stateOf(zone.id)
    const last = before.journal.at(-1)!.entry
    const name = (relative: string) => `${relative}.${zone.name}`
    const file = [
      '$TTL 300',
      `@ SOA ns1.example.net. hostmaster.example.net. 1 2 3 4 5`,
      'evil A 192.0.2.66',
    ].join('\n')
    const attempts: Record<string, () => ReturnType<Caller['get']>> = {
      'another name': () => restricted.post(path('/records'), address('mail')),
      'the name above': () => restricted.post(path('/records'), address('dyn')),
      'the apex': () => restricted.post(path('/records'), address('@')),
      'another type': () =>
        restricted.post(path('/records'), { name: 'x.dyn', type: 'TXT', content: 'x' }),
      'an ACME name of another type': () =>
        restricted.post(path('/records'), address('_acme-challenge.www')),
      'the record of another name': () =>
        restricted.put(path(`/records/${www.id}`), { content: '192.0.2.3' }),
      'a move out': () => restricted.put(path(`/records/${host.id}`), { name: 'out' }),
      'a move in': () => restricted.put(path(`/records/${www.id}`), { name: 'in.dyn' }),
      'a deletion': () => restricted.delete(path(`/records/${www.id}`)),
      'an RRset': () =>
        restricted.put(path('/rrsets'), {
          name: 'www',
          type: 'A',
          records: [{ content: '192.0.2.4' }],
        }),
      'the end of an RRset': () => restricted.delete(path(`/rrsets/${name('www')}/A`)),
      'the SOA record': () =>
        restricted.put(path('/rrsets'), {
          name: '@',
          type: 'SOA',
          records: [{ content: 'ns1.example.net. h.example.net. 1 2 3 4 5' }],
        }),
      'one of many': () =>
        restricted.post(path('/records/bulk'), {
          operations: [
            { action: 'create', ...address('ok.dyn') },
            { action: 'delete', id: www.id },
          ],
        }),
      'one of a change set': () =>
        restricted.post('/changes', {
          actions: [
            { op: 'add', name: name('ok.dyn'), type: 'A', records: [{ content: '192.0.2.1' }] },
            { op: 'clear', name: name('www'), type: 'A' },
          ],
        }),
      'a dry run': () => restricted.post(path('/records'), { ...address('mail'), dry_run: true }),
      'an undo': () => restricted.post(path(`/history/${last}/undo`), {}),
      'a restore': () => restricted.post(path('/restore'), { entry: last - 1 }),
      'an import that merges': () =>
        restricted.post(path('/import'), { zone_file: file, mode: 'merge' }),
      'an import that replaces': () => restricted.post(path('/import'), { zone_file: file }),
    }
    for (const [what, attempt] of Object.entries(attempts)) {
      const response = await attempt()
      assert.equal(response.status(), 403, `${what}: ${response.text()}`)
      assert.match(response.text(), NOT_THESE, what)
    }
    assert.deepEqual(await stateOf(zone.id), before)
  })

  test('names are compared in canonical form: IDN and case', async ({ client }) => {
    const { key: idn } = await keyFor(admin, {
      patterns: [{ name: `*.Bücher.${zone.name.toUpperCase()}`, types: null }],
    })
    const asUser = caller(client, { key: idn })
    await expectStatus(asUser.post(path('/records'), address('a.bücher')), 201)
    await expectStatus(asUser.post(path('/records'), address('B.XN--BCHER-KVA')), 201)
    await expectStatus(asUser.post(path('/records'), address('a.bucher')), 403)
  })

  test('only records are written, and zones are read with the rights of the owner', async ({
    assert,
  }) => {
    const before = await stateOf(zone.id)
    const trashed = await createZone(as, { name: zoneNamed() })
    await expectStatus(as.delete(`/zones/${trashed.id}`), 204)
    const trash = await dataOf(as.get('/trash'), 'zones.0.id')
    const attempts = [
      () => restricted.post('/zones', { name: zoneNamed() }),
      () => restricted.put(path(''), { description: 'changed' }),
      () => restricted.put(path(''), { name: zoneNamed('renamed') }),
      () => restricted.put(path(''), { type: 'NATIVE' }),
      () => restricted.delete(path('')),
      () => restricted.post(`/trash/${trash}/restore`, {}),
      () => restricted.delete(`/trash/${trash}`),
      () => restricted.post('/api-keys', { name: 'mine' }),
      () => restricted.put(`/api-keys/${key.id}`, { patterns: [] }),
      () => restricted.post(`/api-keys/${key.id}/regenerate`, {}),
    ]
    for (const attempt of attempts) {
      const response = await attempt()
      assert.equal(response.status(), 403, response.text())
      assert.match(response.body().message, NOT_THIS)
    }
    assert.deepEqual(await stateOf(zone.id), before)
    for (const read of ['', '/records', '/rrsets', '/history', '/export', '/at?entry=1']) {
      await expectStatus(restricted.get(path(read)), 200)
    }
  })

  test('a zone that is hidden from its owner gets 404 for every request', async ({
    client,
    assert,
  }) => {
    const guest = await person()
    const asUser = caller(client, await keyFor(guest, { patterns: [{ name: '**', types: null }] }))
    const missing = await asUser.delete('/zones/2147483647')
    for (const call of [
      () => asUser.get(path('')),
      () => asUser.delete(path('')),
      () => asUser.put(path(''), { description: 'x' }),
      () => asUser.post(path('/records'), address('a')),
    ]) {
      const response = await call()
      response.assertStatus(404)
      assert.deepEqual(response.body(), missing.body())
    }
  })

  test('a linked PTR record requires a pattern for the reverse name', async ({
    client,
    assert,
  }) => {
    const [x, y] = [randomInt(256), randomInt(256)]
    const reverse = await createZone(as, { name: `${y}.${x}.10.in-addr.arpa` })
    const body = { ...address('p.dyn', `10.${x}.${y}.7`), create_ptr: true }
    const singleResponse = await restricted.post(path('/records'), body)
    singleResponse.assertStatus(201)
    assert.isEmpty(await dataOf(as.get(`/zones/${reverse.id}/records?type=PTR`), 'records'))

    const patterns = [
      { name: `*.dyn.${zone.name}`, types: ['A'] },
      { name: `*.${reverse.name}`, types: ['PTR'] },
    ]
    const both = caller(client, await keyFor(admin, { patterns }))
    await expectStatus(
      both.post(path('/records'), { ...address('q.dyn', `10.${x}.${y}.8`), create_ptr: true }),
      201
    )
    assert.lengthOf(await dataOf(as.get(`/zones/${reverse.id}/records?type=PTR`), 'records'), 1)
  })

  test('an import keeps comments of records that the key may not write', async ({ assert }) => {
    const soa = '@ SOA ns1.example.net. hostmaster.example.net. 1 10800 3600 604800 3600'
    const lines = ['$TTL 300', soa, '@ NS ns1.example.net.']
    const own = ['www A 192.0.2.1 ; of the owner', 'a.dyn A 192.0.2.2 ; of the owner too']
    await expectStatus(as.post(path('/import'), { zone_file: [...lines, ...own].join('\n') }), 200)
    const others = ['www A 192.0.2.1 ; by the key', 'a.dyn A 192.0.2.2 ; by the key too']
    for (const mode of ['merge', 'replace']) {
      const zoneFile = [...lines, ...others].join('\n')
      await expectStatus(restricted.post(path('/import'), { zone_file: zoneFile, mode }), 200)
      const text = await dataOf(as.get(path('/export')), 'zone_file')
      assert.include(text, 'of the owner')
      assert.notInclude(text, 'by the key\n')
      assert.include(text, 'by the key too')
    }
  })

  test('patterns and zones of a key must both match', async ({ client }) => {
    const otherZone = await createZone(as, { name: zoneNamed() })
    const patterns = [{ name: '*', types: ['TXT'] }]
    const asUser = caller(client, await keyFor(admin, { zones: [zone], patterns }))
    const text = { name: 'a', type: 'TXT', content: 'x' }
    await expectStatus(asUser.post(path('/records'), text), 201)
    await expectStatus(asUser.post(path('/records'), address('a')), 403)
    await expectStatus(asUser.post(`/zones/${otherZone.id}/records`, text), 403)
  })

  test('unreadable restrictions allow nothing', async ({ client }) => {
    const { default: db } = await import('@adonisjs/lucid/services/db')
    for (const patterns of ['', 'null', '{}', '[', '[]']) {
      await db.from('zw_api_keys').where('id', key.id).update({ patterns })
      const asUser = caller(client, key)
      await expectStatus(asUser.post(path('/records'), address('z.dyn')), 403)
    }
  })
})

test.group('Keys restricted to networks', (group) => {
  group.setup(async () => {
    admin = await administrator()
  })

  test('a request from another network gets the response to an invalid key', async ({
    client,
    assert,
  }) => {
    const invalidResponse = await client.get('/api/v2/zones').header('x-api-key', unique('wrong'))
    const { key: elsewhere } = await keyFor(admin, { networks: ['192.0.2.0/24', '2001:db8::/32'] })
    const response = await client.get('/api/v2/zones').header('x-api-key', elsewhere)
    response.assertStatus(401)
    assert.deepEqual(response.body(), invalidResponse.body())
    const { key: here } = await keyFor(admin, { networks: ['192.0.2.0/24', '127.0.0.0/8'] })
    await expectStatus(caller(client, { key: here }).get('/zones'), 200)
    // The header of an untrusted client does not change the client address.
    const lying = await fetch(`${baseUrl()}/api/v2/zones`, {
      headers: { 'x-api-key': elsewhere, 'x-forwarded-for': '192.0.2.1' },
    })
    assert.equal(lying.status, 401)
  })

  test('an IPv4 address in IPv6 form matches IPv4 networks', async ({ assert }) => {
    const { findActorOfKey } = await import('#accounts/authenticate')
    const { key: v4 } = await keyFor(admin, { networks: ['192.0.2.0/24'] })
    const { key: v6 } = await keyFor(admin, { networks: ['::/0'] })
    assert.isNotNull(await findActorOfKey(v4, '::ffff:192.0.2.9', 'api'))
    assert.isNotNull(await findActorOfKey(v4, '192.0.2.9', 'api'))
    assert.isNull(await findActorOfKey(v4, '::ffff:192.0.3.9', 'api'))
    assert.isNull(await findActorOfKey(v6, '::ffff:192.0.2.9', 'api'))
    assert.isNotNull(await findActorOfKey(v6, '2001:db8::1', 'api'))
    assert.isNull(await findActorOfKey(v4, '', 'api'))
  })
})
