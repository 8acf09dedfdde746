// @databases @api-backend
import { test } from '@japa/runner'
import { caller, createRecord, createZone, type Caller } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, keyFor, person, type Person } from '#tests/support/app/people/people'
import { journalOf, serialOf, lastEntryOf } from '#tests/support/app/zones/zones'

const A = { name: 'www', type: 'A', content: '192.0.2.1', ttl: 300 }
const A_MINUTE = 60_000

const set = (ttl: number, ...contents: string[]) => ({
  ttl,
  records: contents.map((content) => ({ content, priority: 0, disabled: false })),
})

test.group('Journal', (group) => {
  let admin: Person
  let as: Caller
  let zone: { id: number; name: string }
  group.setup(async () => {
    admin = await administrator()
  })
  group.each.setup(async (t) => {
    as = caller(t.context.client, admin)
    zone = await createZone(as, { name: zoneNamed() })
  })

  test('an entry has the user, key, address, channel and time', async ({ client, assert }) => {
    const manager = await person({ template: 'Zone Manager' })
    const second = await keyFor(manager)
    const ownZone = await createZone(caller(client, manager), { name: zoneNamed() })
    await createRecord(caller(client, second), ownZone, A)
    const [created, changed, ...more] = await journalOf(ownZone.id)
    assert.lengthOf(more, 0)
    for (const [entry, key] of [
      [created, manager.keyId],
      [changed, second.id],
    ] as const) {
      assert.containsSubset(entry, {
        zone_name: ownZone.name,
        user_id: manager.id,
        username: manager.username,
        api_key_id: key,
        address: '127.0.0.1',
        channel: 'api',
      })
      assert.isAtMost(Math.abs(Date.now() - Date.parse(entry.time)), A_MINUTE)
      assert.match(entry.time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    }
  })

  test('the address does not come from headers', async ({ client, assert }) => {
    const response = await client
      .post(`/api/v2/zones/${zone.id}/records`)
      .header('x-api-key', admin.key)
      .header('x-forwarded-for', '203.0.113.7')
      .json(A)
    response.assertStatus(201)
    const { address } = await lastEntryOf(zone.id)
    assert.equal(address, '127.0.0.1')
  })

  test('each applied change has one numbered entry with the RRsets before and after', async ({
    assert,
  }) => {
    const path = `/zones/${zone.id}/records`
    const serial = await serialOf(zone.id)
    const first = await createRecord(as, zone, A)
    const second = await createRecord(as, zone, { ...A, content: '192.0.2.2', ttl: 60 })
    await as.put(`${path}/${second.id}`, { name: 'web', ttl: 10 })
    await as.delete(`${path}/${first.id}`)
    const name = `www.${zone.name}`
    const entries = await journalOf(zone.id)
    const summaries = entries.map((entry) => ({
      entry: entry.entry,
      serials: [entry.serial_before, entry.serial_after],
      zone: [entry.zone_before, entry.zone_after === null],
      changes: entry.changes,
    }))
    assert.deepEqual(summaries.slice(1), [
      {
        entry: 2,
        serials: [serial, serial + 1],
        zone: [null, true],
        changes: [{ name, type: 'A', before: null, after: set(300, '192.0.2.1') }],
      },
      {
        entry: 3,
        serials: [serial + 1, serial + 2],
        zone: [null, true],
        changes: [
          {
            name,
            type: 'A',
            before: set(300, '192.0.2.1'),
            after: set(60, '192.0.2.1', '192.0.2.2'),
          },
        ],
      },
      {
        entry: 4,
        serials: [serial + 2, serial + 3],
        zone: [null, true],
        changes: [
          {
            name: `web.${zone.name}`,
            type: 'A',
            before: null,
            after: set(10, '192.0.2.2'),
          },
          {
            name,
            type: 'A',
            before: set(60, '192.0.2.1', '192.0.2.2'),
            after: set(60, '192.0.2.1'),
          },
        ],
      },
      {
        entry: 5,
        serials: [serial + 3, serial + 4],
        zone: [null, true],
        changes: [{ name, type: 'A', before: set(60, '192.0.2.1'), after: null }],
      },
    ])
  })

  test('each zone numbers its entries separately', async ({ assert }) => {
    const otherZone = await createZone(as, { name: zoneNamed() })
    await createRecord(as, zone, A)
    await createRecord(as, otherZone, A)
    await createRecord(as, zone, { ...A, name: 'b' })
    const numbers = async (id: number) => {
      const entries = await journalOf(id)
      return entries.map(({ entry }) => entry)
    }
    assert.deepEqual(await numbers(zone.id), [1, 2, 3])
    assert.deepEqual(await numbers(otherZone.id), [1, 2])
  })

  test('a new zone with an old name starts a new journal', async ({ assert }) => {
    await createRecord(as, zone, A)
    await as.delete(`/zones/${zone.id}`)
    const again = await createZone(as, { name: zone.name })
    const [old, young] = [await journalOf(zone.id), await journalOf(again.id)]
    assert.deepEqual(
      old.map(({ entry }) => entry),
      [1, 2, 3]
    )
    assert.deepEqual(
      young.map(({ entry }) => entry),
      [1]
    )
    assert.notEqual(old[0].zone_uid, young[0].zone_uid)
  })

  test('refused writes and writes without a change have no entry', async ({ client, assert }) => {
    const { id } = await createRecord(as, zone, A)
    const before = await journalOf(zone.id)
    const path = `/zones/${zone.id}/records`
    const stranger = caller(client, await person({ template: 'Zone Manager' }))
    const viewer = caller(client, await person({ permissions: ['zone_content_view_others'] }))
    const reader = caller(client, await keyFor(admin, { readOnly: true }))
    const refused = [
      [await as.post(path, { ...A, content: 'bad' }), 400],
      [await as.post(path, A), 409],
      [await as.put(`${path}/999999999`, A), 404],
      [await stranger.post(path, { ...A, name: 'b' }), 404],
      [await viewer.post(path, { ...A, name: 'b' }), 403],
      [await reader.delete(`${path}/${id}`), 403],
      [await as.put(`${path}/${id}`, A), 200],
      [await as.put(`/zones/${zone.id}`, { name: zone.name }), 200],
      [await as.get(path), 200],
    ] as const
    refused.forEach(([response, status]) => response.assertStatus(status))
    assert.deepEqual(await journalOf(zone.id), before)
  })

  test('an entry has priorities, states and texts', async ({ assert }) => {
    await createRecord(as, zone, {
      name: '@',
      type: 'MX',
      content: 'mail.example.net',
      priority: 7,
      disabled: true,
    })
    const { id } = await createRecord(as, zone, { name: 'u', type: 'TXT', content: 'Größe ☃' })
    await as.put(`/zones/${zone.id}/records/${id}`, { content: 'x"y'.replace('"', '\\"') })
    const [, mx, , txt] = await journalOf(zone.id)
    assert.deepEqual(mx.changes[0].after?.records, [
      { content: 'mail.example.net', priority: 7, disabled: true },
    ])
    assert.equal(txt.changes[0].after?.records[0].content, '"x\\"y"')
  })
})
