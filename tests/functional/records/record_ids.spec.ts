// @api-backend
import { test } from '@japa/runner'
import { caller, dataOf, createRecord, createZone, type Caller } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { administrator } from '#tests/support/app/people/people'

test.group('Ids of records', (group) => {
  let as: Caller
  let path: string
  /** Id of a record of the zone. */
  let id: number
  group.each.setup(async (t) => {
    as = caller(t.context.client, await administrator())
    const zone = await createZone(as, { name: zoneNamed() })
    path = `/zones/${zone.id}/records`
    const created = await createRecord(as, zone, { name: 'www', type: 'A', content: '192.0.2.1' })
    id = created.id
  })

  test('responses have record ids as JSON numbers', async ({ assert }) => {
    assert.isTrue(Number.isInteger(id))
    const { record } = await dataOf(as.get(`${path}/${id}`))
    assert.strictEqual(record.id, id)
    const list = await dataOf(as.get(`${path}?type=A`))
    assert.deepEqual(
      list.records.map((one: { id: unknown }) => one.id),
      [id]
    )
    const put = await dataOf(as.put(`${path}/${id}`, { content: '192.0.2.2' }))
    assert.strictEqual(put.record.id, id)
  })

  for (const shape of ['number', 'text']) {
    test(`a record id is accepted as ${shape}`, async () => {
      const given = shape === 'text' ? String(id) : id
      const change = { action: 'update', id: given, ttl: 70 }
      const changed = await as.post(`${path}/bulk`, { operations: [change] })
      changed.assertStatus(200)
      const deletion = { action: 'delete', id: given }
      const deleted = await as.post(`${path}/bulk`, { operations: [deletion] })
      deleted.assertStatus(200)
      const removed = await as.get(`${path}/${id}`)
      removed.assertStatus(404)
    })
  }

  test('both forms of an id identify the same record', async () => {
    const operations = [
      { action: 'update', id: String(id), ttl: 90 },
      { action: 'delete', id },
    ]
    const both = await as.post(`${path}/bulk`, { operations })
    both.assertStatus(200)
    const removed = await as.get(`${path}/${id}`)
    removed.assertStatus(404)
  })
})
