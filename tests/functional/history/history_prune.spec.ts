// @databases @api-backend(all)
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { pruneJournal } from '#changes/journal/pruner'
import { caller, dataOf, createRecord, createZone, type Caller } from '#tests/support/app/api'
import { eventsWith } from '#tests/support/app/audit'
import { ace } from '#tests/support/app/commands'
import { zoneNamed } from '#tests/support/app/names'
import { administrator } from '#tests/support/app/people/people'
import { journalOf } from '#tests/support/app/zones/zones'

const DAY_MS = 86_400_000

type Zone = { id: number; name: string }

const entriesOf = async (zone: Zone) => {
  const entries = await journalOf(zone.id)
  return entries.map(({ entry }) => entry)
}

/** Makes the first entries of a zone `days` days old. */
async function age(zone: Zone, until: number, days: number) {
  const time = new Date(Date.now() - days * DAY_MS).toISOString()
  await db.from('zw_journal').where('zone_id', zone.id).where('entry', '<=', until).update({ time })
}

test.group('Pruning of the history', (group) => {
  let as: Caller
  let zone: Zone
  group.each.timeout(120_000)
  group.each.setup(async (t) => {
    as = caller(t.context.client, await administrator())
    zone = await createZone(as, { name: zoneNamed() })
    for (const index of [1, 2, 3, 4, 5]) {
      await createRecord(as, zone, { name: `r${index}`, type: 'A', content: `192.0.2.${index}` })
    }
  })

  test('pruning removes the oldest entries of each zone with their changes', async ({ assert }) => {
    const counted = await pruneJournal({ maxEntries: 3, minNewest: 1 }, true)
    assert.isAtLeast(counted.entries, 3)
    assert.deepEqual(await entriesOf(zone), [1, 2, 3, 4, 5, 6])
    assert.deepEqual(await pruneJournal({ maxEntries: 3, minNewest: 1 }, false), counted)
    assert.deepEqual(await entriesOf(zone), [4, 5, 6])
    assert.deepEqual(await pruneJournal({ maxEntries: 3, minNewest: 1 }, false), {
      entries: 0,
      zones: 0,
    })
    const [orphans] = await db
      .from('zw_journal_changes')
      .whereNotIn('journal_id', db.from('zw_journal').select('id'))
      .count('* as total')
    assert.equal(Number(orphans.total), 0)
    for (const [name, entries] of [
      ['r1', []],
      ['r4', [5]],
    ] as const) {
      const page = await as.get(`/zones/${zone.id}/history?name=${name}&type=A&per_page=10`)
      assert.equal(page.body().pagination.total, entries.length)
      const found = page.body().data.entries.map(({ entry }: { entry: number }) => entry)
      assert.deepEqual(found, entries)
    }
  })

  test('pruning by age removes no younger entry and leaves no gap', async ({ assert }) => {
    await age(zone, 4, 40)
    // The clock was wrong once: an entry in the middle is older than its neighbours.
    await db.from('zw_journal').where({ zone_id: zone.id, entry: 2 }).update({
      time: new Date().toISOString(),
    })
    await pruneJournal({ olderThanDays: 30, minNewest: 1 }, false)
    assert.deepEqual(await entriesOf(zone), [2, 3, 4, 5, 6])
    await age(zone, 4, 40)
    await pruneJournal({ olderThanDays: 50, minNewest: 1 }, false)
    assert.deepEqual(await entriesOf(zone), [2, 3, 4, 5, 6])
    await pruneJournal({ olderThanDays: 30, minNewest: 1 }, false)
    assert.deepEqual(await entriesOf(zone), [5, 6])
  })

  test('the newest entries stay at any age', async ({ assert }) => {
    await age(zone, 6, 400)
    await pruneJournal({ olderThanDays: 1, maxEntries: 1, minNewest: 2 }, false)
    assert.deepEqual(await entriesOf(zone), [5, 6])
    await pruneJournal({ olderThanDays: 1, minNewest: 1 }, false)
    assert.deepEqual(await entriesOf(zone), [6])
  })

  test('pruned entries get 404 with the oldest available entry', async ({ assert }) => {
    await pruneJournal({ maxEntries: 3, minNewest: 1 }, false)
    const path = `/zones/${zone.id}`
    const deleted = [
      as.get(`${path}/history/3`),
      as.get(`${path}/at?entry=2`),
      as.get(`${path}/at?time=2020-01-01`),
      as.get(`${path}/diff?from=1`),
      as.post(`${path}/history/2/undo`, {}),
      as.post(`${path}/restore`, { entry: 1 }),
    ]
    for (const call of deleted) {
      const response = await call
      response.assertStatus(404)
      assert.equal(response.body().message, 'The history of this zone starts at entry 4')
    }
    const beyond = await as.get(`${path}/history/99`)
    assert.equal(beyond.body().message, 'The history of this zone has no entry 99')
    // The state before the oldest remaining entry is still available.
    const earlier = await as.get(`${path}/at?entry=3`)
    earlier.assertStatus(200)
    const names = earlier.body().data.rrsets.map(({ name }: { name: string }) => name)
    assert.sameMembers(names, [zone.name, `r1.${zone.name}`, `r2.${zone.name}`])
    const undoResponse = await as.post(`${path}/history/4/undo`, {})
    undoResponse.assertStatus(200)
    assert.deepEqual(await entriesOf(zone), [4, 5, 6, 7])
  })

  test('a zone in the trash is restored after all its other entries were pruned', async ({
    assert,
  }) => {
    await as.delete(`/zones/${zone.id}`)
    await age(zone, 7, 400)
    await pruneJournal({ olderThanDays: 1, maxEntries: 1, minNewest: 1 }, false)
    assert.deepEqual(await entriesOf(zone), [7])
    const zones = await dataOf(as.get('/trash'), 'zones')
    const trashed = zones.find(({ zone_id: id }: { zone_id: number }) => id === zone.id)
    const restored = await as.post(`/trash/${trashed.id}/restore`, {})
    restored.assertStatus(201)
    assert.equal(restored.body().data.zone_id, zone.id)
    const records = await as.get(`/zones/${zone.id}/records`)
    assert.lengthOf(records.body().data.records, 6)
    assert.deepEqual(await entriesOf(zone), [7, 8])
  })

  test('node ace history:prune prints what it did', async ({ assert }) => {
    const bare = await ace(['history:prune'])
    assert.equal(bare.code, 1)
    assert.match(bare.stderr, /^Give --older-than/)
    const none = await ace(['history:prune', '--keep=2', '--newest=0'])
    assert.equal(none.code, 1)
    assert.include(none.stderr, '--newest must be a whole number from 1 to')
    const result = await ace(['history:prune', '--keep=2'])
    assert.equal(result.stdout, 'Removed 0 entries of 0 zones\n')
    const counted = await ace(['history:prune', '--keep=5', '--newest=1', '--dry-run', '--json'])
    const { entries, zones, dry_run: isDry } = JSON.parse(counted.stdout)
    assert.isAtLeast(entries, 1)
    assert.isTrue(isDry)
    assert.lengthOf(await entriesOf(zone), 6)
    const doneResult = await ace(['history:prune', '--keep=5', '--newest=1'])
    assert.match(
      doneResult.stdout,
      new RegExp(`^Removed ${entries} entr(y|ies) of ${zones} zones?\\n$`)
    )
    assert.deepEqual(await entriesOf(zone), [2, 3, 4, 5, 6])
    const events = await eventsWith({ action: 'history.pruned' })
    assert.deepEqual(events.at(-1)?.detail, { entries, zones })
  })
})
