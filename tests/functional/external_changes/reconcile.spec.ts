// @databases
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { importNewZones } from '#changes/zone_index/discover'
import { adoptAllZones, repairZoneRows } from '#changes/recovery/reconcile'
import { adoptZone } from '#changes/recovery/reconcile'
import { naturalSortKey } from '#dns/names/sort_key'
import { ZoneIndexSync } from '#background/zone_index_sync'
import { correctZoneCount, zoneListState, type ZoneListState } from '#lists/sql/zone_count'
import { caller, expectStatus, createZone, type Caller } from '#tests/support/app/api'
import {
  backendUnderTest,
  foreignZone,
  listedAndExisting,
  reconcileAll,
} from '#tests/support/app/zones/foreign_zones'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, person } from '#tests/support/app/people/people'
import { statementsOf } from '#tests/support/app/database/statements'
import { ownersOf } from '#tests/support/app/zones/zones'

const NOTHING = { adopted: 0, replaced: 0, changed: 0, gone: 0 }

const marks = () => zoneListState(db.connection())
const rowOf = (id: number) => db.from('zw_zones').where('id', id).first()

/** Returns the change of the stored zone count and list version by `work`. */
async function change(work: () => Promise<unknown>): Promise<ZoneListState> {
  const before = await marks()
  await work()
  const after = await marks()
  return { total: after.total - before.total, version: after.version - before.version }
}

