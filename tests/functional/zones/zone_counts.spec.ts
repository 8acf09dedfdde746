// @api-backend(all)
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { adoptAllZones } from '#changes/recovery/reconcile'
import { inTransaction } from '#database/transaction'
import { correctZoneCount, adjustZoneCount, zoneListState } from '#lists/sql/zone_count'
import { caller, expectStatus, createRecord, createZone, type Caller } from '#tests/support/app/api'
import { isApiMode } from '#tests/support/app/backend'
import {
  backendUnderTest,
  foreignZone,
  listedAndExisting,
} from '#tests/support/app/zones/foreign_zones'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, person, createTeam } from '#tests/support/app/people/people'
import { Random } from '#tests/support/random'

const marks = () => zoneListState(db.connection())

test.group('The stored number of zones', (tests) => {
  let as: Caller

  tests.each.setup(async ({ context }) => {
    as = caller(context.client, await administrator())
    await adoptAllZones(await backendUnderTest())
    await correctZoneCount(db.connection())
  })

  /** Asserts that the call changes the count by `total`, and whether it changes the version. */
  const expectChange = async (
    assert: { deepEqual(found: unknown, wanted: unknown): void },
    work: () => PromiseLike<unknown>,
    [total, isVersionChanged]: [total: number, isVersionChanged: boolean]
  ) => {
    const before = await marks()
    await work()
    const after = await marks()
    assert.deepEqual(
      [after.total - before.total, after.version > before.version],
      [total, isVersionChanged]
    )
  }

  test('the count follows a zone from its creation through trash and restore', async ({
    assert,
  }) => {
    const name = zoneNamed()
    let id = 0
    await expectChange(assert, async () => {
      ;({ id } = await createZone(as, { name }))
    }, [1, true])
    const at = `/zones/${id}`
    await expectChange(assert, () => as.put(at, { type: 'NATIVE' }), [0, true])
    if (!isApiMode) {
      await expectChange(assert, () => as.put(at, { name: zoneNamed() }), [0, true])
    }
    const row = await db.from('zw_zones').where('id', id).firstOrFail()
    assert.equal(row.kind, 'NATIVE')
    await expectChange(assert, () => expectStatus(as.delete(at), 204), [-1, true])
    const trashed = await db.from('zw_trash').where('zone_id', id).firstOrFail()
    const restore = () => expectStatus(as.post(`/trash/${trashed.id}/restore`, {}), 201)
    await expectChange(assert, restore, [1, true])
  })

  test('the count stays for writes that change no list, or are rolled back', async ({ assert }) => {
    const zone = await createZone(as, { name: zoneNamed() })
    const at = `/zones/${zone.id}`
    const record = { name: 'a', type: 'A', content: '192.0.2.1' }
    for (const work of [
      () => createRecord(as, zone, record),
      () => as.put(at, { description: 'text' }),
      () => as.put(at, { type: 'MASTER' }),
      () => expectStatus(as.post('/zones', { name: zone.name }), 409),
      () => as.post('/zones?dry_run=true', { name: zoneNamed() }),
      () => as.put(`${at}?dry_run=true`, { type: 'NATIVE', name: zoneNamed() }),
      () => as.delete(`${at}?dry_run=true`),
    ]) {
      await expectChange(assert, work, [0, false])
    }
    const failing = async () => {
      const work = inTransaction(db.connection(), async (trx) => {
        await adjustZoneCount(trx, 5)
        throw new Error('on purpose')
      })
      await assert.rejects(() => work, 'on purpose')
    }
    await expectChange(assert, failing, [0, false])
  })

  test('a change of owners changes the version', async ({ assert }) => {
    const [owner, newOwner] = [await person(), await person()]
    const group = await createTeam(['zone_content_view_own'])
    const zone = await createZone(as, { name: zoneNamed() })
    const owners = `/zones/${zone.id}/owners`
    for (const [work, isVersionChanged] of [
      [() => expectStatus(as.post(owners, { user_id: owner.id }), 201), true],
      [() => expectStatus(as.post(owners, { user_id: owner.id }), 409), false],
      [() => expectStatus(as.post(owners, { user_ids: [newOwner.id] }), 201), true],
      [() => expectStatus(as.post(owners, { user_ids: [newOwner.id] }), 200), false],
      [() => expectStatus(as.delete(`${owners}/${newOwner.id}`), 200), true],
      [() => as.delete(`/users/${owner.id}`, { transfer_to_user_id: newOwner.id }), true],
      [() => expectStatus(as.post(`/groups/${group.id}/zones`, { zone_id: zone.id }), 201), true],
      [() => as.delete(`/groups/${group.id}/zones/${zone.id}`), true],
      [() => expectStatus(as.post(`/groups/${group.id}/zones`, { zone_id: zone.id }), 201), true],
      [() => as.delete(`/groups/${group.id}?confirm=true`), true],
    ] as [() => Promise<unknown>, boolean][]) {
      await expectChange(assert, work, [0, isVersionChanged])
    }
  })

  test('a wrong count is corrected, once by two concurrent corrections', async ({ assert }) => {
    const before = await marks()
    await db.from('zw_list_counters').where({ list: 'zones', shard: 7 }).decrement('total', 5)
    const both = await Promise.all([1, 2].map(() => correctZoneCount(db.connection())))
    const after = await marks()
    assert.equal(after.total, before.total)
    assert.isAbove(after.version, before.version)
    assert.include(both, 5)
    assert.equal(await correctZoneCount(db.connection()), 0)
    assert.deepEqual(await marks(), after)
  })

  test('the count is exact after many concurrent writes of any kind', async ({ assert }) => {
    const random = new Random(6)
    const zones = await Promise.all(
      Array.from({ length: 10 }, () => createZone(as, { name: zoneNamed() }))
    )
    for (let round = 0; round < 12; round++) {
      const writes = Array.from({ length: 6 }, async () => {
        const zone = random.pick(zones)
        const chosen = random.below(5)
        if (chosen === 0) {
          zones.push(await createZone(as, { name: zoneNamed() }))
        } else if (chosen === 1) {
          await as.delete(`/zones/${zone.id}`)
        } else if (chosen === 2) {
          await as.put(`/zones/${zone.id}`, { type: random.pick(['NATIVE', 'MASTER']) })
        } else if (chosen === 3) {
          await as.put(`/zones/${zone.id}`, { name: zoneNamed() })
        } else {
          await foreignZone()
        }
      })
      await Promise.all(writes)
      await adoptAllZones(await backendUnderTest())
      const { listed, living } = await listedAndExisting()
      assert.deepEqual(listed, living)
      const { total } = await marks()
      assert.equal(total, living.length)
    }
  }).tags(['@sql'])
})
