// @databases @api-backend
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { METADATA_KINDS } from '#dns/metadata/kinds'
import { caller, dataOf, expectStatus, createZone, type Caller } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, keyFor, person, type Person } from '#tests/support/app/people/people'
import { lastEntryOf, serialOf, stateOf } from '#tests/support/app/zones/zones'

/** A value of each writable kind. */
const VALUES: Record<string, string[]> = {
  'ALLOW-AXFR-FROM': ['192.0.2.0/24', 'AUTO-NS'],
  'ALLOW-DNSUPDATE-FROM': ['192.0.2.1', '2001:db8::/32'],
  'ALSO-NOTIFY': ['192.0.2.1:5300', '192.0.2.2'],
  'API-RECTIFY': ['1'],
  'AXFR-MASTER-TSIG': ['transfer.key'],
  'AXFR-SOURCE': ['192.0.2.1'],
  'ENABLE-LUA-RECORDS': ['1'],
  'FORWARD-DNSUPDATE': ['1'],
  'GSS-ACCEPTOR-PRINCIPAL': ['DNS/ns1.example.org@REALM'],
  'GSS-ALLOW-AXFR-PRINCIPAL': ['a@REALM', 'b@REALM'],
  'IXFR': ['1'],
  'LUA-AXFR-SCRIPT': ['/etc/powerdns/axfr.lua'],
  'NOTIFY-DNSUPDATE': ['1'],
  'NSEC3PARAM': ['1 0 0 -'],
  'NSEC3NARROW': ['1'],
  'PRESIGNED': ['0'],
  'PUBLISH-CDNSKEY': ['1'],
  'PUBLISH-CDS': ['2', '4'],
  'RFC1123-CONFORMANCE': ['1'],
  'SIGNALING-ZONE': ['1'],
  'SLAVE-RENOTIFY': ['1'],
  'SOA-EDIT': ['INCEPTION-INCREMENT'],
  'SOA-EDIT-API': ['SOA-EDIT-INCREASE'],
  'SOA-EDIT-DNSUPDATE': ['EPOCH'],
  'TSIG-ALLOW-AXFR': ['key1', 'key2'],
  'TSIG-ALLOW-DNSUPDATE': ['key1', 'key2'],
  'X-CUSTOM': ['any', 'text'],
}

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
    at = `/zones/${zone.id}/metadata`
  })
}

const put = (kind: string, values: unknown, asUser: Caller = as) =>
  asUser.put(`${at}/${kind}`, { values })

