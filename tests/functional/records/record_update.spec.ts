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
import { zoneNamed } from '#tests/support/app/names'
import { administrator, type Person } from '#tests/support/app/people/people'
import { journalOf, stateOf } from '#tests/support/app/zones/zones'

type Fields = Record<string, unknown>
type Sent = { name: string; type: string; content: string } & Fields

const A: Sent = { name: 'www', type: 'A', content: '192.0.2.1', ttl: 300 }
const MX: Sent = { name: '@', type: 'MX', content: 'mail.example.net', priority: 10 }

const CHANGES: [what: string, first: Sent, change: Fields, told: Fields][] = [
  ['its content', A, { content: '192.0.2.2' }, { content: '192.0.2.2', ttl: 300, name: 'www' }],
  ['its TTL', A, { ttl: 0 }, { ttl: 0, content: '192.0.2.1' }],
  ['its name', A, { name: 'web' }, { name: 'web', content: '192.0.2.1' }],
  ['its name to the apex', A, { name: '@' }, { name: '@' }],
  ['its type', A, { type: 'txt', content: 'text' }, { type: 'TXT', content: 'text', ttl: 300 }],
  ['its type away from a priority', MX, { type: 'A', content: '192.0.2.1' }, { priority: 0 }],
  [
    'name, type, content and TTL at once',
    A,
    { name: '_a._tcp', type: 'SRV', content: '1 2 a.test', ttl: 1, priority: 3 },
    { name: '_a._tcp', type: 'SRV', content: '1 2 a.test', ttl: 1, priority: 3 },
  ],
  ['its priority', MX, { priority: 20 }, { priority: 20, content: 'mail.example.net' }],
  [
    'its content and priority by their data',
    MX,
    { content: '\\# 6 0014026D7800' },
    { content: 'mx', priority: 20 },
  ],
  ['its state', A, { disabled: true }, { disabled: true }],
  ['its state as 1', A, { disabled: 1 }, { disabled: true }],
]

test.group('PUT /zones/:id/records/:recordId', (group) => {
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

  test('the response has the current record', async ({ assert }) => {
    const { id } = await createRecord(as, zone, A)
    const response = await as.put(`/zones/${zone.id}/records/${id}`, { content: '192.0.2.2' })
    response.assertStatus(200)
    assert.deepEqual(response.body(), {
      success: true,
      data: {
        record: {
          id,
          zone_id: zone.id,
          name: 'www',
          type: 'A',
          content: '192.0.2.2',
          ttl: 300,
          priority: 0,
          disabled: false,
          auth: true,
          ptr_updated: false,
        },
      },
      message: 'Record updated successfully',
    })
  })

  for (const [what, first, change, told] of CHANGES) {
    test(`an update changes ${what}, and the record keeps its id`, async ({ assert }) => {
      const { id } = await createRecord(as, zone, first)
      const path = `/zones/${zone.id}/records`
      const response = await as.put(`${path}/${id}`, change)
      response.assertStatus(200)
      assert.containsSubset(response.body().data.record, { id, ...told })
      assert.containsSubset(await dataOf(as.get(`${path}/${id}`), 'record'), { id, ...told })
      // The SOA record and this one: the old record is gone.
      assert.lengthOf(await dataOf(as.get(path), 'records'), 2)
      assert.lengthOf(await journalOf(zone.id), 3)
    })
  }

  test('other records of the RRset stay unchanged', async ({ assert }) => {
    const [first, second, third] = [
      await createRecord(as, zone, A),
      await createRecord(as, zone, { ...A, content: '192.0.2.2' }),
      await createRecord(as, zone, { ...A, content: '192.0.2.3' }),
    ]
    const path = `/zones/${zone.id}/records`
    await as.put(`${path}/${second.id}`, { name: 'moved' })
    const records = await dataOf(as.get(`${path}?type=A`), 'records')
    const rows = records.map(({ id, name, content }: Sent) => [id, name, content])
    assert.deepEqual(rows, [
      [second.id, `moved.${zone.name}`, '192.0.2.2'],
      [first.id, `www.${zone.name}`, '192.0.2.1'],
      [third.id, `www.${zone.name}`, '192.0.2.3'],
    ])
  })

  test('two records swap their contents over a third', async ({ assert }) => {
    const [first, second] = [
      await createRecord(as, zone, A),
      await createRecord(as, zone, { ...A, content: '192.0.2.2' }),
    ]
    const path = `/zones/${zone.id}/records`
    await expectStatus(as.put(`${path}/${first.id}`, { content: '192.0.2.2' }), 409)
    await expectStatus(as.put(`${path}/${first.id}`, { content: '192.0.2.3' }), 200)
    await expectStatus(as.put(`${path}/${second.id}`, { content: '192.0.2.1' }), 200)
    await expectStatus(as.put(`${path}/${first.id}`, { content: '192.0.2.2' }), 200)
    const contents = await dataOf(as.get(`${path}?type=A`), 'records')
    assert.deepEqual(
      contents.map(({ id, content }: Sent) => [id, content]),
      [
        [first.id, '192.0.2.2'],
        [second.id, '192.0.2.1'],
      ]
    )
  })

  for (const same of [
    {},
    { content: '192.0.2.1' },
    { name: 'www' },
    { name: 'WWW.{zone}.' },
    { type: 'a' },
    { ttl: 300 },
    { ttl: '300' },
    { disabled: false },
    { disabled: 0 },
    { priority: 0 },
  ]) {
    const change = { ...same, update_ptr: false }
    test(`${JSON.stringify(same)} repeats stored values: 200 without a change`, async ({
      assert,
    }) => {
      const { id } = await createRecord(as, zone, A)
      const before = await stateOf(zone.id)
      const body = JSON.parse(JSON.stringify(change).replace('{zone}', zone.name))
      const response = await as.put(`/zones/${zone.id}/records/${id}`, body)
      response.assertStatus(200)
      assert.deepEqual(await stateOf(zone.id), before)
    })
  }

  for (const wrong of [
    {},
    { content: 'bad' },
    { content: '' },
    { content: 5 },
    { name: '' },
    { name: 'a b' },
    { name: 'www.example.net.' },
    { type: '' },
    { type: 'NOPE' },
    { type: 'AAAA' },
    { ttl: -5 },
    { ttl: '1.5' },
    { ttl: 2147483648 },
    { priority: 10 },
    { disabled: 2 },
    { update_ptr: 'perhaps' },
    { content: '192.0.2.2', ttl: -1 },
  ]) {
    test(`${JSON.stringify(wrong)} gets 400 and changes nothing`, async ({ assert }) => {
      const { id } = await createRecord(as, zone, A)
      const before = await stateOf(zone.id)
      const response = await as.put(`/zones/${zone.id}/records/${id}`, wrong)
      response.assertStatus(400)
      assert.deepEqual(await stateOf(zone.id), before)
    })
  }

  test('a disabled record is enabled again', async ({ assert }) => {
    const { id } = await createRecord(as, zone, { ...A, disabled: true })
    const response = await as.put(`/zones/${zone.id}/records/${id}`, { disabled: false })
    assert.isFalse(response.body().data.record.disabled)
  })
})

