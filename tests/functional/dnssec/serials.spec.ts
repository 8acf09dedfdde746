// @databases @api-backend
import { test } from '@japa/runner'
import {
  caller,
  type Caller,
  expectStatus,
  createRecord,
  createZone,
  dataOf,
} from '#tests/support/app/api'
import { nameServerDatabase } from '#tests/support/app/backend'
import { unique, zoneNamed } from '#tests/support/app/names'
import { administrator, type Person } from '#tests/support/app/people/people'
import { journalOf, serialOf, setSerial, lastEntryOf } from '#tests/support/app/zones/zones'

const A = { name: 'www', type: 'A', content: '192.0.2.1' }

/** Returns the first serial of the day, YYYYMMDD00. */
function dated(days = 0): number {
  const now = new Date()
  const day = new Date(now.getFullYear(), now.getMonth(), now.getDate() + days)
  return ((day.getFullYear() * 100 + day.getMonth() + 1) * 100 + day.getDate()) * 100
}

test.group('Serial', (group) => {
  let admin: Person
  let as: Caller
  let zone: { id: number; name: string }
  group.setup(async () => {
    admin = await administrator()
  })
  group.each.setup(async (t) => {
    as = caller(t.context.client, admin)
    zone = await createZone(as, { name: zoneNamed() })
  })

  test('the serial goes up by one for each change of any kind', async ({ assert }) => {
    const first = await serialOf(zone.id)
    const path = `/zones/${zone.id}/records`
    const { id } = await createRecord(as, zone, A)
    assert.equal(await serialOf(zone.id), first + 1)
    await as.put(`${path}/${id}`, { content: '192.0.2.2', name: 'moved', ttl: 60 })
    assert.equal(await serialOf(zone.id), first + 2)
    await as.put(`${path}/${id}`, { disabled: true })
    assert.equal(await serialOf(zone.id), first + 3)
    await as.delete(`${path}/${id}`)
    assert.equal(await serialOf(zone.id), first + 4)
  })

  test('the serial stays without a change', async ({ assert }) => {
    const { id } = await createRecord(as, zone, A)
    const serial = await serialOf(zone.id)
    await as.put(`/zones/${zone.id}/records/${id}`, A)
    await as.put(`/zones/${zone.id}`, { name: zone.name, type: 'MASTER' })
    await as.post(`/zones/${zone.id}/records`, A)
    await as.post(`/zones/${zone.id}/records`, { ...A, content: 'bad' })
    assert.equal(await serialOf(zone.id), serial)
  })

  test('a serial written with the SOA record is stored', async ({ assert }) => {
    const [soa] = await dataOf(as.get(`/zones/${zone.id}/records?type=SOA`), 'records')
    const path = `/zones/${zone.id}/records/${soa.id}`
    const content = 'ns1.example.net hostmaster.example.net 4242 1 2 3 4'
    const response = await as.put(path, { content })
    assert.equal(response.body().data.record.content, content)
    assert.equal(await serialOf(zone.id), 4242)
    const entry = await lastEntryOf(zone.id)
    assert.containsSubset(entry, { serial_after: 4242 })
    assert.lengthOf(entry?.changes ?? [], 1)
    await as.put(path, { ttl: 60 })
    assert.equal(await serialOf(zone.id), 4242)
  })

  test('the serial is that of the enabled SOA record if a disabled one exists', async ({
    assert,
  }) => {
    const policy = `/zones/${zone.id}/metadata/SOA-EDIT-API`
    await expectStatus(as.put(policy, { values: ['INCREASE'] }), 200)
    const first = await serialOf(zone.id)
    const rows = () => nameServerDatabase().from('records').where({ name: zone.name, type: 'SOA' })
    const served = await rows().firstOrFail()
    delete served.id
    const content = String(served.content).replace(` ${first} `, ' 5 ')
    // The served row comes second.
    await rows().delete()
    await nameServerDatabase()
      .table('records')
      .multiInsert([{ ...served, content, disabled: true }, served])
    await createRecord(as, zone, A)
    const entry = await lastEntryOf(zone.id)
    assert.containsSubset(entry, { serial_before: first, serial_after: first + 1 })
    const list: { content: string; disabled: boolean }[] = await dataOf(
      as.get(`/zones/${zone.id}/records?type=SOA`),
      'records'
    )
    const now = list.filter(({ disabled }) => !disabled)
    assert.lengthOf(now, 1)
    assert.include(now[0].content, ` ${first + 1} `)
  })

  test('the journal has the serial of a change', async ({ assert }) => {
    await setSerial(zone.id, 7)
    await createRecord(as, zone, A)
    const entry = await lastEntryOf(zone.id)
    assert.containsSubset(entry, { serial_before: 7, serial_after: 8 })
  })

  const cases: [what: string, stored: () => number, next: () => number][] = [
    ['0 stays 0', () => 0, () => 0],
    ['a small number goes up', () => 1, () => 2],
    ['the last number before dates goes back to 1', () => 1979999999, () => 1],
    ['an old date becomes today', () => 2001010105, () => dated()],
    ['today goes up', () => dated() + 41, () => dated() + 42],
    ['the 99th change of today takes the next day', () => dated() + 99, () => dated(1)],
    ['a date to come goes up', () => dated(400) + 3, () => dated(400) + 4],
    ['the last number of all goes back to 1', () => 4294967295, () => 1],
  ]
  for (const [what, stored, next] of cases) {
    test(`${what}, in the next serial`, async ({ assert }) => {
      let today: number
      let expected: number
      do {
        today = dated()
        expected = next()
        await setSerial(zone.id, stored())
        await createRecord(as, zone, { ...A, name: unique('host') })
        // Repeats the test if midnight passed.
      } while (dated() !== today)
      assert.equal(await serialOf(zone.id), expected)
    })
  }

  test('serial and records are correct after many concurrent changes', async ({ assert }) => {
    const first = await serialOf(zone.id)
    const path = `/zones/${zone.id}/records`
    const names = Array.from({ length: 12 }, (_, index) => `n${index}`)
    const answers = await Promise.all(names.map((name) => as.post(path, { ...A, name })))
    answers.forEach((response) => response.assertStatus(201))
    assert.equal(await serialOf(zone.id), first + names.length)
    const entries = await journalOf(zone.id)
    assert.deepEqual(
      entries.map(({ entry }) => entry),
      Array.from({ length: names.length + 1 }, (_, index) => index + 1)
    )
    assert.lengthOf(await dataOf(as.get(`${path}?type=A`), 'records'), names.length)
  })

  test('a broken SOA record does not prevent other changes', async ({ assert }) => {
    const { default: db } = await import('@adonisjs/lucid/services/db')
    await db.from('records').where('domain_id', zone.id).update({ content: 'broken' })
    await createRecord(as, zone, A)
    const entry = await lastEntryOf(zone.id)
    assert.containsSubset(entry, { serial_before: null, serial_after: null })
  }).tags(['@sql'])
})
