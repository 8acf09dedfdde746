import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { maintainer } from '#access/actor'
import { createUser } from '#accounts/users/named_users'
import { refusedCalls } from '#audit/refused_calls'
import { caller, expectStatus, createRecord, createZone, type Caller } from '#tests/support/app/api'
import { eventsWith } from '#tests/support/app/audit'
import { zoneTables } from '#tests/support/app/backend'
import { unique, zoneNamed } from '#tests/support/app/names'
import { administrator, keyFor, person, type Person } from '#tests/support/app/people/people'
import { lastEntryOf } from '#tests/support/app/zones/zones'
import { eventually } from '#tests/support/eventually'

const A = { name: 'www', type: 'A', content: '192.0.2.1', ttl: 300 }

/** Returns the whole audit log as text. */
async function wholeLog(): Promise<string> {
  return JSON.stringify([await eventsWith({}), await db.from('zw_audit_chain')])
}

test.group('Audit events of changes', (group) => {
  let admin: Person
  let as: Caller
  let zone: { id: number; name: string }
  group.each.setup(async (t) => {
    admin = await administrator()
    as = caller(t.context.client, admin)
    zone = await createZone(as, { name: zoneNamed() })
  })

  const ofZone = () => eventsWith({ object_kind: 'zone', object_name: zone.name })

  test('each write of a zone is one event with the zone and the journal entry', async ({
    assert,
  }) => {
    await createRecord(as, zone, A)
    await expectStatus(as.put(`/zones/${zone.id}`, { description: 'ours' }), 200)
    const { entry } = await lastEntryOf(zone.id)
    await expectStatus(as.delete(`/zones/${zone.id}`), 204)
    const [trashed] = await db.from('zw_trash').where('zone_name', zone.name)
    await expectStatus(as.post(`/trash/${trashed.id}/restore`, {}), 201)
    const events = await ofZone()
    assert.equal(entry, 3)
    assert.deepEqual(
      events.map(({ action, detail }) => [action, detail]),
      [
        ['zone.created', { entry: 1 }],
        ['zone.owner_added', { user_id: admin.id }],
        ['zone.changed', { entry: 2 }],
        ['zone.changed', { entry: 3, properties: true }],
        ['zone.deleted', { entry: 4 }],
        ['zone.restored', { entry: 5 }],
        ['zone.owner_added', { user_id: admin.id }],
      ]
    )
    for (const event of events) {
      assert.deepInclude(event, {
        user_id: admin.id,
        username: admin.username,
        api_key_id: admin.keyId,
        address: '127.0.0.1',
        channel: 'api',
        object_id: zone.id,
        outcome: 'success',
      })
      assert.match(event.time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    }
  })

  test('dry runs, refused writes and writes without a change create no zone event', async ({
    assert,
  }) => {
    await createRecord(as, zone, A)
    const before = await ofZone()
    await expectStatus(as.post(`/zones/${zone.id}/records?dry_run=true`, { ...A, name: 'b' }), 200)
    await expectStatus(as.post(`/zones/${zone.id}/records`, { ...A, content: 'x' }), 400)
    await expectStatus(as.put(`/zones/${zone.id}/rrsets`, { ...A, records: [A] }), 200)
    assert.deepEqual(await ofZone(), before)
  })

  test('a zone deleted permanently creates an event', async ({ assert }) => {
    await expectStatus(as.delete(`/zones/${zone.id}`), 204)
    const [trashed] = await db.from('zw_trash').where('zone_name', zone.name)
    await expectStatus(as.delete(`/trash/${trashed.id}`), 204)
    const events = await ofZone()
    assert.equal(events.at(-1)?.action, 'zone.discarded')
  })

  test('users and keys create events without their secrets', async ({ assert }) => {
    const password = unique('canary-password')
    const username = unique('user')
    const { id } = await createUser(
      { username, password, email: null, active: true, template: 'Viewer', groups: ['Editors'] },
      maintainer()
    )
    const { id: keyId, key } = await keyFor({ username }, { readOnly: true, zones: [zone] })
    const [user] = await eventsWith({ action: 'user.created', object_id: id })
    assert.deepInclude(user, { object_name: username, username: 'maintainer', channel: 'cli' })
    assert.deepEqual(user.detail, { template_id: 4, group_ids: [3], active: true })
    const [created] = await eventsWith({ action: 'key.created', object_id: keyId })
    assert.deepInclude(created.detail, {
      user_id: id,
      username,
      read_only: true,
      zones: [zone.id],
    })
    const { password: passwordHash } = await db.from('zw_users').where('id', id).firstOrFail()
    const { secret_hash: keyHash } = await db.from('zw_api_keys').where('id', keyId).firstOrFail()
    const log = await wholeLog()
    for (const secret of [password, passwordHash, key, key.slice(12), keyHash]) {
      assert.notInclude(log, secret)
    }
  })

  test('a failed creation of a user creates no event', async ({ assert }) => {
    const username = unique('user')
    const attempt = createUser(
      { username, password: 'x', email: null, active: true, template: null, groups: ['Nobody'] },
      maintainer()
    )
    await assert.rejects(() => attempt, /Group not found: Nobody/)
    assert.lengthOf(await eventsWith({ object_name: username }), 0)
  })
})

test.group('Audit events of refused requests', (group) => {
  let admin: Person
  let zone: { id: number; name: string }
  group.each.setup(async (t) => {
    await refusedCalls.flush()
    admin = await administrator()
    zone = await createZone(caller(t.context.client, admin), { name: zoneNamed() })
  })

  const denialsOf = ({ username }: Pick<Person, 'username'>) =>
    eventsWith({ action: 'access.denied', username })

  test('repeated forbidden calls create one event', async ({ client, assert }) => {
    const viewer = await person({ permissions: ['zone_content_view_others'] })
    const as = caller(client, viewer)
    for (let times = 0; times < 5; times++) {
      await expectStatus(as.post(`/zones/${zone.id}/records`, A), 403)
    }
    const denials = await denialsOf(viewer)
    assert.lengthOf(denials, 2)
    const [first, counted] = denials
    assert.deepInclude(first, {
      user_id: viewer.id,
      api_key_id: viewer.keyId,
      address: '127.0.0.1',
      channel: 'api',
      object_kind: 'zone',
      object_id: zone.id,
      object_name: zone.name,
      outcome: 'denied',
    })
    assert.deepEqual(first.detail, {
      asked: 'zone.edit_records',
      rule: 'permission',
      hidden: false,
      call: 'POST /api/v2/zones/:id/records',
    })
    assert.equal(counted.detail.repeated, 4)
  })

  test('a request for a hidden zone creates an event, a missing zone does not', async ({
    client,
    assert,
  }) => {
    const guest = await person()
    const as = caller(client, guest)
    await expectStatus(as.get(`/zones/${zone.id}`), 404)
    await expectStatus(as.get('/zones/2147483647'), 404)
    const denials = await denialsOf(guest)
    assert.lengthOf(denials, 1)
    assert.deepInclude(denials[0], { object_id: zone.id })
    assert.isTrue(denials[0].detail.hidden)
    const actions = [{ op: 'clear', zone_id: zone.id, name: `www.${zone.name}`, type: 'A' }]
    await expectStatus(as.post('/changes', { actions }), 404)
    const again = await denialsOf(guest)
    assert.lengthOf(again, 2)
    assert.deepInclude(again[1], { object_id: zone.id })
    assert.equal(again[1].detail.call, 'POST /api/v2/changes')
  })

  test('a key without the right creates an event: method, zone, and inside of a change set', async ({
    client,
    assert,
  }) => {
    const readOnly = await keyFor(admin, { readOnly: true })
    const otherZone = await createZone(caller(client, admin), { name: zoneNamed() })
    const narrowed = await keyFor(admin, { zones: [otherZone] })
    const noDeletes = await keyFor(admin, { operations: ['view', 'create', 'update'] })
    await createRecord(caller(client, admin), zone, A)
    await expectStatus(caller(client, readOnly).delete(`/zones/${zone.id}`), 403)
    await expectStatus(caller(client, narrowed).get(`/zones/${zone.id}`), 403)
    await expectStatus(caller(client, narrowed).get('/zones/99999999999999999'), 403)
    await expectStatus(caller(client, narrowed).post('/zones', { name: zoneNamed() }), 403)
    const { id } = await db
      .from(zoneTables.records)
      .where({ domain_id: zone.id, type: 'A' })
      .firstOrFail()
    const operations = [{ action: 'delete', id }]
    const bulk = caller(client, noDeletes).post(`/zones/${zone.id}/records/bulk`, { operations })
    await expectStatus(bulk, 403)
    const clear = [{ op: 'clear', name: `www.${zone.name}`, type: 'A' }]
    await expectStatus(caller(client, noDeletes).post('/changes', { actions: clear }), 403)
    const denials = await denialsOf(admin)
    assert.sameDeepMembers(
      denials.map((event) => [event.api_key_id, event.object_id]),
      [
        [readOnly.id, null],
        [narrowed.id, zone.id],
        [narrowed.id, null],
        [narrowed.id, null],
        [noDeletes.id, null],
        [noDeletes.id, null],
      ]
    )
  })

  test('rejected credentials create an event without the credentials', async ({
    client,
    assert,
  }) => {
    const canary = unique('canary')
    const key = `pwa_${'ab'.repeat(32)}`
    const ask = (name: string, value: string) => client.get('/api/v2/zones').header(name, value)
    await expectStatus(client.get('/api/v2/zones'), 401)
    for (const [name, value, detail] of [
      ['x-api-key', key, { method: 'api-key', key_prefix: 'pwa_abababab' }],
      ['authorization', `Bearer ${key}`, { method: 'bearer', key_prefix: 'pwa_abababab' }],
      ['x-api-key', canary, { method: 'api-key' }],
      ['authorization', `Basic ${canary}`, { method: 'basic' }],
      ['authorization', canary, { method: 'other' }],
    ] as const) {
      await expectStatus(ask(name, value), 401)
      const events = await eventsWith({ action: 'login.failed' })
      const event = events.at(-1)
      assert.deepInclude(event, {
        user_id: null,
        username: null,
        address: '127.0.0.1',
        outcome: 'failed',
        detail: { ...detail, call: 'GET /api/v2/zones' },
      })
    }
    const before = await eventsWith({ action: 'login.failed' })
    await expectStatus(client.get('/api/v2/zones'), 401)
    assert.lengthOf(await eventsWith({ action: 'login.failed' }), before.length)
    const log = await wholeLog()
    assert.notInclude(log, canary)
    assert.notInclude(log, key.slice(12))
  })

  test('a failure of the audit log does not prevent the response', async ({ client, assert }) => {
    const guest = await person()
    await db.connection().schema.renameTable('zw_audit', 'zw_audit_away')
    try {
      await expectStatus(caller(client, guest).get(`/zones/${zone.id}`), 404)
      await refusedCalls.flush()
    } finally {
      await db.connection().schema.renameTable('zw_audit_away', 'zw_audit')
    }
    await expectStatus(caller(client, guest).get(`/zones/${zone.id}`), 404)
    await eventually(async () => {
      const rows = await db.from('zw_audit').where({ username: guest.username })
      assert.lengthOf(rows, 1)
    })
  })
})
