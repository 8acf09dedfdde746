// @databases @api-backend(all)
import db from '@adonisjs/lucid/services/db'
import { setTimeout } from 'node:timers/promises'
import { test } from '@japa/runner'
import { caller, createRecord, createZone, type Caller } from '#tests/support/app/api'
import { nameServerDatabase } from '#tests/support/app/backend'
import { backendUnderTest } from '#tests/support/app/zones/foreign_zones'
import { historyEntries, writeExternally } from '#tests/support/app/zones/history'
import { unique, zoneNamed } from '#tests/support/app/names'
import { administrator } from '#tests/support/app/people/people'
import { serialOf, stateOf } from '#tests/support/app/zones/zones'

const A = { name: 'www', type: 'A', content: '192.0.2.1', ttl: 300 }

interface SetItem {
  name: string
  type: string
  ttl: number
  records: { content: string }[]
}

test.group('GET /zones/:id/at', (group) => {
  let as: Caller
  let zone: { id: number; name: string }
  let path: string
  group.each.setup(async (t) => {
    as = caller(t.context.client, await administrator())
    zone = await createZone(as, { name: zoneNamed() })
    path = `/zones/${zone.id}`
  })

  const at = async (query: string) => {
    const response = await as.get(`${path}/at?${query}`)
    response.assertStatus(200)
    return response.body().data
  }
  const sets = (rrsets: SetItem[]) =>
    rrsets.map(({ name, type, ttl, records }) => [
      name,
      type,
      ttl,
      records.map(({ content }) => content).sort(),
    ])

  test('the state after each entry is correct, including the serial', async ({ assert }) => {
    const states = [{ ...(await at('entry=1')), serial: await serialOf(zone.id) }]
    const record = await createRecord(as, zone, A)
    states.push({ ...(await at('entry=2')), serial: await serialOf(zone.id) })
    await as.put(`${path}/records/${record.id}`, { name: 'web', ttl: 60 })
    states.push({ ...(await at('entry=3')), serial: await serialOf(zone.id) })
    await as.put(path, { type: 'NATIVE', description: 'text' })
    await as.delete(`${path}/records/${record.id}`)
    for (const [index, state] of states.entries()) {
      const earlier = await at(`entry=${index + 1}`)
      assert.deepEqual(sets(earlier.rrsets), sets(state.rrsets))
      assert.equal(earlier.zone.serial, state.serial)
      assert.equal(earlier.zone.type, 'MASTER')
      assert.isNull(earlier.zone.description)
      const soa = earlier.rrsets.find(({ type }: SetItem) => type === 'SOA')
      assert.include(soa.records[0].content, ` ${state.serial} `)
    }
    const { zone: now } = await at('entry=5')
    assert.deepEqual([now.type, now.description], ['NATIVE', 'text'])
  })

  test('the state is returned as a zone file on request', async ({ client, assert }) => {
    await createRecord(as, zone, A)
    await createRecord(as, zone, { ...A, content: '192.0.2.2' })
    const response = await as.get(`${path}/at?entry=2`).header('accept', 'text/dns')
    response.assertStatus(200)
    assert.equal(response.header('content-type'), 'text/dns; charset=utf-8')
    assert.match(response.text(), /^www\s+300\s+IN\s+A\s+192\.0\.2\.1$/m)
    assert.notInclude(response.text(), '192.0.2.2')
    const any = await as.get(`${path}/at?entry=2`).header('accept', '*/*')
    assert.isTrue(any.body().success)
    const invalidResponse = await as.get(`${path}/at?entry=99`).header('accept', 'text/dns')
    invalidResponse.assertStatus(404)
    assert.isFalse(invalidResponse.body().success)
    const nobody = await client.get(`/api/v2${path}/at?entry=2`).header('accept', 'text/dns')
    nobody.assertStatus(401)
  })

  test('a time selects the entry, and a time before the creation gets 404', async ({ assert }) => {
    await setTimeout(5)
    await createRecord(as, zone, A)
    const [second, first] = await historyEntries(as, zone)
    const before = await at(`time=${first.time}`)
    assert.equal(before.zone.entry, 1)
    assert.equal(before.zone.time, first.time)
    const after = await at(`time=${second.time}`)
    assert.equal(after.zone.entry, 2)
    const future = await at('time=2999-01-01T00:00:00Z')
    assert.equal(future.zone.entry, 2)
    for (const query of ['time=2000-01-01', 'entry=0']) {
      const response = await as.get(`${path}/at?${query}`)
      response.assertStatus(404)
      assert.include(response.body().message, 'did not exist')
    }
  })

  test('exactly one existing entry or time is required', async () => {
    const bad = [
      ['at', 400],
      ['at?entry=1&time=2026-01-01', 400],
      ['at?entry=x', 400],
      ['at?entry=-1', 400],
      ['at?entry=1.5', 400],
      ['at?time=now', 400],
      ['at?entry=2', 404],
      ['at?entry=999999999', 404],
      ['at?entry=9999999999', 400],
      ['diff', 400],
      ['diff?from=x', 400],
      ['diff?from=2', 404],
      ['diff?from=1&to=2', 404],
    ] as const
    for (const [query, status] of bad) {
      const response = await as.get(`${path}/${query}`)
      response.assertStatus(status)
    }
  })

  test('the difference of two states is correct in either direction', async ({ assert }) => {
    const record = await createRecord(as, zone, A)
    await createRecord(as, zone, { ...A, name: 'gone' })
    await as.put(`${path}/records/${record.id}`, { content: '192.0.2.9' })
    await as.delete(`${path}/rrsets/gone/A`)
    await as.put(path, { description: 'later' })
    const diff = async (query: string) => {
      const response = await as.get(`${path}/diff?${query}`)
      response.assertStatus(200)
      return response.body().data
    }
    const forward = await diff('from=1')
    assert.deepEqual([forward.from, forward.to], [1, 6])
    assert.lengthOf(forward.changes, 1)
    assert.equal(forward.changes[0].before, null)
    assert.equal(forward.changes[0].after.records[0].content, '192.0.2.9')
    assert.deepEqual(forward.properties.after, { description: 'later' })
    const back = await diff('from=6&to=1')
    assert.equal(back.changes[0].after, null)
    assert.deepEqual(back.properties.after, { description: null })
    const middle = await diff('from=2&to=3')
    assert.deepEqual(middle.changes[0].name, `gone.${zone.name}`)
    const nothing = await diff('from=3&to=3')
    assert.deepEqual(nothing.changes, [])
    const whole = await diff('from=0&to=1')
    assert.include(
      whole.changes.map(({ type }: SetItem) => type),
      'SOA'
    )
    const [newest] = await historyEntries(as, zone)
    const timed = await diff(`from=2000-01-01&to=${newest.time}`)
    assert.deepEqual([timed.from, timed.to], [0, 6])
  })

  test('the state before a rename has the old name and the same records', async ({ assert }) => {
    await createRecord(as, zone, A)
    await createRecord(as, zone, { name: '*.deep', type: 'TXT', content: 'x' })
    const before = await at('entry=3')
    const file = await as.get(`${path}/at?entry=3`).header('accept', 'text/dns')
    await as.put(path, { name: `sub.${unique('b')}.test` })
    await as.delete(`${path}/rrsets/www/A`)
    const earlier = await at('entry=3')
    assert.deepEqual(earlier, before)
    const secondResponse = await as.get(`${path}/at?entry=3`).header('accept', 'text/dns')
    assert.equal(secondResponse.text(), file.text())
    const diff = await as.get(`${path}/diff?from=3`)
    const { changes, properties } = diff.body().data
    assert.lengthOf(changes, 1)
    assert.match(changes[0].name, /^www\.sub\./)
    assert.equal(properties.before.name, zone.name)
  }).tags(['@sql'])

  test('the states continue after deletion and restore, with a gap between', async ({ assert }) => {
    await createRecord(as, zone, A)
    const before = await at('entry=2')
    await as.delete(path)
    await setTimeout(5)
    const between = new Date().toISOString()
    await setTimeout(5)
    const trash = await as.get('/trash')
    const { id } = trash.body().data.zones[0]
    const restored = await as.post(`/trash/${id}/restore`, {})
    restored.assertStatus(201)
    await createRecord(as, zone, { ...A, name: 'later' })
    assert.deepEqual(await at('entry=2'), before)
    for (const point of ['entry=3', `time=${between}`]) {
      const response = await as.get(`${path}/at?${point}`)
      response.assertStatus(404)
      assert.include(response.body().message, 'did not exist')
    }
    const diff = await as.get(`${path}/diff?from=2`)
    assert.deepEqual(
      sets(
        diff
          .body()
          .data.changes.map(({ after, ...key }: { after: object }) => ({ ...key, ...after }))
      ),
      [[`later.${zone.name}`, 'A', 300, ['192.0.2.1']]]
    )
  })

  test('a zone of another tool has a state before its first entry', async ({ assert }) => {
    const name = zoneNamed('adopted')
    await nameServerDatabase().table('domains').insert({ name, type: 'NATIVE' })
    const backend = await backendUnderTest()
    const adopted = (await backend.findZoneByName(name))!
    const { id } = adopted
    await writeExternally(
      adopted,
      { name: '', type: 'SOA', content: 'ns.example h.example 7 1 1 1 1' },
      { name: 'www', type: 'A', content: '192.0.2.1' }
    )
    const freshResponse = await as.get(`/zones/${id}/at?entry=0`)
    freshResponse.assertStatus(200)
    assert.equal(freshResponse.body().data.zone.serial, 7)
    assert.lengthOf(freshResponse.body().data.rrsets, 2)
    assert.deepEqual(await historyEntries(as, adopted), [])
    await createRecord(as, adopted, { ...A, name: 'new' })
    const first = await as.get(`/zones/${id}/at?entry=0`)
    assert.deepEqual(first.body().data, freshResponse.body().data)
    const restoreResponse = await as.post(`/zones/${id}/restore`, { entry: 0 })
    restoreResponse.assertStatus(200)
    const now = await as.get(`/zones/${id}/at?entry=2`)
    assert.deepEqual(sets(now.body().data.rrsets.filter(({ type }: SetItem) => type !== 'SOA')), [
      [`www.${name}`, 'A', 300, ['192.0.2.1']],
    ])
  })

  test('a pruned state gets 404 with the oldest available entry', async ({ assert }) => {
    await createRecord(as, zone, A)
    await createRecord(as, zone, { ...A, name: 'b' })
    const before = await stateOf(zone.id)
    await db.from('zw_journal').where({ zone_id: zone.id }).where('entry', '<', 3).delete()
    for (const query of ['at?entry=1', 'at?entry=0', 'diff?from=1', 'at?time=2000-01-01']) {
      const response = await as.get(`${path}/${query}`)
      response.assertStatus(404)
      assert.include(response.body().message, 'starts at entry 3')
    }
    const earlier = await at('entry=2')
    assert.lengthOf(earlier.rrsets, before.journal[0].changes.length + 1)
    assert.isNumber(earlier.zone.serial)
    const list = await as.get(`${path}/history`)
    assert.equal(list.body().pagination.total, 1)
  })
})
