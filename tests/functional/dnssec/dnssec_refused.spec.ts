// @process
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { caller, statusOf } from '#tests/support/app/api'
import { administrator, person, type Person } from '#tests/support/app/people/people'
import { eventsOf, plainZone, SigningServer } from '#tests/support/app/zones/signing'
import { serialOf } from '#tests/support/app/zones/zones'
import { freePort } from '#tests/support/programs'
import { PowerDnsDouble, refusing } from '#tests/support/powerdns_double'

const KEY = { type: 'ksk', algorithm: 'ed25519', bits: 256 }
const CALLS = [
  ['GET', '', undefined],
  ['POST', '', { enabled: true }],
  ['POST', '', { enabled: false }],
  ['GET', '/keys', undefined],
  ['POST', '/keys', KEY],
  ['GET', '/keys/1', undefined],
  ['PATCH', '/keys/1', { active: true }],
  ['DELETE', '/keys/1', undefined],
  ['POST', '/rectify', undefined],
] as const

test.group('DNSSEC without a PowerDNS API', (group) => {
  group.each.timeout(60_000)

  test('requests get 501, after the zone check and before the body check', async ({
    client,
    assert,
  }) => {
    const admin = await administrator()
    const zone = await plainZone(client, admin)
    const as = caller(client, admin)
    for (const [method, tail] of CALLS) {
      const path = `/zones/${zone.id}/dnssec${tail}`
      const answer = await (method === 'GET' ? as.get(path) : as.send(method, path, { a: 1 }))
      answer.assertStatus(501)
      assert.match(answer.body().message, /pdns_api\.url and pdns_api\.key/)
      const missing = `/zones/99999999/dnssec${tail}`
      const emptyResponse = await (method === 'GET'
        ? as.get(missing)
        : as.send(method, missing, {}))
      emptyResponse.assertStatus(404)
    }
  })
})