test.group('GET and DELETE /zones/:id/records/:recordId', (group) => {
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

  test('a deleted record gets 404', async ({ assert }) => {
    const { id } = await createRecord(as, zone, A)
    const path = `/zones/${zone.id}/records/${id}`
    const response = await as.delete(path)
    response.assertStatus(204)
    assert.equal(response.text(), '')
    for (const secondResponse of [
      await as.delete(path),
      await as.get(path),
      await as.put(path, { ttl: 60 }),
      await as.put(path, {}),
    ]) {
      secondResponse.assertStatus(404)
      secondResponse.assertBody({
        success: false,
        data: null,
        message: 'Record not found in this zone',
      })
    }
  })

  for (const id of [
    '999999999',
    '0',
    '-1',
    '2147483648',
    '9223372036854775807',
    '9223372036854775808',
    '99999999999999999999',
    '1e400',
    'abc',
    'a.b=c-d_e',
    '__proto__',
  ]) {
    test(`record id ${id} gets 404`, async () => {
      const path = `/zones/${zone.id}/records/${id}`
      for (const response of [
        await as.get(path),
        await as.put(path, { ttl: 60 }),
        await as.delete(path),
      ]) {
        response.assertStatus(404)
        response.assertBody({
          success: false,
          data: null,
          message: 'Record not found in this zone',
        })
      }
    })
  }

  test('a record has one address only', async ({ assert }) => {
    const { id } = await createRecord(as, zone, A)
    const before = await stateOf(zone.id)
    for (const other of [`0${id}`, `${id}.0`, `${id}e0`, `0x${id.toString(16)}`, `${id}.`]) {
      const path = `/zones/${zone.id}/records/${other}`
      await expectStatus(as.get(path), 404)
      await expectStatus(as.put(path, { ttl: 60 }), 404)
      await expectStatus(as.delete(path), 404)
    }
    assert.deepEqual(await stateOf(zone.id), before)
  })

  test('a record gets 404 in every other zone', async ({ assert }) => {
    const { id } = await createRecord(as, zone, A)
    const otherZone = await createZone(as, { name: zoneNamed() })
    const before = await stateOf(zone.id)
    const path = `/zones/${otherZone.id}/records/${id}`
    await expectStatus(as.get(path), 404)
    await expectStatus(as.put(path, { ttl: 60 }), 404)
    await expectStatus(as.delete(path), 404)
    assert.deepEqual(await stateOf(zone.id), before)
  })
})
