// @api-backend @process
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { serverZone } from '#tests/support/app/backend'
import { administrator, type Person } from '#tests/support/app/people/people'
import { digestOf, eventsOf, plainZone, SigningServer } from '#tests/support/app/zones/signing'
import { journalOf } from '#tests/support/app/zones/zones'
import type { PowerDns } from '#tests/support/powerdns'
import { runProgram } from '#tests/support/programs'
import { validate } from '#tests/support/validation'

test.group('DNSSEC keys through the PowerDNS API', (group) => {
  group.each.timeout(60_000)
  let server: SigningServer
  let dns: PowerDns
  let admin: Person

  group.setup(async () => {
    server = await SigningServer.start()
    dns = server.dns!
    admin = await administrator()
    return () => server.stop()
  })

  const call = (method: string, path: string, body?: object) =>
    server.call(admin.key, method, path, body)

  test('keys are added, activated, deactivated and deleted', async ({ client, assert }) => {
    const zone = await plainZone(client, admin)
    const path = `/zones/${zone.id}/dnssec/keys`
    const empty = await call('GET', path)
    assert.deepEqual(empty.body.data, [])

    const ksk = await call('POST', path, {
      type: 'ksk',
      algorithm: 'ecdsa256',
      bits: '256',
      active: true,
    })
    assert.equal(ksk.status, 201, ksk.text)
    assert.equal(ksk.body.message, 'DNSSEC key added successfully')
    const { id, keytag, dnskey, ds, ...rest } = ksk.body.data
    assert.deepEqual(rest, {
      type: 'csk',
      algorithm: 'ecdsa256',
      algorithm_id: 13,
      bits: 256,
      active: true,
      sep: true,
    })
    assert.match(ds[1], new RegExp(`^${keytag} 13 2 ${digestOf(zone.name, dnskey)}$`))
    const zsk = await call('POST', path, { type: 'zsk', algorithm: 'ECDSA256', bits: 256 })
    assert.containsSubset(zsk.body.data, { type: 'csk', active: false, sep: false })

    const one = `${path}/${zsk.body.data.id}`
    const on = await call('PATCH', one, { active: true })
    assert.equal(on.body.message, 'DNSSEC key activated successfully')
    assert.containsSubset(on.body.data, { type: 'zsk', active: true })
    const secondAnswer = await call('PATCH', one, { active: true })
    assert.equal(secondAnswer.body.message, 'DNSSEC key already active')
    const list = await call('GET', path)
    assert.deepEqual(
      list.body.data.map((key: { id: number; type: string }) => [key.id, key.type]),
      [
        [id, 'ksk'],
        [zsk.body.data.id, 'zsk'],
      ]
    )
    assert.equal(await validate(dns.port, zone.name, `www.${zone.name}`, 'A'), 'answer')
    const got = await call('GET', one)
    assert.deepEqual(got.body.data, on.body.data)

    const disabledAnswer = await call('PATCH', one, { active: false })
    assert.equal(disabledAnswer.body.message, 'DNSSEC key deactivated successfully')
    assert.equal(disabledAnswer.body.data.type, 'csk')
    const offAgain = await call('PATCH', one, { active: 0 })
    assert.equal(offAgain.body.message, 'DNSSEC key already inactive')
    const deleted = await call('DELETE', one)
    assert.deepEqual(deleted.body, {
      success: true,
      data: null,
      message: 'DNSSEC key deleted successfully',
    })
    for (const method of ['GET', 'DELETE'] as const) {
      const missing = await call(method, one)
      assert.equal(missing.status, 404)
      assert.equal(missing.body.message, 'DNSSEC key not found')
    }

    const events = await eventsOf(zone.id)
    assert.deepEqual(
      events.map(({ action }) => action).filter((action) => action.startsWith('zone.key')),
      [
        'zone.key_added',
        'zone.key_added',
        'zone.key_changed',
        'zone.key_changed',
        'zone.key_deleted',
      ]
    )
    const added = events.find(({ action }) => action === 'zone.key_added')!
    assert.containsSubset(added.detail, {
      key_id: id,
      tag: keytag,
      role: 'ksk',
      algorithm: 'ecdsa256',
      active: true,
    })
    const journal = await journalOf(zone.id)
    assert.isFalse(journal.some(({ channel }) => channel === 'external'))
  })

  test('every offered algorithm and size can be created', async ({ client, assert }) => {
    const zone = await plainZone(client, admin)
    for (const [algorithm, bits] of [
      ['rsasha1', 1024],
      ['rsasha1-nsec3-sha1', 2048],
      ['rsasha256', 1024],
      ['rsasha512', 2048],
      ['ecdsa384', 384],
      ['ed25519', 256],
      ['ed448', 456],
    ] as const) {
      const created = await call('POST', `/zones/${zone.id}/dnssec/keys`, {
        type: 'ksk',
        algorithm,
        bits,
      })
      assert.equal(created.status, 201, created.text)
      assert.containsSubset(created.body.data, { algorithm, bits, active: false })
    }
    const status = await call('GET', `/zones/${zone.id}/dnssec`)
    assert.isFalse(status.body.data.enabled)
  })

  test('a key is imported, and its private part is never returned', async ({ client, assert }) => {
    const [from, to] = [await plainZone(client, admin), await plainZone(client, admin)]
    const stored = await serverZone(from)
    for (const algorithm of ['ecdsa256', 'rsasha256', 'ed25519']) {
      const bits = algorithm === 'rsasha256' ? 2048 : 256
      const created = await call('POST', `/zones/${from.id}/dnssec/keys`, {
        type: 'ksk',
        algorithm,
        bits,
      })
      const row = await stored.rows('cryptokeys').where('id', created.body.data.id).firstOrFail()
      const privatekey = `${row.content}Created: 20260101000000\n`.replaceAll('\n', '\r\n')
      const imported = await call('POST', `/zones/${to.id}/dnssec/keys/import`, {
        type: 'ksk',
        privatekey,
        active: true,
      })
      assert.equal(imported.status, 201, imported.text)
      const [there, here] = [created.body.data, imported.body.data]
      assert.equal(here.dnskey, there.dnskey)
      assert.equal(here.keytag, there.keytag)
      assert.isTrue(here.active)
      const secret = /(?:PrivateKey|PrivateExponent): (\S+)/.exec(row.content)![1]
      const texts = [
        imported.text,
        created.text,
        await call('GET', `/zones/${to.id}/dnssec/keys`).then(({ text }) => text),
        await call('GET', `/zones/${to.id}/history?include=changes`).then(({ text }) => text),
        JSON.stringify(await eventsOf(to.id)),
        JSON.stringify(await db.from('zw_audit').orderBy('id', 'desc').limit(20)),
        server.log(),
      ]
      for (const text of texts) {
        assert.notInclude(text, secret)
        assert.notInclude(text, 'Private-key-format')
      }
    }
    assert.equal(await validate(dns.port, to.name, `www.${to.name}`, 'A'), 'answer')
  })

  test('a key of another zone gets 404 and stays', async ({ client, assert }) => {
    const [mine, other] = [await plainZone(client, admin), await plainZone(client, admin)]
    const created = await call('POST', `/zones/${other.id}/dnssec/keys`, {
      type: 'ksk',
      algorithm: 'ed25519',
      bits: 256,
    })
    const path = `/zones/${mine.id}/dnssec/keys/${created.body.data.id}`
    for (const [method, body] of [
      ['GET', undefined],
      ['PATCH', { active: true }],
      ['DELETE', undefined],
    ] as const) {
      const answer = await call(method, path, body)
      assert.equal(answer.status, 404, method)
    }
    const list = await call('GET', `/zones/${other.id}/dnssec/keys`)
    assert.deepEqual(list.body.data, [created.body.data])
  })

  test('invalid bodies get the field and the allowed values', async ({ client, assert }) => {
    const zone = await plainZone(client, admin)
    const path = `/zones/${zone.id}/dnssec`
    const ok = { type: 'ksk', algorithm: 'ecdsa256', bits: 256 }
    const pem = await runProgram('openssl', ['genpkey', '-algorithm', 'ed25519'])
    const bind = 'Private-key-format: v1.2\nAlgorithm: 13 (ECDSAP256SHA256)\n'
    for (const [tail, body, message] of [
      ['', {}, /Invalid JSON|enabled/],
      ['', { enabled: 'yes' }, /'enabled' must be true or false/],
      ['', { enabled: null, reason: 'x' }, /enabled/],
      ['/keys', { ...ok, type: 'foo' }, /'type' must be one of ksk, zsk, csk/],
      ['/keys', { ...ok, algorithm: 'dsa' }, /'algorithm' must be one of rsasha1, .*ed448/],
      ['/keys', { ...ok, bits: 'many' }, /'bits' must be a whole number/],
      ['/keys', { ...ok, bits: 512 }, /ecdsa256 requires 256 bits/],
      ['/keys', { ...ok, algorithm: 'rsasha256' }, /rsasha256 requires 1024 or 2048 bits/],
      ['/keys', { ...ok, active: 'maybe' }, /'active' must be true or false/],
      ['/keys', { type: 'ksk', algorithm: 'ecdsa256' }, /'bits' is required/],
      ['/keys/import', { type: 'ksk', privatekey: pem }, /BIND private-key text: the text is PEM/],
      ['/keys/import', { type: 'x', privatekey: bind }, /'type' must be one of/],
      ['/keys/import', { type: 'ksk', privatekey: bind }, /PrivateKey is missing/],
      [
        '/keys/import',
        { type: 'ksk', privatekey: { a: 'secret' } },
        /'privatekey' must be a JSON string/,
      ],
      [
        '/keys/import',
        { type: 'ksk', privatekey: 'Private-key-format: v1.3\nAlgorithm: 3 (DSA)\n' },
        /algorithm 3 are not supported; allowed: .*ecdsa256/,
      ],
    ] as const) {
      const answer = await call('POST', `${path}${tail}`, body)
      assert.equal(answer.status, 400, answer.text)
      assert.match(answer.body.message, message)
      assert.notInclude(answer.text, 'secret')
      assert.notInclude(answer.text, pem.split('\n')[1])
    }
    const stored = await serverZone(zone)
    assert.isEmpty(await stored.rows('cryptokeys'))
  })
})
