// @databases @api-backend
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import {
  caller,
  dataOf,
  expectStatus,
  createRecord,
  createZone,
  type Caller,
} from '#tests/support/app/api'
import { contentsOf, historyEntries, undo } from '#tests/support/app/zones/history'
import { zoneNamed } from '#tests/support/app/names'
import {
  administrator,
  keyFor,
  person,
  createTeam,
  type Person,
} from '#tests/support/app/people/people'
import { statementsOf } from '#tests/support/app/database/statements'
import { journalOf, ownersOf, rowCounts, serialOf, stateOf } from '#tests/support/app/zones/zones'

const A = { name: 'www', type: 'A', content: '192.0.2.1', ttl: 300 }

interface Zone {
  id: number
  name: string
}

interface TrashItem {
  id: number
  zone_id: number
  zone_name: string
  deleted_at: string
  deleted_by: { user_id: number; username: string }
}

test.group('Trash', (group) => {
  let admin: Person
  let as: Caller
  let zone: Zone
  group.each.setup(async (t) => {
    admin = await administrator()
    as = caller(t.context.client, admin)
    zone = await createZone(as, { name: zoneNamed() })
    await createRecord(as, zone, A)
  })

  async function itemOf(asSomeUser: Caller, { name }: Zone): Promise<TrashItem | undefined> {
    const zones: TrashItem[] = await dataOf(asSomeUser.get('/trash'), 'zones')
    return zones.find((item) => item.zone_name === name)
  }

  async function remove({ id, name }: Zone): Promise<TrashItem> {
    const response = await as.delete(`/zones/${id}`)
    response.assertStatus(204)
    const item = await itemOf(as, { id, name })
    if (!item) throw new Error(`${name} is not in the trash`)
    return item
  }

  const back = (asSomeUser: Caller, { id }: { id: number }, body: object = {}) =>
    asSomeUser.post(`/trash/${id}/restore`, body)

  test('a deleted zone stays in the trash until it is restored', async ({ assert }) => {
    const item = await remove(zone)
    const { deleted_at: time, id, ...rest } = item
    assert.isAtMost(Math.abs(Date.now() - Date.parse(time)), 60_000)
    assert.deepEqual(rest, {
      zone_id: zone.id,
      zone_name: zone.name,
      deleted_by: { user_id: admin.id, username: admin.username },
    })
    const response = await back(as, { id }, { reason: 'a mistake' })
    response.assertStatus(201)
    assert.deepEqual(response.body().data, { zone_id: zone.id })
    assert.isUndefined(await itemOf(as, zone))
    const read = await as.get(`/zones/${zone.id}`)
    assert.equal(response.header('etag'), read.header('etag'))
    const secondResponse = await back(as, { id })
    secondResponse.assertStatus(404)
  })

  test('a restore returns records, metadata, owners and comments, and continues the journal', async ({
    assert,
  }) => {
    const friend = await person()
    const team = await createTeam(['zone_content_view_own'])
    await as.put(`/zones/${zone.id}`, { description: 'text', account: 'somebody' })
    const stamp = { zone_id: zone.id, created_at: new Date().toISOString() }
    await db.table('zw_zone_owners').insert({ ...stamp, user_id: friend.id })
    await db.table('zw_zone_groups').insert({ ...stamp, group_id: team.id })
    await db.table('domainmetadata').multiInsert([
      { domain_id: zone.id, kind: 'ALSO-NOTIFY', content: '192.0.2.7' },
      { domain_id: zone.id, kind: 'ALSO-NOTIFY', content: '192.0.2.8' },
    ])
    await db.table('comments').insert({
      domain_id: zone.id,
      name: `www.${zone.name}`,
      type: 'A',
      modified_at: 1_700_000_000,
      account: 'me',
      comment: 'the web server',
    })
    await db.table('records').insert({
      domain_id: zone.id,
      name: `odd.${zone.name}`,
      type: 'A',
      content: 'not an address',
      ttl: -1,
      prio: 0,
      disabled: true,
      auth: true,
    })
    const parts = async () => ({
      domain: await db.from('domains').where('id', zone.id).first(),
      records: await contentsOf(zone),
      owners: await ownersOf(zone.id),
      metadata: await db
        .from('domainmetadata')
        .where('domain_id', zone.id)
        .orderBy('id')
        .select('kind', 'content'),
      comments: await db
        .from('comments')
        .where('domain_id', zone.id)
        .select('name', 'type', 'modified_at', 'account', 'comment'),
      own: await db
        .from('zw_zones')
        .where('id', zone.id)
        .select('uid', 'description', 'name')
        .first(),
    })
    const before = await parts()
    const serial = await serialOf(zone.id)
    const item = await remove(zone)
    const response = await back(as, item, { reason: 'a mistake' })
    response.assertStatus(201)
    assert.deepEqual(await parts(), before)
    assert.equal(await serialOf(zone.id), serial + 1)
    const entries = await historyEntries(as, zone)
    assert.deepEqual(
      entries.map(({ entry, origin, reason, channel }: Record<string, unknown>) => ({
        entry,
        origin,
        reason,
        channel,
      })),
      [
        { entry: 6, origin: { kind: 'restore', id: 5 }, reason: 'a mistake', channel: 'api' },
        { entry: 5, origin: { kind: null, id: null }, reason: null, channel: 'api' },
        { entry: 4, origin: { kind: null, id: null }, reason: null, channel: 'external' },
        { entry: 3, origin: { kind: null, id: null }, reason: null, channel: 'api' },
        { entry: 2, origin: { kind: null, id: null }, reason: null, channel: 'api' },
        { entry: 1, origin: { kind: null, id: null }, reason: null, channel: 'api' },
      ]
    )
    const older = await undo(as, zone, 2)
    older.assertStatus(200)
    for (const entry of [5, 6]) {
      const refused = await undo(as, zone, entry)
      refused.assertStatus(409)
    }
  }).tags(['@sql'])

  test('the same zone can be deleted and restored repeatedly', async ({ assert }) => {
    for (let i = 0; i < 3; i++) {
      const item = await remove(zone)
      const response = await back(as, item)
      response.assertStatus(201)
    }
    const entries = await journalOf(zone.id)
    assert.lengthOf(new Set(entries.map(({ zone_uid: uid }) => uid)), 1)
    assert.lengthOf(entries, 8)
  })

  test('a dry run restores nothing', async ({ assert }) => {
    const item = await remove(zone)
    const before = await rowCounts()
    const response = await back(as, item, { dry_run: true })
    response.assertStatus(200)
    const [plan] = response.body().data.plan.zones
    assert.equal(plan.zone_name, zone.name)
    assert.lengthOf(plan.changes, 2)
    assert.deepEqual(await rowCounts(), before)
    assert.isDefined(await itemOf(as, zone))
  })

  test('a taken name prevents the restore, and the zone stays in the trash', async ({ assert }) => {
    const item = await remove(zone)
    const namesake = await createZone(as, { name: zone.name })
    const before = await stateOf(namesake.id)
    const response = await back(as, item)
    response.assertStatus(409)
    assert.deepEqual(await stateOf(namesake.id), before)
    await remove(namesake)
    const both = await dataOf(as.get('/trash'), 'zones')
    assert.lengthOf(
      both.filter(({ zone_name: name }: TrashItem) => name === zone.name),
      2
    )
    const now = await back(as, item)
    now.assertStatus(201)
  })

  test('a restored zone gets another id if its id is taken', async ({ assert }) => {
    const item = await remove(zone)
    await db.table('domains').insert({ id: zone.id, name: zoneNamed('thief'), type: 'NATIVE' })
    const response = await back(as, item)
    response.assertStatus(201)
    const { zone_id: id } = response.body().data
    assert.notEqual(id, zone.id)
    const entries = await historyEntries(as, { id })
    assert.deepEqual(
      entries.map(({ entry, zone_id: was }: Record<string, unknown>) => [entry, was]),
      [
        [4, id],
        [3, zone.id],
        [2, zone.id],
        [1, zone.id],
      ]
    )
    const earlier = await as.get(`/zones/${id}/at?entry=2`)
    earlier.assertStatus(200)
  }).tags(['@sql'])

  test('a zone without remaining owners belongs to the user who restores it', async ({
    assert,
  }) => {
    const owner = await person()
    await db.from('zw_zone_owners').where('zone_id', zone.id).delete()
    await db.table('zw_zone_owners').insert({
      zone_id: zone.id,
      user_id: owner.id,
      created_at: new Date().toISOString(),
    })
    const item = await remove(zone)
    await db.from('zw_api_keys').where('user_id', owner.id).delete()
    await db.from('zw_users').where('id', owner.id).delete()
    const response = await back(as, item)
    response.assertStatus(201)
    assert.deepEqual(await ownersOf(zone.id), { users: [admin.id], groups: [] })
  })

  test('of two concurrent restores one succeeds', async ({ assert }) => {
    const item = await remove(zone)
    const answers = await Promise.all([back(as, item), back(as, item), back(as, item)])
    const statuses = answers.map((answer) => answer.status()).sort()
    assert.equal(statuses[0], 201)
    statuses.slice(1).forEach((status) => assert.include([404, 409], status))
    assert.lengthOf(await journalOf(zone.id), 4)
  })

  test('the trash lists zones for users who could see them, and only administrators discard them', async ({
    client,
    assert,
  }) => {
    const owner = await person({ template: 'Zone Manager' })
    const team = await createTeam(['zone_content_view_own'])
    const member = await person({ groups: [team.name] })
    const viewer = await person({ permissions: ['zone_content_view_others', 'zone_master_add'] })
    const stranger = await person({ template: 'Zone Manager' })
    const blind = await person({ permissions: ['zone_master_add'] })
    const ownZone = await createZone(caller(client, owner), { name: zoneNamed() })
    const stamp = { zone_id: ownZone.id, created_at: new Date().toISOString() }
    await db.table('zw_zone_groups').insert({ ...stamp, group_id: team.id })
    await db.table('zw_zone_owners').insert({ ...stamp, user_id: blind.id })
    const bound = await keyFor(admin, { zones: [ownZone] })
    const unbound = await keyFor(owner)
    const item = await remove(ownZone)
    for (const [user, sees, restores] of [
      [owner, true, 200],
      [unbound, true, 200],
      [member, true, 403],
      [viewer, true, 403],
      [admin, true, 200],
      [stranger, false, 404],
      [blind, false, 404],
      [bound, false, 404],
    ] as const) {
      const asSomeUser = caller(client, user)
      const found = await itemOf(asSomeUser, ownZone)
      assert.equal(found !== undefined, sees)
      const response = await back(asSomeUser, item, { dry_run: true })
      response.assertStatus(restores)
      if (user !== admin) {
        const discarded = await asSomeUser.delete(`/trash/${item.id}`)
        discarded.assertStatus(403 + Number(user === bound))
      }
    }
    const reader = caller(client, await keyFor(admin, { readOnly: true }))
    const seen = await itemOf(reader, ownZone)
    assert.isDefined(seen)
    const refused = await back(reader, item)
    refused.assertStatus(403)
    const refusal = await reader.delete(`/trash/${item.id}`)
    refusal.assertStatus(403)
    const response = await back(caller(client, owner), item)
    response.assertStatus(201)
    const owners = await ownersOf(ownZone.id)
    assert.deepEqual(owners.groups, [team.id])
    assert.sameMembers(owners.users, [owner.id, blind.id])
    const key = await caller(client, bound).get(`/zones/${ownZone.id}`)
    key.assertStatus(403)
  })

  test('a discarded zone is deleted permanently', async ({ assert }) => {
    const item = await remove(zone)
    const before = await journalOf(zone.id)
    const response = await as.delete(`/trash/${item.id}`)
    response.assertStatus(204)
    for (const call of [as.delete(`/trash/${item.id}`), back(as, item)]) {
      const deleted = await call
      deleted.assertStatus(404)
    }
    assert.deepEqual(await journalOf(zone.id), before)
    for (const id of ['0', '2147483648', '99999999999999999999']) {
      const missing = await as.delete(`/trash/${id}`)
      missing.assertStatus(404)
    }
  })

  test('the list is paged, last deleted first', async ({ client, assert }) => {
    const owner = await person({ template: 'Zone Manager' })
    const names: string[] = []
    for (let i = 0; i < 3; i++) {
      const ownZone = await createZone(caller(client, owner), { name: zoneNamed() })
      await remove(ownZone)
      names.unshift(ownZone.name)
    }
    const page = async (asSomeUser: Caller, query: string) => {
      const response = await asSomeUser.get(`/trash?${query}`)
      const { data, pagination } = response.body()
      return { pagination, names: data.zones.map((item: TrashItem) => item.zone_name) }
    }
    const first = await page(caller(client, owner), 'per_page=2')
    assert.deepEqual(first.names, names.slice(0, 2))
    assert.equal(first.pagination.total, 3)
    const second = await page(caller(client, owner), 'per_page=2&page=2')
    assert.deepEqual(second.names, names.slice(2))
    const everything = await page(as, 'per_page=1&page=2')
    assert.deepEqual(everything.names, names.slice(1, 2))
  })

  test('the list reads no more rows than its page', async ({ client, assert }) => {
    const owner = await person({ template: 'Zone Manager' })
    const asUser = caller(client, owner)
    const ownZone = await createZone(asUser, { name: zoneNamed() })
    await remove(zone)
    await remove(ownZone)
    const sent = await statementsOf(async () => {
      const zones: TrashItem[] = await dataOf(asUser.get('/trash?per_page=5'), 'zones')
      assert.deepEqual(
        zones.map(({ zone_name: name }) => name),
        [ownZone.name]
      )
    })
    const reads = sent.filter((sql) => sql.includes('zw_trash'))
    assert.isNotEmpty(reads)
    reads.forEach((sql) => assert.match(sql, /zw_trash_owners/))
    assert.isEmpty(sent.filter((sql) => sql.includes('zw_journal')))
  })

  test('a pruned zone gets an error that it cannot be restored', async ({ assert }) => {
    const item = await remove(zone)
    await db.from('zw_journal').where('zone_id', zone.id).delete()
    const response = await back(as, item)
    response.assertStatus(409)
    assert.include(response.body().message, 'pruned')
  })

  test('the row of a zone that another tool created and deleted causes no error', async () => {
    await db.table('domains').insert({ name: zoneNamed('brief'), type: 'NATIVE' })
    const [{ highest }] = await db.from('domains').max('id as highest')
    await as.get(`/zones/${highest}/history`)
    await db.from('domains').where('id', highest).delete()
    await createZone(as, { name: zoneNamed('next') })
  })

  test('a dry run discards nothing, and preconditions are refused', async ({ assert }) => {
    const item = await remove(zone)
    const path = `/trash/${item.id}`
    const planned = await as.delete(`${path}?dry_run=true`)
    planned.assertStatus(200)
    assert.deepEqual(planned.body().data.plan.zones, [])
    for (const [name, value] of [
      ['If-Match', '"0123"'],
      ['If-None-Match', '*'],
    ]) {
      await expectStatus(as.delete(path).header(name, value), 400)
      await expectStatus(back(as, item).header(name, value), 400)
    }
    assert.deepEqual(await itemOf(as, zone), item)
    await expectStatus(as.delete(path), 204)
    assert.isUndefined(await itemOf(as, zone))
  })
})
