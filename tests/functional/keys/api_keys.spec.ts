// @databases
import { createHash } from 'node:crypto'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import type { KeyOperation } from '#access/actor'
import { caller, dataOf, expectStatus, createZone } from '#tests/support/app/api'
import type { Caller } from '#tests/support/app/api'
import { manager, statusWith } from '#tests/support/app/people/key_managers'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, keyFor, type Person } from '#tests/support/app/people/people'

const DAY = 86_400_000

let admin: Person
let asAdmin: Caller

test.group('API keys: creation and changes', (group) => {
  group.setup(async () => {
    admin = await administrator()
  })
  group.each.setup((t) => {
    asAdmin = caller(t.context.client, admin)
  })

  for (const [misspelt, named] of [
    [{ is_read_only: true }, "'is_read_only'"],
    [{ readonly: true }, "'readonly'"],
    [{ operation: ['view'] }, "'operation'"],
    [{ zone: [1] }, "'zone'"],
    [{ network: ['192.0.2.1'] }, "'network'"],
    [{ expires: '2030-01-01T00:00:00Z' }, "'expires'"],
    [{ idle: 3 }, "'idle'"],
    [{ patterns: [{ name: '**', type: ['A'] }] }, "'patterns.0.type'"],
    [{ a: 1, b: 2 }, "'a', 'b'"],
  ] as [object, string][]) {
    test(`a misspelt restriction is refused: ${JSON.stringify(misspelt)}`, async ({ assert }) => {
      const before = await db.from('zw_api_keys').count('* as total').first()
      const created = await asAdmin.post('/api-keys', { name: 'misspelt', ...misspelt })
      created.assertStatus(400)
      assert.include(created.body().message, named)
      assert.match(created.body().message, /allowed: .*(read_only|types)/)
      const changed = await asAdmin.put(`/api-keys/${admin.keyId}`, misspelt)
      changed.assertStatus(400)
      assert.deepEqual(await db.from('zw_api_keys').count('* as total').first(), before)
    })
  }

  test('a key can be written back as it was returned', async ({ client }) => {
    const { as, zone } = await manager(client)
    const wanted = { name: 'again', zones: [zone.id], patterns: [{ name: `*.${zone.name}` }] }
    const created = await as.post('/api-keys', wanted)
    const { api_key: shown } = created.body().data
    await expectStatus(as.put(`/api-keys/${shown.id}`, shown), 200)
  })

  test('a key is created with all restrictions, returned once, and stored as a hash', async ({
    client,
    assert,
  }) => {
    const { who: user, as, zone } = await manager(client)
    const expires = new Date(Date.now() + 30 * DAY).toISOString()
    const response = await as.post('/api-keys', {
      name: 'everything',
      operations: ['view', 'create'],
      zones: [zone.id],
      patterns: [{ name: `*.DYN.${zone.name}.`, types: ['a', 'AAAA'] }, { name: '_x.**' }],
      networks: ['127.0.0.1', '::FFFF:10.0.0.9/104'],
      expires_at: expires,
      idle_days: 90,
    })
    response.assertStatus(201)
    const { api_key: created, key } = response.body().data
    assert.match(key, /^pwa_[0-9a-f]{64}$/)
    const { id, created_at: createdAt, ...rest } = created
    assert.deepEqual(rest, {
      name: 'everything',
      purpose: null,
      prefix: key.slice(0, 12),
      owner: { id: user.id, username: user.username },
      enabled: true,
      read_only: false,
      operations: ['view', 'create'],
      zones: [{ id: zone.id, name: zone.name }],
      zone_restricted: true,
      patterns: [
        { name: `*.dyn.${zone.name}`, types: ['A', 'AAAA'] },
        { name: '_x.**', types: [] },
      ],
      pattern_restricted: true,
      networks: ['127.0.0.1/32', '10.0.0.0/8'],
      expires_at: expires,
      idle_days: 90,
      last_used_at: null,
      last_used_from: null,
    })
    assert.isAtMost(Math.abs(Date.now() - Date.parse(createdAt)), 60_000)
    assert.deepEqual(await dataOf(as.get(`/api-keys/${id}`), 'api_key'), created)
    const [listed] = (await dataOf(as.get('/api-keys?q=everything'), 'api_keys')) as object[]
    assert.deepEqual(listed, created)
    const row = await db.from('zw_api_keys').where('id', id).firstOrFail()
    assert.equal(row.secret_hash, createHash('sha256').update(key).digest('hex'))
    const answers = [await as.get('/api-keys'), await as.get(`/api-keys/${id}`)]
    for (const answer of answers) {
      assert.notInclude(answer.text(), row.secret_hash)
      assert.notInclude(answer.text(), key)
    }
    assert.equal(await statusWith(client, key), 200)
  })

  test('a change keeps absent members; empty and null lists remove a restriction', async ({
    client,
    assert,
  }) => {
    const { as, zone } = await manager(client)
    const created = await as.post('/api-keys', {
      name: 'one',
      read_only: true,
      zones: [zone.name],
      networks: ['127.0.0.0/8'],
      expires_at: '2099-01-31',
      idle_days: 7,
    })
    const { api_key: before } = created.body().data
    const path = `/api-keys/${before.id}`
    const renamed = await dataOf(as.put(path, { name: 'two' }), 'api_key')
    assert.deepEqual(renamed, { ...before, name: 'two' })
    assert.deepEqual(await dataOf(as.put(path, renamed), 'api_key'), renamed, 'as it was read')
    const lifted = await dataOf(
      as.put(path, {
        read_only: false,
        zones: [],
        networks: [],
        expires_at: null,
        idle_days: null,
        operations: ['view'],
      }),
      'api_key'
    )
    assert.deepEqual(lifted, {
      ...renamed,
      read_only: false,
      operations: ['view'],
      zones: [],
      zone_restricted: false,
      networks: [],
      expires_at: null,
      idle_days: null,
    })
  })

  test('a key whose zones were deleted stays restricted to no zone when it is written back', async ({
    client,
    assert,
  }) => {
    const { as, zone } = await manager(client)
    const created = await as.post('/api-keys', { name: 'one', zones: [zone.id] })
    const { api_key: item, key } = created.body().data
    await expectStatus(as.delete(`/zones/${zone.id}`), 204)
    const otherZone = await createZone(as, { name: zoneNamed() })
    const read = await dataOf(as.get(`/api-keys/${item.id}`), 'api_key')
    assert.deepEqual([read.zones, read.zone_restricted], [[], true])
    await expectStatus(as.put(`/api-keys/${item.id}`, read), 200)
    await expectStatus(caller(client, { key }).get(`/zones/${otherZone.id}`), 403)
  })

  test('a key for a zone only sees patterns below the zone, and writing back keeps the others', async ({
    client,
    assert,
  }) => {
    const { who: user, zone } = await manager(client)
    const types = ['A']
    const [known, unknown] = [`*.${zone.name}`, `*.${zoneNamed('hidden')}`]
    const { id } = await keyFor(user, { zones: [zone], patterns: [{ name: unknown, types }] })
    const other = await keyFor(user, {
      patterns: [
        { name: known, types },
        { name: unknown, types },
      ],
    })
    const byKey = caller(client, await keyFor(admin, { zones: [zone] }))
    const seen = await dataOf(byKey.get(`/api-keys/${other.id}`), 'api_key')
    assert.deepEqual([seen.patterns, seen.pattern_restricted], [[{ name: known, types }], true])
    const empty = await dataOf(byKey.get(`/api-keys/${id}`), 'api_key')
    assert.deepEqual([empty.patterns, empty.pattern_restricted], [[], true])
    await expectStatus(byKey.put(`/api-keys/${id}`, empty), 200)
    const after = await dataOf(asAdmin.get(`/api-keys/${id}`), 'api_key')
    assert.deepEqual([after.patterns, after.pattern_restricted], [[], true], 'no record at all')
  })

  test('regenerating replaces the key; a disabled key works again once enabled', async ({
    client,
    assert,
  }) => {
    const { as } = await manager(client)
    const created = await as.post('/api-keys', { name: 'one' })
    const { api_key: item, key: old } = created.body().data
    const path = `/api-keys/${item.id}`
    const renewed = await as.post(`${path}/regenerate`, {})
    renewed.assertStatus(200)
    const { key } = renewed.body().data
    assert.deepEqual([await statusWith(client, old), await statusWith(client, key)], [401, 200])
    assert.isFalse(await dataOf(as.post(`${path}/disable`, {}), 'api_key.enabled'))
    assert.equal(await statusWith(client, key), 401)
    assert.isTrue(await dataOf(as.post(`${path}/enable`, {}), 'api_key.enabled'))
    assert.equal(await statusWith(client, key), 200)
    await expectStatus(as.delete(path), 204)
    assert.equal(await statusWith(client, key), 401)
    await expectStatus(as.get(path), 404)
  })

  for (const [operations, status] of [
    [['view', 'update'], 403],
    [['view', 'create'], 403],
    [['update', 'delete'], 403],
    [['delete', 'view'], 403],
    [['create', 'update'], 200],
    [['view', 'create', 'update', 'delete'], 200],
  ] as [KeyOperation[], number][]) {
    // HTTP API, Key restrictions 3 and 4: POST creates, and it also updates the old secret.
    test(`a key for ${operations.join(' and ')} regenerates itself: ${status}`, async ({
      client,
    }) => {
      const created = await keyFor(admin, { operations })
      const as = caller(client, { ...admin, key: created.key })
      await expectStatus(as.post(`/api-keys/${created.id}/regenerate`, {}), status)
    })
  }

  test('an unused key expires after its idle days, and works again once enabled', async ({
    client,
    assert,
  }) => {
    const { as } = await manager(client)
    const created = await as.post('/api-keys', { name: 'one', idle_days: 3 })
    const { api_key: item, key } = created.body().data
    const age = (days: number, column: string) =>
      db
        .from('zw_api_keys')
        .where('id', item.id)
        .update({ [column]: new Date(Date.now() - days * DAY).toISOString() })
    await age(3.1, 'created_at')
    assert.equal(await statusWith(client, key), 401, 'never used')
    await age(2.9, 'last_used_at')
    assert.equal(await statusWith(client, key), 200, 'used within the days')
    const { keyUses } = await import('#accounts/keys/last_used')
    keyUses.forget(item.id)
    const MINUTE = 1 / (24 * 60)
    await age(3 + MINUTE, 'last_used_at')
    assert.equal(await statusWith(client, key), 200, 'another process may know of a later use')
    keyUses.forget(item.id)
    await age(3.1, 'last_used_at')
    assert.equal(await statusWith(client, key), 401, 'not used since')
    await expectStatus(as.post(`/api-keys/${item.id}/disable`, {}), 200)
    await expectStatus(as.post(`/api-keys/${item.id}/enable`, {}), 200)
    assert.equal(await statusWith(client, key), 200)
  })

  test('a time without a time zone is UTC, for any time zone of the server', async ({
    cleanup,
  }) => {
    const { TZ } = process.env
    process.env.TZ = 'Asia/Kolkata'
    cleanup(() => {
      if (TZ === undefined) delete process.env.TZ
      else process.env.TZ = TZ
    })
    for (const [given, meant] of [
      ['2099-03-01', '2099-03-01T00:00:00.000Z'],
      ['2099-03-01T12:00', '2099-03-01T12:00:00.000Z'],
      ['2099-03-01 12:00:30', '2099-03-01T12:00:30.000Z'],
      ['2099-03-01T12:00:00.5', '2099-03-01T12:00:00.500Z'],
      ['2099-03-01T00:30:00+02:00', '2099-02-28T22:30:00.000Z'],
    ]) {
      const created = await asAdmin.post('/api-keys', { name: 'one', expires_at: given })
      created.assertStatus(201)
      created.assertBodyContains({ data: { api_key: { expires_at: meant } } })
    }
  })

  for (const [what, body, field] of [
    ['no name', {}, 'name'],
    ['an empty name', { name: ' ' }, 'name'],
    ['control characters in the name', { name: 'a\nb' }, 'name'],
    ['a long name', { name: 'x'.repeat(256) }, 'name'],
    ['an unknown operation', { operations: ['read'] }, 'operations'],
    ['an unknown zone', { zones: [2147483647] }, 'zones'],
    ['an unknown zone name', { zones: ['nothing.test'] }, 'zones'],
    ['an id beyond all', { zones: [9007199254740991] }, 'zones'],
    ['a pattern that is none', { patterns: [{ name: 'a*.example' }] }, 'patterns.0.name'],
    ['an unknown type', { patterns: [{ name: '*', types: ['NOPE'] }] }, 'patterns.0.types'],
    ['a network that is none', { networks: ['192.0.2.0/33'] }, 'networks.0'],
    ['no moment', { expires_at: 'tomorrow' }, 'expires_at'],
    ['a day that no month has', { expires_at: '2099-02-31' }, 'expires_at'],
    ['a moment on such a day', { expires_at: '2099-02-29T12:00:00Z' }, 'expires_at'],
    ['a zone that is nothing', { zones: [null] }, "'zones.0' must be the id or the name of a zone"],
    ['a moment beyond all years', { expires_at: '9999-12-31T23:59:59-12:00' }, 'expires_at'],
    ['a moment that is over', { expires_at: '2020-01-01' }, 'in the past'],
    ['no idle days', { idle_days: 0 }, 'idle_days'],
    ['an owner that is no number', { user_id: 'me' }, 'user_id'],
    ['read_only that is no flag', { read_only: 'maybe' }, 'read_only'],
  ] as [string, object, string][]) {
    test(`${what} gets 400 with its name`, async ({ assert }) => {
      const name = 'name' in body || what === 'no name' ? {} : { name: 'one' }
      const response = await asAdmin.post('/api-keys', { enabled: true, ...name, ...body })
      response.assertStatus(400)
      assert.include(response.body().message, field)
    })
  }

  test('a dry run validates everything and creates nothing; a repeat does not return the key again', async ({
    client,
    assert,
  }) => {
    const { as, who: user } = await manager(client)
    const count = async () => {
      const [row] = await db.from('zw_api_keys').where('user_id', user.id).count('* as total')
      return Number(row.total)
    }
    await expectStatus(as.post('/api-keys?dry_run=true', { name: 'one' }), 200)
    await expectStatus(as.post('/api-keys', { name: '', dry_run: true }), 400)
    assert.equal(await count(), 1)
    const repeated = () =>
      as.post('/api-keys', { name: 'one' }).header('idempotency-key', `${user.username}-1`)
    const first = await repeated()
    first.assertStatus(201)
    const second = await repeated()
    assert.notInclude(second.text(), first.body().data.key)
    const conditional = await as
      .put(`/api-keys/${user.keyId}`, { name: 'x' })
      .header('if-match', '*')
    conditional.assertStatus(400)
  })
})