test.group('Metadata of a zone', (tests) => {
  setUp(tests)

  test('every kind is written, listed by name, read, replaced and deleted', async ({ assert }) => {
    const writable = METADATA_KINDS.filter(({ writer }) => writer !== 'server')
    assert.includeMembers(
      Object.keys(VALUES),
      writable.map(({ kind }) => kind)
    )
    assert.deepEqual(await dataOf(as.get(at), 'metadata'), [])
    for (const [kind, values] of Object.entries(VALUES)) {
      const response = await put(kind.toLowerCase(), values)
      response.assertStatus(200)
      const message = 'Metadata updated successfully'
      response.assertBody({ success: true, data: null, message })
      const read = await as.get(`${at}/${kind.toLowerCase()}`)
      read.assertStatus(200)
      assert.deepEqual(read.body().data, { kind, values })
    }
    const listResponse = await as.get(at)
    assert.equal(listResponse.body().message, 'Metadata retrieved successfully')
    const expected = Object.keys(VALUES).sort()
    assert.deepEqual(
      listResponse.body().data.metadata,
      expected.map((kind) => ({ kind, values: VALUES[kind] }))
    )
    await expectStatus(put('ALSO-NOTIFY', ['192.0.2.9']), 200)
    assert.deepEqual(await dataOf(as.get(`${at}/ALSO-NOTIFY`), 'values'), ['192.0.2.9'])
    for (const kind of [...expected, 'X-NEVER-THERE', 'x'.repeat(40)]) {
      const response = await as.delete(`${at}/${kind}`)
      const message = 'Metadata deleted successfully'
      response.assertStatus(200)
      response.assertBody({ success: true, data: null, message })
      const missing = await as.get(`${at}/${kind}`)
      missing.assertStatus(404)
      missing.assertBodyContains({ data: null, message: 'Metadata kind not found' })
    }
    assert.deepEqual(await dataOf(as.get(at), 'metadata'), [])
  }).tags(['@sql'])

  for (const [what, kind, body, status] of [
    ['no values', 'IXFR', { nothing: 1 }, 400],
    ['an empty body', 'IXFR', {}, 400],
    ['values of null', 'IXFR', { values: null }, 400],
    ['a text', 'IXFR', { values: '1' }, 400],
    ['an object', 'IXFR', { values: { 0: '1' } }, 400],
    ['an empty list', 'ALLOW-AXFR-FROM', { values: [] }, 400],
    ['a number', 'IXFR', { values: [1] }, 400],
    ['null among values', 'ALSO-NOTIFY', { values: ['192.0.2.1', null] }, 400],
    ['several of a single value', 'IXFR', { values: ['1', '0'] }, 400],
    ['the same twice of a single value', 'IXFR', { values: ['1', '1'] }, 400],
    ['several of a single value, of which one is wrong', 'IXFR', { values: ['1', 'x'] }, 400],
    ['too many', 'X-A', { values: Array.from({ length: 101 }, String) }, 400],
    ['a long kind', 'x'.repeat(33), { values: ['1'] }, 400],
    ['a NUL character', 'X-A', { values: ['a\0b'] }, 400],
    ['a word of no list', 'SOA-EDIT-API', { values: ['OFF'] }, 422],
    ['a word of another list', 'SOA-EDIT', { values: ['DEFAULT'] }, 422],
    ['no network', 'ALLOW-AXFR-FROM', { values: ['192.0.2.0/24', 'nowhere'] }, 422],
    ['no parameters', 'NSEC3PARAM', { values: ['1 0 900 -'] }, 422],
    ['narrow denials alone', 'NSEC3NARROW', { values: ['1'] }, 422],
    ['text that PowerDNS cannot keep', 'X-A', { values: ['日本'] }, 422],
    ['a long text', 'X-A', { values: ['x'.repeat(5000)] }, 422],
    ['what the name server keeps', 'CATALOG-HASH', { values: ['1'] }, 403],
  ] as [string, string, object, number][]) {
    test(`refuses ${what}`, async ({ assert }) => {
      const before = await stateOf(zone.id)
      const response = await as.put(`${at}/${kind}`, body)
      response.assertStatus(status)
      assert.isFalse(response.body().success)
      assert.deepEqual(await stateOf(zone.id), before)
    })
  }

  test('an error has the field, the value and the allowed values', async ({ assert }) => {
    const response = await put('SOA-EDIT-API', ['SOMETIMES'])
    assert.equal(
      response.body().message,
      'Field \'values\': "SOMETIMES" is not a value of SOA-EDIT-API; allowed: DEFAULT, INCREASE, EPOCH, SOA-EDIT, SOA-EDIT-INCREASE'
    )
    await expectStatus(as.delete(`${at}/catalog-hash`), 403)
  })

  test('missing zones and invalid kinds get 404', async () => {
    await expectStatus(as.get('/zones/2147483647/metadata'), 404)
    await expectStatus(as.get('/zones/2147483647/metadata/IXFR'), 404)
    await expectStatus(as.put('/zones/2147483647/metadata/IXFR', { values: ['1'] }), 404)
    await expectStatus(as.delete('/zones/2147483647/metadata/IXFR'), 404)
    await expectStatus(as.get(`${at}/a.b`), 404)
    await expectStatus(as.get(`${at}/constructor`), 404)
    await expectStatus(as.post(at, { kind: 'IXFR' }), 405)
  })

  test('a lower-case kind of another tool is replaced', async ({ assert }) => {
    const row = { domain_id: zone.id, kind: 'nsec3param', content: '1 0 0 -' }
    await db.table('domainmetadata').insert(row)
    const { entry } = await lastEntryOf(zone.id)
    await expectStatus(put('NSEC3PARAM', ['1 0 0 -']), 200)
    const rows = await db.from('domainmetadata').where('domain_id', zone.id).select('kind')
    assert.deepEqual(
      rows.map(({ kind }) => kind),
      ['NSEC3PARAM']
    )
    const last = await lastEntryOf(zone.id)
    assert.equal(last.entry, entry + 1)
    await expectStatus(put('NSEC3PARAM', ['1 0 0 -']), 200)
    assert.deepEqual(await lastEntryOf(zone.id), last)
  }).tags(['@sql'])

  test('a zone has at most 100 kinds, and a larger number of other tools can only decrease', async ({
    assert,
  }) => {
    const rows = Array.from({ length: 101 }, (_, i) => `X-${i}`)
    const row = (kind: string) => ({ domain_id: zone.id, kind, content: 'a' })
    await db.table('domainmetadata').multiInsert(rows.slice(0, 99).map(row))
    await expectStatus(put('X-99', ['a']), 200)
    const before = await stateOf(zone.id)
    const refused = await put('X-100', ['a'])
    refused.assertStatus(422)
    assert.include(refused.body().message, 'at most 100 kinds')
    assert.deepEqual(await stateOf(zone.id), before)
    await db.table('domainmetadata').multiInsert(['X-100', 'X-101'].map(row))
    await expectStatus(put('X-0', ['b', 'c']), 200)
    await expectStatus(as.delete(`${at}/X-0`), 200)
    await expectStatus(put('X-0', ['b']), 422)
  }).tags(['@sql'])

  test('the values of a zone have at most 1 MiB in total', async ({ assert }) => {
    const full = Array.from({ length: 100 }, (_, i) => String(i).padEnd(4096, 'x'))
    await expectStatus(put('X-A', full), 200)
    await expectStatus(put('X-B', full), 200)
    const before = await stateOf(zone.id)
    const refused = await put('X-C', full)
    refused.assertStatus(422)
    assert.include(refused.body().message, 'at most 1048576 characters in total')
    assert.deepEqual(await stateOf(zone.id), before)
    await expectStatus(put('X-C', full.slice(0, 56)), 200)
    await expectStatus(put('X-D', ['x']), 422)
    await expectStatus(put('X-C', ['x']), 200)
  })

  test('deleting NSEC3PARAM deletes NSEC3NARROW', async ({ assert }) => {
    await expectStatus(put('NSEC3PARAM', ['1 0 0 -']), 200)
    await expectStatus(put('NSEC3NARROW', ['1']), 200)
    await expectStatus(as.delete(`${at}/NSEC3PARAM`), 200)
    assert.deepEqual(await dataOf(as.get(at), 'metadata'), [])
    const { zone_before: before, zone_after: after } = await lastEntryOf(zone.id)
    assert.deepEqual(before, { metadata: { NSEC3PARAM: ['1 0 0 -'], NSEC3NARROW: ['1'] } })
    assert.deepEqual(after, { metadata: { NSEC3PARAM: [], NSEC3NARROW: [] } })
  }).tags(['@sql'])

  test('rows of other tools in other spellings are the same kind', async ({ assert }) => {
    await db.table('domainmetadata').multiInsert([
      { domain_id: zone.id, kind: 'x-Mixed', content: 'one' },
      { domain_id: zone.id, kind: 'X-MIXED', content: 'two' },
      { domain_id: zone.id, kind: 'Constructor', content: null },
    ])
    assert.deepEqual(await dataOf(as.get(at), 'metadata'), [
      { kind: 'CONSTRUCTOR', values: [''] },
      { kind: 'X-MIXED', values: ['one', 'two'] },
    ])
    await expectStatus(put('X-Mixed', ['three']), 200)
    assert.deepEqual(await dataOf(as.get(`${at}/x-mixed`)), { kind: 'X-MIXED', values: ['three'] })
    await expectStatus(as.delete(`${at}/constructor`), 200)
    const rows = await db.from('domainmetadata').where('domain_id', zone.id).select('kind')
    assert.deepEqual(
      rows.map(({ kind }) => kind),
      ['X-MIXED']
    )
  }).tags(['@sql'])

  test('the serial goes up if served records change, but not on a replica', async ({ assert }) => {
    const serial = await serialOf(zone.id)
    await expectStatus(put('ALLOW-AXFR-FROM', ['192.0.2.1']), 200)
    assert.equal(await serialOf(zone.id), serial)
    await expectStatus(put('NSEC3PARAM', ['1 0 0 -']), 200)
    assert.isAbove(await serialOf(zone.id), serial)
    const replica = await createZone(as, { name: zoneNamed(), type: 'SLAVE', master: '192.0.2.1' })
    const content = 'ns1.a.test hostmaster.a.test 7 3600 600 86400 300'
    const soa = { domain_id: replica.id, name: replica.name, type: 'SOA', content, ttl: 300 }
    await db.table('records').insert({ ...soa, prio: 0, disabled: false, auth: true })
    await expectStatus(as.put(`/zones/${replica.id}/metadata/PUBLISH-CDS`, { values: ['2'] }), 200)
    assert.equal(await serialOf(replica.id), 7)
  }).tags(['@sql'])
})

