// @databases
import { test } from '@japa/runner'
import { LARGE_ZONE } from '#backends/sql/lists/zone_size'
import { caller, createRecord, createZone, type Caller } from '#tests/support/app/api'
import { outsideRows, told } from '#tests/support/app/zones/history'
import { zoneNamed } from '#tests/support/app/names'
import { administrator } from '#tests/support/app/people/people'
import { statementsOf } from '#tests/support/app/database/statements'

const A = { name: 'www', type: 'A', content: '192.0.2.1', ttl: 300 }

test.group('The history of a large zone', (group) => {
  let as: Caller
  let zone: { id: number; name: string }

  group.each.setup(async (t) => {
    const { above } = LARGE_ZONE
    LARGE_ZONE.above = 3
    as = caller(t.context.client, await administrator())
    zone = await createZone(as, { name: zoneNamed() })
    for (const name of ['www', 'one', 'two', 'three']) await createRecord(as, zone, { ...A, name })
    return () => {
      LARGE_ZONE.above = above
    }
  })

  /** Returns how often a request for the history compared all rows with the snapshot. */
  const looks = async () => {
    const sent = await statementsOf(async () => void (await told(as, zone)))
    return sent.filter((sql) => /case[^]*zw_record_snapshots s left join/i.test(sql)).length
  }

  test('the zone is not compared again without writes, nor after own writes', async ({
    assert,
  }) => {
    assert.equal(await looks(), 1)
    // The first request stores the changes in the snapshot.
    await looks()
    assert.equal(await looks(), 0)
    await createRecord(as, zone, { ...A, name: 'four' })
    assert.equal(await looks(), 0)
    assert.lengthOf(await told(as, zone), 6)
  })

  test('external changes with a new serial appear at once', async ({ assert }) => {
    await looks()
    const [soa] = await outsideRows(zone, '', 'SOA').select('content')
    const [primary, contact, serial, ...rest] = soa.content.split(' ')
    const content = [primary, contact, Number(serial) + 1, ...rest].join(' ')
    await outsideRows(zone, 'www').update({ content: '192.0.2.2' })
    await outsideRows(zone, '', 'SOA').update({ content })
    const [entry, ...older] = await told(as, zone)
    assert.equal(entry.channel, 'external')
    assert.lengthOf(older, 5)
    assert.equal(await looks(), 1)
  })

  test('a write with a precondition on the whole zone compares all rows', async ({ assert }) => {
    await looks()
    await outsideRows(zone, 'www').update({ content: '192.0.2.2' })
    await as.post(`/zones/${zone.id}/restore`, { entry: 4 })
    const [newest, before] = await told(as, zone)
    assert.deepEqual([newest.channel, before.channel], ['api', 'external'])
  })
})
