// @api-backend @process
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import type { Permission } from '#access/permissions'
import { baseUrl } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, person, type Person } from '#tests/support/app/people/people'
import { changeSettings } from '#tests/support/app/settings'
import { eventsOf, SigningServer } from '#tests/support/app/zones/signing'
import { freePort } from '#tests/support/programs'

const NS = { default_ns: ['ns1.example.net', 'ns2.example.net'] }

test.group('POST /zones with a request to sign', (group) => {
  group.each.timeout(60_000)
  let server: SigningServer
  let admin: Person

  group.setup(async () => {
    server = await SigningServer.here({ dns: NS })
    admin = await administrator()
    return () => server.stop()
  })

  const create = (key: string, body: object) => server.call(key, 'POST', '/zones', body)

  test('the zone is signed, and the response says so', async ({ assert }) => {
    const name = zoneNamed('born')
    const created = await create(admin.key, { name, type: 'MASTER', enable_dnssec: true })
    assert.equal(created.status, 201, created.text)
    const { zone_id: id, ...data } = created.body.data
    assert.deepEqual(data, { dnssec: 'signed' })
    const status = await server.call(admin.key, 'GET', `/zones/${id}/dnssec`)
    assert.isTrue(status.body.data.enabled)
    assert.isNotEmpty(status.body.data.ds_records)
    const events = await eventsOf(id)
    const actions = events.map(({ action }) => action)
    assert.includeMembers(actions, ['zone.created', 'zone.signed'])
  })

  test('a request without signing signs nothing', async ({ assert }) => {
    for (const more of [{}, { enable_dnssec: false }]) {
      const created = await create(admin.key, { name: zoneNamed('born'), type: 'MASTER', ...more })
      assert.equal(created.status, 201, created.text)
      assert.notProperty(created.body.data, 'dnssec')
      const path = `/zones/${created.body.data.zone_id}/dnssec`
      const status = await server.call(admin.key, 'GET', path)
      assert.isFalse(status.body.data.enabled)
    }
  })

  test('a replica is created and not signed', async ({ assert }) => {
    const zone = { name: zoneNamed('born'), type: 'SLAVE', master: '192.0.2.1' }
    const created = await create(admin.key, { ...zone, enable_dnssec: true })
    assert.equal(created.status, 201, created.text)
    assert.equal(created.body.data.dnssec, 'not_signed')
    assert.include(created.body.data.dnssec_message, 'SOA')
  })

  test('signing requires the permission on the new zone', async ({ assert }) => {
    const rights: Permission[] = [
      'zone_master_add',
      'zone_content_view_own',
      'zone_content_edit_own',
    ]
    const plain = await person({ permissions: rights })
    const name = zoneNamed('born')
    const refused = await create(plain.key, { name, type: 'MASTER', enable_dnssec: true })
    assert.equal(refused.status, 403, refused.text)
    const granted = await person({ permissions: [...rights, 'zone_dnssec_manage_own'] })
    const created = await create(granted.key, { name, type: 'MASTER', enable_dnssec: true })
    assert.equal(created.status, 201, created.text)
    assert.equal(created.body.data.dnssec, 'signed')
  })

  test('a repeat gets the same response and creates nothing twice', async ({ assert }) => {
    const body = { name: zoneNamed('born'), type: 'MASTER', enable_dnssec: true }
    const headers = { 'idempotency-key': body.name }
    const [first, second] = [
      await server.call(admin.key, 'POST', '/zones', body, headers),
      await server.call(admin.key, 'POST', '/zones', body, headers),
    ]
    assert.equal(first.status, 201, first.text)
    assert.deepEqual(second.body.data, first.body.data)
  })
})

test.group('POST /zones with a request to sign that fails', (group) => {
  group.each.timeout(60_000)
  const input = (name: string) => JSON.stringify({ name, type: 'MASTER', enable_dnssec: true })
  const post = async (key: string, name: string) => {
    const answer = await fetch(`${baseUrl()}/api/v2/zones`, {
      method: 'POST',
      headers: { 'x-api-key': key, 'content-type': 'application/json' },
      body: input(name),
    })
    return { status: answer.status, body: (await answer.json()) as any }
  }

  test('a zone without name servers is created, and the response lists what is missing', async ({
    assert,
    cleanup,
  }) => {
    const server = await SigningServer.here({ dns: { default_ns: [] } })
    cleanup(() => server.stop())
    const { key } = await administrator()
    const body = { name: zoneNamed('born'), type: 'MASTER', enable_dnssec: true }
    const created = await server.call(key, 'POST', '/zones', body)
    assert.equal(created.status, 201, created.text)
    assert.equal(created.body.data.dnssec, 'not_signed')
    assert.include(created.body.data.dnssec_message, 'NS')
  })

  test('with dnssec.enabled off the request to sign is ignored', async ({ assert, cleanup }) => {
    cleanup(changeSettings({ dnssec: { enabled: false }, dns: NS }))
    const { key } = await administrator()
    const created = await post(key, zoneNamed('born'))
    assert.equal(created.status, 201)
    assert.notProperty(created.body.data, 'dnssec')
  })

  test('without a signing server the request gets 501 and creates no zone', async ({
    assert,
    cleanup,
  }) => {
    cleanup(changeSettings({ dnssec: { enabled: true }, pdns_api: { url: '' }, dns: NS }))
    const { key } = await administrator()
    const name = zoneNamed('born')
    const refused = await post(key, name)
    assert.equal(refused.status, 501)
    assert.isNull(await db.from('domains').where('name', name).first())
  }).tags(['@sql'])

  test('if the name server does not respond the zone is created with an unknown signing state', async ({
    assert,
    cleanup,
  }) => {
    const dead = { url: `http://127.0.0.1:${await freePort()}`, key: 'x' }
    cleanup(changeSettings({ dnssec: { enabled: true }, pdns_api: dead, dns: NS }))
    const { key } = await administrator()
    const created = await post(key, zoneNamed('born'))
    assert.equal(created.status, 201)
    assert.equal(created.body.data.dnssec, 'unconfirmed')
  }).tags(['@sql'])
})
