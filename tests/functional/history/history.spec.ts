// @databases @api-backend(all)
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { caller, dataOf, createRecord, createZone, type Caller } from '#tests/support/app/api'
import {
  newest,
  restore,
  historyEntries,
  undo,
  writeExternally,
} from '#tests/support/app/zones/history'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, keyFor, person, type Person } from '#tests/support/app/people/people'
import { stateOf } from '#tests/support/app/zones/zones'

const A = { name: 'www', type: 'A', content: '192.0.2.1', ttl: 300 }

test.group('GET /zones/:id/history', (group) => {
  let admin: Person
  let as: Caller
  let zone: { id: number; name: string }
  let path: string
  group.each.setup(async (t) => {
    admin = await administrator()
    as = caller(t.context.client, admin)
    zone = await createZone(as, { name: zoneNamed() })
    path = `/zones/${zone.id}/history`
  })

  const numbers = (entries: { entry: number }[]) => entries.map(({ entry }) => entry)
  const found = async (query: string) => numbers(await historyEntries(as, zone, query))

  test('an entry has the documented shape', async ({ assert }) => {
    const created = await as
      .post(`/zones/${zone.id}/records`, A)
      .header('x-change-reason', 'ticket 7')
    created.assertStatus(201)
    const one = await as.get(`${path}/2`)
    one.assertStatus(200)
    const { entry } = one.body().data
    const { time, serial_before: serial, ...rest } = entry
    assert.match(time, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.deepEqual(rest, {
      entry: 2,
      zone_id: zone.id,
      zone_name: zone.name,
      actor: {
        user_id: admin.id,
        username: admin.username,
        api_key_id: admin.keyId,
        address: '127.0.0.1',
      },
      channel: 'api',
      reason: 'ticket 7',
      serial_after: serial + 1,
      origin: { kind: null, id: null },
      changes: [
        {
          name: `www.${zone.name}`,
          type: 'A',
          before: null,
          after: { ttl: 300, records: [{ content: '192.0.2.1', priority: 0, disabled: false }] },
          operations: ['create'],
        },
      ],
    })
    const list = await as.get(path)
    const [head] = list.body().data.entries
    assert.deepEqual({ ...head, changes: entry.changes }, entry)
    assert.notProperty(head, 'changes')
    assert.deepEqual(await historyEntries(as, zone, '&per_page=1'), [entry])
  })

  test('entries show properties, but neither owners nor metadata', async ({ assert }) => {
    await as.put(`/zones/${zone.id}`, { description: 'new' })
    const [change, creation] = await historyEntries(as, zone)
    assert.deepEqual(change.properties, {
      before: { description: null },
      after: { description: 'new' },
    })
    assert.equal(creation.properties.before, null)
    assert.sameMembers(Object.keys(creation.properties.after), [
      'name',
      'kind',
      'masters',
      'account',
      'description',
    ])
  })

  test('entries are paged and walked, newest first and complete', async ({ assert }) => {
    for (let i = 0; i < 6; i++) await createRecord(as, zone, { ...A, name: `n${i}` })
    const second = await as.get(`${path}?per_page=3&page=2`)
    assert.deepEqual(numbers(second.body().data.entries), [4, 3, 2])
    assert.deepEqual(second.body().pagination, {
      current_page: 2,
      per_page: 3,
      total: 7,
      last_page: 3,
    })
    const seen: number[] = []
    let cursor = ''
    for (let pages = 0; pages < 10; pages++) {
      const page = await as.get(`${path}?per_page=3${cursor}`)
      page.assertStatus(200)
      seen.push(...numbers(page.body().data.entries))
      const { next_cursor: next } = page.body().data
      if (next === null) break
      cursor = `&cursor=${next}`
      if (pages === 0) await createRecord(as, zone, { ...A, name: 'meanwhile' })
    }
    assert.deepEqual(seen, [7, 6, 5, 4, 3, 2, 1])
    const filtered = await as.get(`${path}?per_page=2&name=n1`)
    assert.equal(filtered.body().pagination.total, 1)
    assert.equal(filtered.body().data.next_cursor, null)
  })

  test('entries are filtered by name, type, user, channel and time', async ({ client, assert }) => {
    const otherUser = await administrator()
    await createRecord(as, zone, A)
    await createRecord(as, zone, { ...A, type: 'TXT', content: 'x' })
    await createRecord(caller(client, otherUser), zone, { ...A, name: 'WWW2' })
    await writeExternally(zone, { name: 'out', type: 'A', content: '192.0.2.1' })
    assert.deepEqual(await found(''), [5, 4, 3, 2, 1])
    assert.deepEqual(await found('&name=www'), [3, 2])
    assert.deepEqual(await found(`&name=WWW.${zone.name}.`), [3, 2])
    assert.deepEqual(await found('&name=www&type=txt'), [3])
    assert.deepEqual(await found('&type=A'), [5, 4, 2])
    assert.deepEqual(await found('&name=@'), [1])
    assert.deepEqual(await found(`&user=${otherUser.username}`), [4])
    assert.deepEqual(await found('&channel=external'), [5])
    assert.deepEqual(await found('&channel=web'), [])
    const [last, , , second] = await historyEntries(as, zone)
    assert.deepEqual(await found(`&since=${last.time}`), [5])
    assert.include(await found(`&until=${second.time}`), 2)
    assert.notInclude(await found(`&until=${second.time}`), 5)
    assert.deepEqual(await found('&since=2999-01-01'), [])
    assert.deepEqual(await found('&until=2000-01-01T00:00:00Z'), [])
  })

  test('filters include undo, restore and the trash', async ({ assert }) => {
    await createRecord(as, zone, A)
    await createRecord(as, zone, { ...A, name: 'other', type: 'TXT', content: 'x' })
    await undo(as, zone, 3)
    await restore(as, zone, { entry: 3 })
    await as.put(`/zones/${zone.id}`, { description: 'new' })
    await as.delete(`/zones/${zone.id}`)
    const trashed: { id: number; zone_id: number }[] = await dataOf(as.get('/trash'), 'zones')
    const { id } = trashed.find((one) => one.zone_id === zone.id)!
    const restoreResponse = await as.post(`/trash/${id}/restore`, {})
    restoreResponse.assertStatus(201)
    zone = { ...zone, id: restoreResponse.body().data.zone_id }
    path = `/zones/${zone.id}/history`
    const { username } = admin
    const expected: [query: string, entries: number[]][] = [
      ['&name=www', [8, 7, 2]],
      ['&name=other', [8, 7, 5, 4, 3]],
      ['&type=TXT', [8, 7, 5, 4, 3]],
      ['&name=www&type=TXT', []],
      [`&name=other&user=${username}&channel=api`, [8, 7, 5, 4, 3]],
      ['&type=A&channel=web', []],
      ['&action=create', [8, 1]],
      ['&action=delete', [7]],
      ['&action=properties', [6]],
      ['&action=undo', [4]],
      ['&name=other&action=undo', [4]],
      ['&name=www&action=undo', []],
    ]
    for (const [query, entries] of expected) {
      assert.deepEqual(await found(query), entries, query)
      const page = await as.get(`${path}?per_page=2${query}`)
      assert.deepEqual(numbers(page.body().data.entries), entries.slice(0, 2), query)
      assert.equal(page.body().pagination.total, entries.length, query)
      const rest = await as.get(`${path}?cursor=8&page=&per_page=100${query}`)
      assert.deepEqual(
        numbers(rest.body().data.entries),
        entries.filter((entry) => entry < 8),
        query
      )
    }
  })

  test('a filter by name includes renames of the zone', async ({ assert }) => {
    await createRecord(as, zone, A)
    const names = [zoneNamed('b'), zoneNamed('c'), zone.name]
    for (const name of names) {
      const renamed = await as.put(`/zones/${zone.id}`, { name })
      renamed.assertStatus(200)
      await as.put(`/zones/${zone.id}`, { description: name })
      const records = [{ content: '192.0.2.1' }, { content: `192.0.2.${names.indexOf(name) + 2}` }]
      const set = await as.put(`/zones/${zone.id}/rrsets`, { name: 'www', type: 'A', records })
      set.assertStatus(200)
    }
    assert.deepEqual(await found('&action=rename'), [9, 6, 3])
    assert.deepEqual(await found('&action=properties'), [10, 7, 4])
    for (const filter of ['name=www', 'name=www&type=A', `name=www.${zone.name}.&channel=api`]) {
      assert.deepEqual(await found(`&${filter}`), [11, 8, 5, 2], filter)
      assert.deepEqual(await found(`&${filter}&cursor=8`), [5, 2], filter)
      for (const [page, entries] of [[11], [8], [5], [2], []].entries()) {
        const one = await as.get(`${path}?${filter}&per_page=1&page=${page + 1}`)
        assert.deepEqual(numbers(one.body().data.entries), entries, `${filter}, page ${page + 1}`)
        assert.equal(one.body().pagination.total, 4, filter)
      }
    }
    assert.deepEqual(await found('&name=nowhere'), [])
  }).tags(['@sql'])

  test('times with and without an offset are accepted, others are refused', async ({ assert }) => {
    const { entries } = { entries: await historyEntries(as, zone) }
    const moment = Date.parse(entries[0].time)
    const local = new Date(moment + 5.5 * 3_600_000).toISOString().replace('Z', '')
    for (const time of [`${local}%2B05:30`, `${local}%2B0530`, `${local}+05:30`]) {
      assert.deepEqual(await found(`&since=${time}&until=${time}`), [1], time)
    }
    const day = new Date(moment).toISOString().slice(0, 10)
    assert.deepEqual(await found(`&since=${day}`), [1])
    assert.deepEqual(await found(`&until=${day}`), [])
    const bad = [
      'yesterday',
      '2026-02-30',
      '2026-13-01T00:00:00Z',
      '1',
      '20261120',
      '2026-01-01T25:00Z',
    ]
    for (const text of bad) {
      const response = await as.get(`${path}?since=${text}`)
      response.assertStatus(400)
      assert.include(response.body().message, `'since'`)
      assert.include(response.body().message, text)
    }
  })

  test('invalid query parameters get 400 with the allowed values', async ({ assert }) => {
    const bad = ['channel=window', 'include=all', 'cursor=x', 'cursor=3&page=2', 'name=a..b']
    for (const query of bad) {
      const response = await as.get(`${path}?${query}`)
      response.assertStatus(400)
      assert.include(response.body().message, query.split('=')[0], query)
    }
    for (const entry of ['0', '99', '999999999', '9999999999', 'x']) {
      const response = await as.get(`${path}/${entry}`)
      response.assertStatus(404)
    }
  })

  test('entries of another zone are hidden', async ({ assert }) => {
    const otherZone = await createZone(as, { name: zoneNamed() })
    await createRecord(as, otherZone, A)
    assert.deepEqual(await found(''), [1])
    const missing = await as.get(`${path}/2`)
    missing.assertStatus(404)
  })

  const READS = ['history?include=changes', 'history/2', 'at?entry=2', 'diff?from=1']
  const SEES = ['zone_content_view_others'] as const

  test('reading requires the history permission, undo requires the edit permission', async ({
    client,
    assert,
  }) => {
    const owner = await person({ template: 'Zone Manager' })
    const ownZone = await createZone(caller(client, owner), { name: zoneNamed() })
    await createRecord(caller(client, owner), ownZone, A)
    const rights = [
      { may: ['zone_content_view_others'], reads: 403, writes: 403 },
      { may: [...SEES, 'zone_logs_view_others'], reads: 200, writes: 403 },
      { may: ['zone_content_edit_others'], reads: 403, writes: 403 },
      { may: ['zone_logs_view_own', 'zone_content_edit_own'], reads: 404, writes: 404 },
      { may: ['zone_logs_view_others', 'zone_content_edit_others'], reads: 403, writes: 403 },
      {
        may: [...SEES, 'zone_logs_view_others', 'zone_content_edit_others'],
        reads: 200,
        writes: 200,
      },
    ] as const
    for (const { may, reads, writes } of rights) {
      const asSomeUser = caller(client, await person({ permissions: [...may] }))
      for (const read of READS) {
        const response = await asSomeUser.get(`/zones/${ownZone.id}/${read}`)
        assert.equal(response.status(), reads, `${may} ${read}`)
      }
      const dry = { dry_run: true }
      const undoResponse = await undo(asSomeUser, ownZone, 2, dry)
      assert.equal(undoResponse.status(), writes, `${may} undo`)
      const restored = await restore(asSomeUser, ownZone, { entry: 1, ...dry })
      assert.equal(restored.status(), writes, `${may} restore`)
    }
    assert.equal(await newest(ownZone), 2)
  })

  test('viewers read the history of an own zone but cannot undo', async ({ client, assert }) => {
    const viewer = await person({ template: 'Viewer' })
    await db.table('zw_zone_owners').insert({
      zone_id: zone.id,
      user_id: viewer.id,
      created_at: new Date().toISOString(),
    })
    await createRecord(as, zone, A)
    const before = await stateOf(zone.id)
    for (const read of READS) {
      const response = await caller(client, viewer).get(`/zones/${zone.id}/${read}`)
      response.assertStatus(200)
    }
    const undoResponse = await undo(caller(client, viewer), zone, 2)
    undoResponse.assertStatus(403)
    const restored = await restore(caller(client, viewer), zone, { entry: 1 })
    restored.assertStatus(403)
    assert.deepEqual(await stateOf(zone.id), before)
  })

  test('only full editors undo changes of NS and SOA records', async ({ client, assert }) => {
    const editor = await person({ template: 'Editor' })
    await db.table('zw_zone_owners').insert({
      zone_id: zone.id,
      user_id: editor.id,
      created_at: new Date().toISOString(),
    })
    await createRecord(as, zone, { name: '@', type: 'NS', content: 'ns9.example.net' })
    await createRecord(as, zone, A)
    const name = undo(caller(client, editor), zone, 2)
    const response = await name
    response.assertStatus(403)
    const wholeResponse = await restore(caller(client, editor), zone, { entry: 1 })
    wholeResponse.assertStatus(403)
    const address = await undo(caller(client, editor), zone, 3)
    address.assertStatus(200)
    assert.equal(await newest(zone), 4)
  })

  test('the restrictions of keys apply', async ({ client, assert }) => {
    const otherZone = await createZone(as, { name: zoneNamed() })
    const { id } = await createRecord(as, zone, A)
    await as.put(`/zones/${zone.id}/records/${id}`, { content: '192.0.2.2' })
    const using = async (restrictions: Parameters<typeof keyFor>[1]) =>
      caller(client, await keyFor(admin, restrictions))
    const reader = await using({ readOnly: true })
    const read = await reader.get(path)
    read.assertStatus(200)
    const elsewhere = await using({ zones: [otherZone] })
    for (const query of READS) {
      const hidden = await elsewhere.get(`/zones/${zone.id}/${query}`)
      hidden.assertStatus(403)
    }
    const creator = await using({ operations: ['view', 'create'] })
    const updater = await using({ operations: ['update'] })
    const deleter = await using({ operations: ['delete'] })
    for (const [key, entry, status] of [
      [reader, 3, 403],
      [elsewhere, 3, 403],
      [creator, 3, 403],
      [deleter, 3, 403],
      [updater, 3, 200],
      [updater, 2, 403],
      [deleter, 2, 200],
      [deleter, 5, 403],
      [creator, 5, 200],
    ] as const) {
      const response = await undo(key, zone, entry)
      assert.equal(response.status(), status, `entry ${entry}`)
    }
    const blind = await updater.get(path)
    blind.assertStatus(403)
  })

  test('a history of many entries is returned without a count', async ({ assert }) => {
    const uid = await uidOf(zone.id)
    const rows = Array.from({ length: 3000 }, (_, index) => entryRow(zone, uid, index + 2))
    for (let i = 0; i < rows.length; i += 100) {
      await db.table('zw_journal').multiInsert(rows.slice(i, i + 100))
    }
    await db.from('zw_zones').where('id', zone.id).update({ last_entry: 3001 })
    const first = await as.get(`${path}?per_page=10`)
    assert.equal(first.body().pagination.total, 3001)
    assert.equal(first.body().data.next_cursor, '2992')
    const next = await as.get(`${path}?per_page=10&cursor=2992`)
    assert.deepEqual(numbers(next.body().data.entries)[0], 2991)
    assert.notProperty(next.body(), 'pagination')
    const beyond = await as.get(`${path}?per_page=10&cursor=999999999`)
    assert.deepEqual(numbers(beyond.body().data.entries)[0], 3001)
    const last = await as.get(`${path}?per_page=10&page=301`)
    assert.deepEqual(numbers(last.body().data.entries), [1])
    assert.isNull(last.body().data.next_cursor)
    for (const page of ['302', '99999999999999']) {
      const empty = await as.get(`${path}?per_page=10000&page=${page}`)
      empty.assertStatus(200)
      assert.deepEqual(empty.body().data.entries, [])
    }
  })
})

async function uidOf(id: number): Promise<string> {
  const { uid }: { uid: string } = await db.from('zw_zones').where('id', id).firstOrFail()
  return uid
}

function entryRow(zone: { id: number; name: string }, uid: string, entry: number) {
  return {
    zone_uid: uid,
    entry,
    zone_id: zone.id,
    zone_name: zone.name,
    time: new Date().toISOString(),
    username: 'somebody',
    channel: 'api',
  }
}