test.group('Reconciliation of the zone index', (tests) => {
  let as: Caller

  tests.each.setup(async ({ context }) => {
    as = caller(context.client, await administrator())
    await adoptAllZones(await backendUnderTest())
    await correctZoneCount(db.connection())
  })
  tests.each.teardown(async () => {
    await adoptAllZones(await backendUnderTest())
  })

  test('a new zone is added with sort key and type', async ({ assert }) => {
    const backend = await backendUnderTest()
    const zone = await foreignZone('native', zoneNamed('host10'))
    const old = await foreignZone('')
    const done = await change(() => importNewZones(backend))
    assert.deepEqual(done, { total: 2, version: 1 })
    const row = await rowOf(zone.id)
    assert.equal(row.kind, 'NATIVE')
    assert.equal(row.sort_key, naturalSortKey(zone.name))
    const { kind } = await rowOf(old.id)
    assert.equal(kind, 'MASTER')
    assert.deepEqual(await reconcileAll(), NOTHING)
  })

  test('adoptZone() with an old name keeps the uid and owners of a renamed zone', async ({
    assert,
  }) => {
    const backend = await backendUnderTest()
    const zone = await createZone(as, { name: zoneNamed() })
    const before = await rowOf(zone.id)
    await expectStatus(as.put(`/zones/${zone.id}`, { name: zoneNamed() }), 200)
    await adoptZone(backend, { ...zone, kind: 'MASTER' })
    const after = await rowOf(zone.id)
    assert.equal(after.uid, before.uid)
    assert.isNotEmpty(await db.from('zw_zone_owners').where('zone_id', zone.id))
  })

  test('the search for new zones takes one query if there are none', async ({ assert }) => {
    const backend = await backendUnderTest()
    let statements: string[] = []
    const done = await change(async () => {
      statements = await statementsOf(() => importNewZones(backend))
    })
    assert.lengthOf(statements, 1)
    assert.deepEqual(done, { total: 0, version: 0 })
  })

  test('more zones than a batch are added, in parts if requested', async ({ assert }) => {
    const backend = await backendUnderTest()
    const newName = () => zoneNamed('more-than-a-batch')
    const names = Array.from({ length: 4_100 }, () => ({ name: newName(), type: 'MASTER' }))
    for (let at = 0; at < names.length; at += 500) {
      await db.table('domains').multiInsert(names.slice(at, at + 500))
    }
    try {
      const first = await change(() => importNewZones(backend, { maxZones: 1 }))
      assert.deepEqual(first, { total: 2_000, version: 1 })
      const rest = await change(async () => assert.equal(await importNewZones(backend), 2_100))
      assert.equal(rest.total, 2_100)
    } finally {
      await db.from('domains').where('name', 'like', 'more-than-a-batch-%').delete()
    }
    const deleted = await change(() => reconcileAll())
    assert.equal(deleted.total, -4_100)
  })

  test('a zone below the highest known id is added by reconciliation', async ({ assert }) => {
    const backend = await backendUnderTest()
    const [low, high] = [await foreignZone(), await foreignZone()]
    await adoptZone(backend, { ...high, kind: 'NATIVE' })
    assert.equal(await importNewZones(backend), 0)
    assert.isNull(await rowOf(low.id))
    const done = await change(async () =>
      assert.deepEqual(await reconcileAll(), { ...NOTHING, adopted: 1 })
    )
    assert.deepEqual(done, { total: 1, version: 1 })
    assert.isNotNull(await rowOf(low.id))
  })

  test('a deleted zone leaves the lists; its owners return with it', async ({ assert }) => {
    const owner = await person()
    const zone = await createZone(as, { name: zoneNamed(), owner_user_id: owner.id })
    const domain = await db.from('domains').where('id', zone.id).firstOrFail()
    await db.from('domains').where('id', zone.id).delete()
    const lost = await change(async () =>
      assert.deepEqual(await reconcileAll(), { ...NOTHING, gone: 1 })
    )
    assert.deepEqual(lost, { total: -1, version: 1 })
    const { kind, sort_key: key } = await rowOf(zone.id)
    assert.deepEqual([kind, key], [null, null])
    assert.deepEqual(await reconcileAll(), NOTHING)

    await db.table('domains').insert(domain)
    const back = await change(async () =>
      assert.deepEqual(await reconcileAll(), { ...NOTHING, changed: 1 })
    )
    assert.deepEqual(back, { total: 1, version: 1 })
    assert.deepEqual(await ownersOf(zone.id), { users: [owner.id], groups: [] })
    const again = await rowOf(zone.id)
    assert.deepEqual([again.kind, again.sort_key], ['MASTER', naturalSortKey(zone.name)])
  })

  test('a returned zone is in lists from the next write on', async ({ assert }) => {
    const zone = await createZone(as, { name: zoneNamed() })
    const domain = await db.from('domains').where('id', zone.id).firstOrFail()
    await db.from('domains').where('id', zone.id).delete()
    await reconcileAll()
    await db.table('domains').insert(domain)
    const done = await change(() => as.put(`/zones/${zone.id}`, { description: 'back' }))
    assert.deepEqual(done, { total: 1, version: 1 })
    assert.deepEqual(await reconcileAll(), NOTHING)
  })

  test('the row of a deleted zone is deleted if nothing would be lost', async ({ assert }) => {
    const zone = await foreignZone()
    await importNewZones(await backendUnderTest())
    await db.from('domains').where('id', zone.id).delete()
    assert.deepEqual(await reconcileAll(), { ...NOTHING, gone: 1 })
    assert.isNull(await rowOf(zone.id))
  })

  test('a zone with another name is another zone without owners', async ({ assert }) => {
    const owner = await person()
    const zone = await createZone(as, { name: zoneNamed(), owner_user_id: owner.id })
    const name = zoneNamed('renamed')
    await db.from('domains').where('id', zone.id).update({ name })
    const done = await change(async () =>
      assert.deepEqual(await reconcileAll(), { ...NOTHING, replaced: 1 })
    )
    assert.deepEqual(done, { total: 0, version: 1 })
    const row = await rowOf(zone.id)
    assert.deepEqual([row.name, row.sort_key], [name, naturalSortKey(name)])
    assert.deepEqual(await ownersOf(zone.id), { users: [], groups: [] })
  })

  test('a zone with another type is listed with the new type', async ({ assert }) => {
    const zone = await createZone(as, { name: zoneNamed() })
    await db.from('domains').where('id', zone.id).update({ type: 'Slave' })
    const done = await change(async () =>
      assert.deepEqual(await reconcileAll(), { ...NOTHING, changed: 1 })
    )
    assert.deepEqual(done, { total: 0, version: 1 })
    const { kind } = await rowOf(zone.id)
    assert.equal(kind, 'SLAVE')
  })

  test('reconciliation of a correct index changes nothing', async ({ assert }) => {
    const zone = await createZone(as, { name: zoneNamed() })
    const backend = await backendUnderTest()
    const row = await rowOf(zone.id)
    const done = await change(() => repairZoneRows(backend, [zone.id, 2_147_483_647]))
    assert.deepEqual(done, { total: 0, version: 0 })
    assert.deepEqual(await rowOf(zone.id), row)
  })

  test('concurrent reconciliations, tasks and writers keep the count correct', async ({
    assert,
  }) => {
    const backend = await backendUnderTest()
    const ownZone = await Promise.all(
      Array.from({ length: 4 }, () => createZone(as, { name: zoneNamed() }))
    )
    const [deleted, renamed] = [await foreignZone(), await foreignZone()]
    await importNewZones(backend)
    await db.from('domains').where('id', deleted.id).delete()
    await db
      .from('domains')
      .where('id', renamed.id)
      .update({ name: zoneNamed('other') })
    await foreignZone()
    const tasks = [0, 1].map(() => new ZoneIndexSync(() => backend, { info() {}, warn() {} }))
    await Promise.all([
      ...tasks.map((task) => task.runOnce()),
      reconcileAll(),
      reconcileAll(),
      importNewZones(backend),
      ...ownZone.slice(0, 2).map(({ id }) => as.delete(`/zones/${id}`)),
      as.put(`/zones/${ownZone[2].id}`, { type: 'NATIVE' }),
      as.put(`/zones/${ownZone[3].id}`, { name: zoneNamed() }),
      ...[1, 2, 3].map(() => createZone(as, { name: zoneNamed() })),
    ])
    await reconcileAll()
    const { listed, living } = await listedAndExisting()
    assert.deepEqual(listed, living)
    const { total } = await marks()
    assert.equal(total, living.length)
  })
})
