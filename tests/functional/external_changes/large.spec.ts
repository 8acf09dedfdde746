// @databases
import { test } from '@japa/runner'
import { MAX_SMALL_ZONE } from '#backends/sql/lists/zone_size'
import { caller, createRecord, createZone, type Caller } from '#tests/support/app/api'
import { externalRows, historyEntries } from '#tests/support/app/zones/history'
import { zoneNamed } from '#tests/support/app/names'
import { administrator } from '#tests/support/app/people/people'
import { statementsOf } from '#tests/support/app/database/statements'

const A = { name: 'www', type: 'A', content: '192.0.2.1', ttl: 300 }

test.group('The history of a large zone', (group) => {
  let as: Caller
  let zone: { id: number; name: string }

  group.each.setup(async (t) => {
    const { records } = MAX_SMALL_ZONE
    MAX_SMALL_ZONE.records = 3
    as = caller(t.context.client, await administrator())
    zone = await createZone(as, { name: zoneNamed() })
    for (const name of ['www', 'one', 'two', 'three']) await createRecord(as, zone, { ...A, name })
    return () => {
      MAX_SMALL_ZONE.records = records
    }
  })

  /** Returns how often a request for the history compared all rows with the snapshot. */
  const countComparisons = async () => {
    const sent = await statementsOf(async () => void (await historyEntries(as, zone)))
    return sent.filter((sql) => /case[^]*zw_record_snapshots s left join/i.test(sql)).length
  }

  test('the zone is not compared again without writes, nor after own writes', async ({
    assert,
  }) => {
    assert.equal(await countComparisons(), 1)
    // The first request stores the changes in the snapshot.
    await countComparisons()
    assert.equal(await countComparisons(), 0)
    await createRecord(as, zone, { ...A, name: 'four' })
    assert.equal(await countComparisons(), 0)
    assert.lengthOf(await historyEntries(as, zone), 6)
  })

  test('external changes with a new serial appear at once', async ({ assert }) => {
    await countComparisons()
    const [soa] = await externalRows(zone, '', 'SOA').select('content')
    const [primary, contact, serial, ...rest] = soa.content.split(' ')
    const content = [primary, contact, Number(serial) + 1, ...rest].join(' ')
    await externalRows(zone, 'www').update({ content: '192.0.2.2' })
    await externalRows(zone, '', 'SOA').update({ content })
    const [entry, ...older] = await historyEntries(as, zone)
    assert.equal(entry.channel, 'external')
    assert.lengthOf(older, 5)
    assert.equal(await countComparisons(), 1)
  })

  test('a write with a precondition on the whole zone compares all rows', async ({ assert }) => {
    await countComparisons()
    await externalRows(zone, 'www').update({ content: '192.0.2.2' })
    await as.post(`/zones/${zone.id}/restore`, { entry: 4 })
    const [newest, before] = await historyEntries(as, zone)
    assert.deepEqual([newest.channel, before.channel], ['api', 'external'])
  })
})
