// @databases
import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { setTimeout as wait } from 'node:timers/promises'
import { maintainer } from '#access/actor'
import { MIN_LONG_WRITE, enqueueSortRows } from '#changes/zone_index/sort_rows'
import { SHORT, SortedZones } from '#zones/list/sorted_list'
import { ZoneOrders } from '#zones/list/sort_table'
import { ZoneSummaries } from '#zones/list/summaries'
import { caller, expectStatus, createRecord, createZone, type Caller } from '#tests/support/app/api'
import { unique } from '#tests/support/app/names'
import { administrator, person } from '#tests/support/app/people/people'

/** SQLite has one connection, so no transaction waits for another one. */
const isAlone = () => db.connection().dialect.name === 'better-sqlite3'
const SOON_MS = 1_500

const sortRowOf = (id: number): Promise<Record<string, unknown> | null> =>
  db.from('zw_zone_sort_keys').where('zone_id', id).first()
const uidOf = async (id: number): Promise<string> => {
  const { uid }: { uid: string } = await db.from('zw_zones').where('id', id).firstOrFail()
  return uid
}
const serialOf = async (id: number) => {
  const sortRow = await sortRowOf(id)
  return Number(sortRow?.serial)
}
const ownersOf = async (id: number) => {
  const sortRow = await sortRowOf(id)
  return String(sortRow?.owners)
}

/** Returns true if the work ends although other transactions hold their locks. */
const endsSoon = (work: Promise<unknown>) =>
  Promise.race([work.then(() => true), wait(SOON_MS, false)])

test.group('The task of the sort table and concurrent writers', (group) => {
  let as: Caller
  let orders: ZoneOrders

  group.each.timeout(60_000)
  group.each.setup(async ({ context }) => {
    as = caller(context.client, await administrator())
    orders = await app.container.make(ZoneOrders)
  })

  const zone = () => createZone(as, { name: `${unique('z').toLowerCase()}.test`, type: 'NATIVE' })

  test('the task neither waits for a zone write nor blocks one', async ({ assert }) => {
    if (isAlone()) return
    const [one, two] = [await zone(), await zone()]
    const ids = [one.id, two.id]
    await orders.updateRows(ids)
    await db.from('zw_zone_sort_keys').whereIn('zone_id', ids).update({ serial: 7 })
    const touch = (id: number) => ({ last_entry: db.raw('last_entry'), description: `${id}` })
    const writer = await db.transaction()
    await writer.from('zw_zones').where('id', two.id).update(touch(two.id))
    const work = orders.updateRows(ids)
    const isStored = await endsSoon(work)
    const isWritten = await endsSoon(
      db.from('zw_zones').where('id', one.id).update(touch(one.id)).exec()
    )
    await writer.commit()
    await work
    assert.isTrue(isStored, 'the keeper waits')
    assert.isTrue(isWritten, 'a writer waits')
    for (const id of ids) assert.notEqual(await serialOf(id), 7)
  })

  test('the task skips zones that are deleted during the update of their row', async ({
    assert,
  }) => {
    if (isAlone()) return
    const created = await zone()
    await db.from('zw_zone_sort_keys').where('zone_id', created.id).delete()
    const writer = await db.transaction()
    await writer.from('zw_zones').where('id', created.id).delete()
    const work = orders.updateRows([created.id])
    // The test asserts the error below.
    work.catch(() => {})
    await endsSoon(work)
    await writer.commit()
    await work
    assert.isNull(await sortRowOf(created.id))
  })

  test('the task repeats an update after a concurrent write', async ({ assert }) => {
    const created = await zone()
    const [first, last] = [await person(), await person()]
    const rename = (id: number, start: string) =>
      expectStatus(as.put(`/users/${id}`, { username: unique(start) }), 200)
    await rename(first.id, 'aa')
    await rename(last.id, 'zz')
    const give = (user: number) =>
      db.from('zw_zone_owners').where('zone_id', created.id).update({ user_id: user })
    await give(first.id)
    await orders.updateRows([created.id])
    await db.from('zw_zone_sort_keys').where('zone_id', created.id).update({ serial: 7 })

    const summaries = await app.container.make(ZoneSummaries)
    const slow = new ZoneOrders({
      readFull: async (zones: Parameters<ZoneSummaries['readFull']>[0]) => {
        const seen = await summaries.readFull(zones)
        await give(last.id)
        await orders.updateRows([created.id])
        return seen
      },
    } as ZoneSummaries)
    await slow.updateRows([created.id])
    assert.match(await ownersOf(created.id), /^zz/)

    // The opposite order: the writer has the newer state and comes second.
    const late = new ZoneOrders({
      readFull: async (zones: Parameters<ZoneSummaries['readFull']>[0]) => {
        await give(first.id)
        const seen = await summaries.readFull(zones)
        await db.from('zw_zone_sort_keys').where('zone_id', created.id).update({ serial: 8 })
        return seen
      },
    } as ZoneSummaries)
    await late.updateRows([created.id])
    while (await orders.updateStale());
    assert.match(await ownersOf(created.id), /^aa/)
  })

  test('a failed run keeps its stale zones queued', async ({ assert }) => {
    const created = await zone()
    await orders.updateRows([created.id])
    await db.from('zw_zone_sort_keys').where('zone_id', created.id).update({ serial: 7 })
    while (await orders.updateStale());
    enqueueSortRows([created.id])
    const broken = new ZoneOrders({
      readFull: () => Promise.reject(new Error('away')),
    } as unknown as ZoneSummaries)
    await assert.rejects(() => broken.updateStale(), 'away')
    await orders.updateStale()
    assert.notEqual(await serialOf(created.id), 7)
  })

  test('the task finds an entry that commits after many newer ones', async ({
    assert,
    cleanup,
  }) => {
    const { ms } = MIN_LONG_WRITE
    cleanup(() => {
      MIN_LONG_WRITE.ms = ms
    })
    MIN_LONG_WRITE.ms = -1
    const created = await zone()
    while (await orders.updateStale());
    await createRecord(as, created, { name: 'x', type: 'A', content: '192.0.2.1' })
    // Simulates thousands of entries of others after the zone's own entry.
    await db
      .from('zw_journal')
      .where('zone_uid', await uidOf(created.id))
      .update({ zone_uid: 'late' })
    while (await orders.updateStale());
    const { last_entry: entry } = await db.from('zw_zones').where('id', created.id).firstOrFail()
    const sortRow = await sortRowOf(created.id)
    assert.equal(Number(sortRow?.entry), entry)
  })

  test('a page does not wait for long row locks', async ({ assert, cleanup }) => {
    if (isAlone()) return
    const { most: maximum } = SHORT
    cleanup(() => {
      SHORT.most = maximum
    })
    SHORT.most = 0
    const created = await zone()
    while (await orders.updateStale());
    const writer = await db.transaction()
    await writer.from('zw_zone_sort_keys').where('zone_id', created.id).update({ serial: 7 })
    await createRecord(as, created, { name: 'x', type: 'A', content: '192.0.2.1' })
    const sorted = await app.container.make(SortedZones)
    const page = { number: 1, size: 10, offset: 0 }
    const work = sorted.page(maintainer(), {
      sort: [{ field: 'changed', descending: true }],
      filters: {},
      q: null,
      page,
    })
    const isShown = await endsSoon(work)
    await writer.rollback()
    assert.isTrue(isShown)
    await work
    await orders.updateStale()
    assert.notEqual(await serialOf(created.id), 7)
    const sortRow = await sortRowOf(created.id)
    assert.equal(Number(sortRow?.entry), 2)
  })
})
