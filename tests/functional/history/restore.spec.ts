// @databases @api-backend
import { test } from '@japa/runner'
import { caller, dataOf, createRecord, createZone, type Caller } from '#tests/support/app/api'
import {
  contentsOf,
  newest,
  externalRows,
  restore,
  historyEntries,
  writeExternally,
} from '#tests/support/app/zones/history'
import { zoneNamed } from '#tests/support/app/names'
import { administrator } from '#tests/support/app/people/people'
import { lastEntryOf, serialOf, stateOf } from '#tests/support/app/zones/zones'

const A = { name: 'www', type: 'A', content: '192.0.2.1', ttl: 300 }

test.group('POST /zones/:id/restore', (group) => {
  let as: Caller
  let zone: { id: number; name: string }
  let path: string
  group.each.setup(async (t) => {
    as = caller(t.context.client, await administrator())
    zone = await createZone(as, { name: zoneNamed() })
    path = `/zones/${zone.id}`
    await createRecord(as, zone, A)
    await createRecord(as, zone, { ...A, type: 'TXT', content: 'first' })
    await createRecord(as, zone, { ...A, name: 'b' })
  })

  /** Changes many records of the zone. Entry 4 is the last entry before. */
  async function upset() {
    const records: { id: string; type: string }[] = await dataOf(
      as.get(`${path}/records`),
      'records'
    )
    for (const { id, type } of records.filter((record) => record.type !== 'SOA')) {
      await (type === 'TXT'
        ? as.put(`${path}/records/${id}`, { content: 'second' })
        : as.delete(`${path}/records/${id}`))
    }
    await createRecord(as, zone, { ...A, name: 'later' })
  }

  test('a restore reverts a whole zone in one entry, with a higher serial', async ({ assert }) => {
    const before = await contentsOf(zone)
    await upset()
    const serial = await serialOf(zone.id)
    const last = await newest(zone)
    const response = await restore(as, zone, { entry: 4, reason: 'all wrong' })
    response.assertStatus(200)
    assert.deepEqual(await contentsOf(zone), before)
    assert.equal(await serialOf(zone.id), serial + 1)
    const [entry] = await historyEntries(as, zone)
    assert.equal(entry.entry, last + 1)
    assert.equal(entry.reason, 'all wrong')
    assert.deepEqual(entry.origin, { kind: 'restore', id: 4 })
    assert.lengthOf(entry.changes, 4)
  })

  test('a restore by time equals a restore by the entry of this time', async ({ assert }) => {
    const before = await contentsOf(zone)
    const [{ time }] = await historyEntries(as, zone)
    await new Promise((resolve) => setTimeout(resolve, 5))
    await upset()
    const response = await restore(as, zone, { time })
    response.assertStatus(200)
    assert.deepEqual(await contentsOf(zone), before)
  })

  test('a restore of one name or one RRset leaves the others', async ({ assert }) => {
    await upset()
    const names = async () => {
      const rows = await contentsOf(zone)
      return rows
        .map((row) => JSON.parse(row))
        .filter(([, type]) => type !== 'SOA')
        .map(([name, type, content]) => `${name.replace(`.${zone.name}`, '')} ${type} ${content}`)
    }
    const one = await restore(as, zone, { entry: 4, name: 'WWW', type: 'a' })
    one.assertStatus(200)
    assert.deepEqual(await names(), ['later A 192.0.2.1', 'www A 192.0.2.1', 'www TXT "second"'])
    const wholeResponse = await restore(as, zone, { entry: 4, name: `www.${zone.name}` })
    wholeResponse.assertStatus(200)
    assert.deepEqual(await names(), ['later A 192.0.2.1', 'www A 192.0.2.1', 'www TXT "first"'])
    const deleted = await restore(as, zone, { entry: 4, name: 'later' })
    deleted.assertStatus(200)
    assert.deepEqual(await names(), ['www A 192.0.2.1', 'www TXT "first"'])
  })

  test('a restore to the current state changes nothing', async ({ assert }) => {
    const before = await stateOf(zone.id)
    const response = await restore(as, zone, { entry: 4 })
    response.assertStatus(200)
    assert.equal(response.body().data.change.zones[0].entry, null)
    assert.deepEqual(await stateOf(zone.id), before)
  })

  test('a restore can be planned, and checks If-Match', async ({ assert }) => {
    await upset()
    const read = await as.get(path)
    await createRecord(as, zone, { ...A, name: 'meanwhile' })
    const before = await stateOf(zone.id)
    const planned = await restore(as, zone, { entry: 4, dry_run: true })
    planned.assertStatus(200)
    assert.lengthOf(planned.body().data.plan.zones[0].changes, 5)
    const staleResponse = await restore(as, zone, { entry: 4 }).header(
      'if-match',
      read.header('etag') ?? ''
    )
    staleResponse.assertStatus(412)
    assert.deepEqual(await stateOf(zone.id), before)
  })

  test('an invalid body gets 400 with the allowed members', async ({ assert }) => {
    const before = await stateOf(zone.id)
    const bad = [
      [{}, 400],
      [{ entry: 1, time: '2026-01-01' }, 400],
      [{ entry: -1 }, 400],
      [{ entry: 'x' }, 400],
      [{ time: 'yesterday' }, 400],
      [{ entry: 1, type: 'A' }, 400],
      [{ entry: 1, name: 'www.elsewhere.example.' }, 400],
      [{ entry: 99 }, 404],
      [{ entry: 0 }, 404],
      [{ time: '2000-01-01' }, 404],
    ] as const
    for (const [body, status] of bad) {
      const response = await restore(as, zone, body)
      assert.equal(response.status(), status, JSON.stringify(body))
    }
    assert.deepEqual(await stateOf(zone.id), before)
  })

  test('a restore keeps name, type and description', async ({ assert }) => {
    const name = zoneNamed('renamed')
    await as.put(path, { name, type: 'NATIVE', description: 'kept' })
    await as.delete(`${path}/rrsets/www/A`)
    const response = await restore(as, zone, { entry: 4 })
    response.assertStatus(200)
    const now = await dataOf(as.get(path), 'zone')
    assert.deepEqual([now.name, now.type, now.description], [name, 'NATIVE', 'kept'])
    const rrset = await as.get(`${path}/rrsets/www/A`)
    rrset.assertStatus(200)
  }).tags(['@sql'])

  test('a restore may bring back broken records of another tool, with a warning', async ({
    assert,
  }) => {
    await writeExternally(zone, { name: 'www', type: 'CNAME', content: 'a.example' })
    await writeExternally(zone, { name: '', type: 'MX', content: `www.${zone.name}`, prio: 5 })
    const [broken] = await historyEntries(as, zone)
    const state = await contentsOf(zone)
    await as.delete(`${path}/rrsets/www/CNAME`)
    await as.delete(`${path}/rrsets/@/MX`)
    const single = await restore(as, zone, { entry: broken.entry, name: 'www', type: 'CNAME' })
    single.assertStatus(400)
    const name = await restore(as, zone, { entry: broken.entry, name: 'www' })
    name.assertStatus(200)
    const { warnings } = name.body().data.change.zones[0]
    assert.deepEqual(
      warnings.map(({ rule }: { rule: string }) => rule),
      ['cname-alone']
    )
    const pointing = await restore(as, zone, { entry: broken.entry, name: '@' })
    pointing.assertStatus(400)
    const wholeResponse = await restore(as, zone, { entry: broken.entry })
    wholeResponse.assertStatus(200)
    assert.deepEqual(await contentsOf(zone), state)
  }).tags(['@sql'])

  test('a restore includes external changes', async ({ assert }) => {
    const before = await contentsOf(zone)
    await externalRows(zone, 'www').delete()
    await writeExternally(zone, { name: 'strange', type: 'A', content: 'x' })
    const response = await restore(as, zone, { entry: 4 })
    response.assertStatus(200)
    assert.deepEqual(await contentsOf(zone), before)
    const { channel, entry } = await lastEntryOf(zone.id)
    assert.deepEqual([channel, entry], ['api', 6])
  }).tags(['@sql'])

  test('a restore adds a lost SOA record again', async ({ assert }) => {
    const before = await contentsOf(zone)
    await externalRows(zone, '', 'SOA').delete()
    const response = await restore(as, zone, { entry: 4 })
    response.assertStatus(200)
    assert.deepEqual(await contentsOf(zone), before)
  })

  test('a restore of a replica is refused, because its records come from the primary', async () => {
    await as.delete(`${path}/rrsets/www/A`)
    await as.put(path, { type: 'SLAVE', masters: '192.0.2.53' })
    const response = await restore(as, zone, { entry: 4 })
    response.assertStatus(403)
  })

  test('a restore during other writes loses none of them', async ({ assert }) => {
    await upset()
    const writes = Array.from({ length: 8 }, (_, i) =>
      as.post(`${path}/records`, { ...A, name: `n${i}` })
    )
    const restores = [restore(as, zone, { entry: 4 }), restore(as, zone, { entry: 2 })]
    const answers = await Promise.all([...restores, ...writes])
    for (const answer of answers) {
      assert.include([200, 201, 409], answer.status())
    }
    const expected = await contentsOf(zone)
    const restoreResponse = await restore(as, zone, { entry: 1 })
    restoreResponse.assertStatus(200)
    const secondResponse = await restore(as, zone, { entry: (await newest(zone)) - 1 })
    secondResponse.assertStatus(200)
    assert.deepEqual(await contentsOf(zone), expected)
  })

  // RFC 4343, section 3: names that differ in case are one name, on every database.
  test('a restore replaces a row that another tool stored in upper case', async ({ assert }) => {
    await writeExternally(zone, { name: 'UP', type: 'A', content: '192.0.2.9' })
    const response = await restore(as, zone, { entry: 4 })
    response.assertStatus(200)
    assert.notInclude(JSON.stringify(await contentsOf(zone)), '192.0.2.9')
  }).tags(['@sql'])
})