test.group('Permissions on metadata', (tests) => {
  setUp(tests)

  const owner = async (permissions: Parameters<typeof person>[0]) => {
    const someUser = await person(permissions)
    await expectStatus(as.post(`/zones/${zone.id}/owners`, { user_id: someUser.id }), 201)
    return someUser
  }

  test('readers read, managers write, and only administrators write kinds that run code', async ({
    client,
  }) => {
    const reader = caller(client, await owner({ permissions: ['zone_metadata_view_own'] }))
    const manager = caller(client, await owner({ permissions: ['zone_meta_edit_own'] }))
    const viewer = caller(client, await owner({ permissions: ['zone_content_view_own'] }))
    const asOther = caller(client, await person({ permissions: ['zone_metadata_view_own'] }))
    const auditor = caller(client, await person({ permissions: ['zone_metadata_view_others'] }))
    await expectStatus(put('IXFR', ['1'], manager), 200)
    for (const asUser of [reader, manager, auditor]) {
      await expectStatus(asUser.get(at), 200)
      await expectStatus(asUser.get(`${at}/ixfr`), 200)
    }
    await expectStatus(viewer.get(at), 403)
    await expectStatus(asOther.get(at), 404)
    await expectStatus(put('IXFR', ['0'], reader), 403)
    await expectStatus(auditor.delete(`${at}/IXFR`), 403)
    for (const kind of ['LUA-AXFR-SCRIPT', 'ENABLE-LUA-RECORDS']) {
      await expectStatus(put(kind, VALUES[kind], manager), 403)
      // The permission is checked before the body.
      await expectStatus(put(kind, 'nonsense', manager), 403)
      await expectStatus(put(kind, VALUES[kind]), 200)
      await expectStatus(manager.get(`${at}/${kind}`), 200)
      await expectStatus(manager.delete(`${at}/${kind}`), 403)
    }
  }).tags(['@sql'])

  test('operations, read-only, zones and patterns of keys apply', async ({ client }) => {
    const restricted = async (restrictions: Parameters<typeof keyFor>[1]) =>
      caller(client, await keyFor(admin, restrictions))
    const elsewhere = await createZone(as, { name: zoneNamed() })
    const update = await restricted({ operations: ['update'] })
    await expectStatus(put('IXFR', ['1'], update), 200)
    await expectStatus(update.get(at), 403)
    await expectStatus(update.delete(`${at}/IXFR`), 403)
    const remove = await restricted({ operations: ['delete'] })
    await expectStatus(put('IXFR', ['0'], remove), 403)
    await expectStatus(remove.delete(`${at}/IXFR`), 200)
    const view = await restricted({ readOnly: true })
    await expectStatus(view.get(at), 200)
    await expectStatus(put('IXFR', ['1'], view), 403)
    const scoped = await restricted({ zones: [elsewhere] })
    await expectStatus(scoped.get(at), 403)
    await expectStatus(put('IXFR', ['1'], scoped), 403)
    const records = await restricted({ patterns: [{ name: `*.${zone.name}`, types: null }] })
    await expectStatus(records.get(at), 200)
    await expectStatus(put('IXFR', ['1'], records), 403)
    await expectStatus(records.delete(`${at}/IXFR`), 403)
  })
})