test.group('DNSSEC with a PowerDNS API that does not respond', (group) => {
  group.each.timeout(60_000)
  let admin: Person

  group.setup(async () => {
    admin = await administrator()
  })

  for (const [what, spoil] of [
    ['garbage', (double: PowerDnsDouble) => (double.answer = (r) => void r.end('<html>'))],
    [
      'answers of another server',
      (double: PowerDnsDouble) => (double.answer = (r) => void r.end('[{"id":"x"}]')),
    ],
    ['a refused key', (double: PowerDnsDouble) => (double.answer = refusing(401, 'Unauthorized'))],
    ['faults', (double: PowerDnsDouble) => (double.answer = refusing(500, 'secret fault'))],
    [
      'half an answer',
      (double: PowerDnsDouble) =>
        (double.answer = (r) => {
          r.writeHead(200, { 'Content-Length': '100' })
          r.write('[')
          setTimeout(() => r.destroy(), 20)
        }),
    ],
  ] as const) {
    test(`${what}: every request gets 502 without details of the zone`, async ({
      client,
      assert,
      cleanup,
    }) => {
      const double = await PowerDnsDouble.start()
      cleanup(() => double.stop())
      spoil(double)
      const server = await SigningServer.start({}, double.url)
      cleanup(() => server.stop())
      const zone = await plainZone(client, admin)
      const serial = await serialOf(zone.id)
      for (const [method, tail, body] of CALLS) {
        const answer = await server.call(admin.key, method, `/zones/${zone.id}/dnssec${tail}`, body)
        assert.equal(answer.status, 502, `${method} ${tail}: ${answer.text}`)
        assert.deepEqual(answer.body, {
          success: false,
          data: null,
          message: 'The DNS server cannot be reached',
        })
      }
      assert.equal(await serialOf(zone.id), serial)
      assert.notInclude(server.log(), 'key-of-the-tests')
    })
  }

  test('an unreachable server gets 502', async ({ client, assert, cleanup }) => {
    const server = await SigningServer.here({}, `http://127.0.0.1:${await freePort()}`)
    cleanup(() => server.stop())
    const zone = await plainZone(client, admin)
    for (const [method, tail, body] of CALLS) {
      const path = `/zones/${zone.id}/dnssec${tail}`
      assert.equal(await statusOf(server.call(admin.key, method, path, body)), 502)
    }
  })

  test('a change with an unknown outcome is logged as attempted', async ({
    client,
    assert,
    cleanup,
  }) => {
    const double = await PowerDnsDouble.start()
    cleanup(() => double.stop())
    double.answer = (response, { method, path }) => {
      if (method === 'POST') {
        response.destroy()
      } else if (path.endsWith('/PRESIGNED')) {
        response.end('{"kind":"PRESIGNED","metadata":[]}')
      } else {
        response.end(path === '' ? '{"id":"a","daemon_type":"b","version":"4.7.3"}' : '[]')
      }
    }
    const server = await SigningServer.here({}, double.url)
    cleanup(() => server.stop())
    const zone = await plainZone(client, admin)
    const path = `/zones/${zone.id}/dnssec/keys`
    const serial = await serialOf(zone.id)
    const answer = await server.call(admin.key, 'POST', path, KEY, { 'idempotency-key': 'once' })
    assert.equal(answer.status, 502, answer.text)
    assert.isAbove(await serialOf(zone.id), serial)
    const kinds = await db.from('zw_outbox').where('zone_id', zone.id).select('kind')
    assert.isNotEmpty(kinds)
    const secondAnswer = await server.call(admin.key, 'POST', path, KEY, {
      'idempotency-key': 'once',
    })
    assert.equal(secondAnswer.status, 409, secondAnswer.text)
    assert.lengthOf(
      double.calls.filter(({ method }) => method === 'POST'),
      1
    )
    const events = await eventsOf(zone.id)
    assert.containsSubset(events.at(-1), { action: 'zone.key_added', outcome: 'failed' })
  })

  test('a confirmed change is logged as done even if later reads fail', async ({
    client,
    assert,
    cleanup,
  }) => {
    const double = await PowerDnsDouble.start()
    cleanup(() => double.stop())
    const fail = refusing(500, 'later')
    let isSpoiled = false
    double.answer = (response, { method, path }) => {
      if (isSpoiled) {
        fail(response)
      } else if (method === 'POST' || (method === 'PUT' && /^\/zones\/[^/]+$/.test(path))) {
        isSpoiled = true
        response.end('{"id":7}')
      } else if (path.endsWith('/PRESIGNED')) {
        response.end('{"kind":"PRESIGNED","metadata":[]}')
      } else {
        response.end(path === '' ? '{"id":"a","daemon_type":"b","version":"4.7.3"}' : '[]')
      }
    }
    const server = await SigningServer.here({}, double.url)
    cleanup(() => server.stop())
    const zone = await plainZone(client, admin)
    for (const [tail, body, event] of [
      ['/keys', KEY, { action: 'zone.key_added', detail: { key_id: 7, tag: null } }],
      ['', { enabled: true }, { action: 'zone.signed' }],
    ] as const) {
      isSpoiled = false
      const serial = await serialOf(zone.id)
      await server.call(admin.key, 'POST', `/zones/${zone.id}/dnssec${tail}`, body)
      assert.isAbove(await serialOf(zone.id), serial)
      const events = await eventsOf(zone.id)
      assert.containsSubset(events.at(-1), { ...event, outcome: 'success' })
    }
  })

  test('a key that is deleted before its change gets 404', async ({ client, assert, cleanup }) => {
    const double = await PowerDnsDouble.start()
    cleanup(() => double.stop())
    const missing = refusing(404, 'Not Found')
    const dnskey = '257 3 15 l02Woi0iS8Aa25FQkUd9RMzZHJpBoRQwAQEX1SxZJA4='
    const keys = [{ id: 1, flags: 257, bits: 256, active: false, published: true, dnskey }]
    double.answer = (response, { method, path }) => {
      if (method !== 'GET') {
        missing(response)
      } else {
        response.end(path.endsWith('/PRESIGNED') ? '{"metadata":[]}' : JSON.stringify(keys))
      }
    }
    const server = await SigningServer.here({}, double.url)
    cleanup(() => server.stop())
    const zone = await plainZone(client, admin)
    for (const [method, body] of [
      ['PATCH', { active: true }],
      ['DELETE', undefined],
    ] as const) {
      const answer = await server.call(admin.key, method, `/zones/${zone.id}/dnssec/keys/1`, body)
      assert.equal(answer.status, 404, answer.text)
      assert.equal(answer.body.message, 'DNSSEC key not found')
    }
  })

  test('a change that the server refuses gets 400 with its message', async ({
    client,
    assert,
    cleanup,
  }) => {
    const double = await PowerDnsDouble.start()
    cleanup(() => double.stop())
    const refuse = refusing(422, 'Key could not be parsed.')
    double.answer = (response, { method, path }) => {
      if (method === 'POST') {
        refuse(response)
      } else if (path.endsWith('/PRESIGNED')) {
        response.end('{"kind":"PRESIGNED","metadata":[]}')
      } else {
        response.end(path === '' ? '{"id":"a","daemon_type":"b","version":"4.1.0"}' : '[]')
      }
    }
    const server = await SigningServer.here({}, double.url)
    cleanup(() => server.stop())
    const zone = await plainZone(client, admin)
    const add = (body: object) =>
      server.call(admin.key, 'POST', `/zones/${zone.id}/dnssec/keys`, body)
    const refused = await add(KEY)
    assert.equal(refused.status, 400)
    assert.include(refused.body.message, 'Key could not be parsed.')
    const old = await add({ ...KEY, algorithm: 'ed448', bits: 456 })
    assert.equal(old.status, 400)
    assert.match(old.body.message, /must be one of .*ed25519, found "ed448"/)
    const events = await eventsOf(zone.id)
    assert.isFalse(events.some(({ action }) => action === 'zone.key_added'))
  })
})

test.group('DNSSEC permissions', (group) => {
  group.each.timeout(60_000)
  let server: SigningServer
  let double: PowerDnsDouble

  group.setup(async () => {
    double = await PowerDnsDouble.start()
    double.answer = (response, { path }) => {
      response.end(path.endsWith('/PRESIGNED') ? '{"metadata":[]}' : '[]')
    }
    server = await SigningServer.here({}, double.url)
    return async () => {
      await server.stop()
      await double.stop()
    }
  })

  test('key changes require the view permission as well', async ({ client, assert }) => {
    const zone = await plainZone(client, await administrator())
    const signer = await person({ permissions: ['zone_dnssec_manage_own'] })
    await db.table('zw_zone_owners').insert({
      zone_id: zone.id,
      user_id: signer.id,
      created_at: new Date().toISOString(),
    })
    const statuses: Record<string, number> = {}
    for (const [method, tail, body] of CALLS) {
      const path = `/zones/${zone.id}/dnssec${tail}`
      const { status } = await server.call(signer.key, method, path, body)
      statuses[`${method} ${tail} ${JSON.stringify(body)}`] = status
    }
    assert.deepEqual(Object.values(statuses), [403, 502, 200, 403, 403, 403, 403, 403, 409])
  })

  test('signing is refused with dnssec.enabled off, and reading is allowed', async ({
    client,
    assert,
    cleanup,
  }) => {
    const admin = await administrator()
    const off = await SigningServer.here({ dnssec: { enabled: false } }, double.url)
    cleanup(() => off.stop())
    const zone = await plainZone(client, admin)
    const statuses: number[] = []
    for (const [method, tail, body] of CALLS) {
      const path = `/zones/${zone.id}/dnssec${tail}`
      statuses.push(await statusOf(off.call(admin.key, method, path, body)))
    }
    assert.deepEqual(statuses, [200, 400, 400, 200, 400, 404, 400, 400, 409])
  })
})
