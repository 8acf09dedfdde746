// @databases @api-backend
import { test } from '@japa/runner'
import { baseUrl, caller, createRecord, createZone, dataOf } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, keyFor, person, type Person } from '#tests/support/app/people/people'
import {
  journalOf,
  lastEntryOf,
  rowCounts,
  serialOf,
  stateOf,
} from '#tests/support/app/zones/zones'

const A = { type: 'A', content: '192.0.2.1' }
const create = (name: string, overrides: object = {}) => ({
  action: 'create',
  name,
  ...A,
  ...overrides,
})

test.group('Bulk', (group) => {
  let admin: Person
  let as: ReturnType<typeof caller>
  let zone: { id: number; name: string }
  let path: string
  group.setup(async () => {
    admin = await administrator()
  })
  group.each.setup(async (t) => {
    as = caller(t.context.client, admin)
    zone = await createZone(as, { name: zoneNamed() })
    path = `/zones/${zone.id}/records/bulk`
  })

  test('a bulk request creates, updates and deletes with one serial and one journal entry', async ({
    assert,
  }) => {
    const changed = await createRecord(as, zone, { name: 'b0', ...A })
    const removed = await createRecord(as, zone, { name: 'b1', ...A })
    const serial = await serialOf(zone.id)
    const { journal } = await stateOf(zone.id)
    const response = await as.post(path, {
      operations: [
        create('bnew'),
        { action: 'UPDATE', id: String(changed.id), content: '192.0.2.200', ttl: 60 },
        { action: 'Delete', id: removed.id },
      ],
      comment: 'ticket-1',
    })
    response.assertStatus(200)
    response.assertBody({
      success: true,
      data: { total_operations: 3, created: 1, updated: 1, deleted: 1, failed: 0, errors: [] },
      message: 'Bulk operations completed successfully',
    })
    assert.equal(await serialOf(zone.id), serial + 1)
    const after = await journalOf(zone.id)
    assert.lengthOf(after, journal.length + 1)
    const entry = after.at(-1)!
    assert.containsSubset(entry, {
      reason: 'ticket-1',
      origin_kind: 'bulk',
      serial_before: serial,
      serial_after: serial + 1,
    })
    assert.sameMembers(
      entry.changes.map(({ name }) => name),
      ['bnew', 'b0', 'b1'].map((label) => `${label}.${zone.name}`)
    )
    const updated = await dataOf(as.get(`/zones/${zone.id}/records/${changed.id}`), 'record')
    assert.containsSubset(updated, { name: 'b0', content: '192.0.2.200', ttl: 60 })
  })

  for (const [what, status, bad, reason] of [
    [
      'a bad content',
      400,
      create('bbad', { content: 'bad' }),
      /^Operation 1 \(create\): .*content/,
    ],
    ['a name of elsewhere', 400, create('www.other.test.'), /^Operation 1 \(create\): .*name/],
    ['no content', 400, { action: 'create', name: 'x', type: 'A' }, /^Operation 1 .*'content'/],
    ['no name', 400, { action: 'create', ...A }, /^Operation 1 \(create\): Field 'name' is requ/],
    ['an unknown action', 400, { action: 'foo' }, /^Operation 1 \(foo\): Invalid action: foo/],
    ['an update without id', 400, { action: 'update' }, /^Operation 1 .*'id' is required/],
    ['a deletion without id', 400, { action: 'delete' }, /^Operation 1 .*'id' is required/],
    ['an unknown id', 404, { action: 'delete', id: 999999999 }, /^Operation 1 .*Record not found/],
    ['a word as id', 404, { action: 'update', id: 'x', ttl: 5 }, /^Operation 1 .*Record not found/],
    ['what the one before made', 409, create('bok'), /^Operation 1 \(create\): bok.* twice/],
    [
      'a CNAME beside an A',
      400,
      create('bok', { type: 'CNAME', content: 'a.test' }),
      /^Operation 1/,
    ],
    ['a CNAME at the apex', 400, create('@', { type: 'CNAME', content: 'a.test' }), /^Operation 1/],
    ['a priority where none is', 400, create('p', { priority: 5 }), /^Operation 1 .*priority/],
    ['an unknown type', 400, create('p', { type: 'NOPE' }), /^Operation 1 .*type/],
  ] as const) {
    test(`${what} refuses the whole request with ${status} and names the operation`, async ({
      assert,
    }) => {
      const before = await stateOf(zone.id)
      const response = await as.post(path, { operations: [create('bok'), bad, create('last')] })
      response.assertStatus(status)
      const { success, data, message } = response.body()
      const { errors, ...counters } = data
      assert.isFalse(success)
      assert.equal(message, 'Bulk operations failed')
      assert.deepEqual(counters, {
        total_operations: 3,
        created: 0,
        updated: 0,
        deleted: 0,
        failed: 1,
      })
      assert.lengthOf(errors, 1)
      assert.match(errors[0], reason)
      assert.deepEqual(await stateOf(zone.id), before)
    })
  }

  for (const [what, body] of [
    ['no operations', { comment: 'x' }],
    ['null', { operations: null }],
    ['an object', { operations: { action: 'create' } }],
    ['a text', { operations: 'create' }],
    ['an empty list', { operations: [] }],
    ['a list of texts', { operations: ['create'] }],
    ['a list of null', { operations: [null] }],
    ['an action that is a number', { operations: [{ ...create('x'), action: 1 }] }],
    ['an empty action', { operations: [{ ...create('x'), action: '' }] }],
    ['a negative TTL', { operations: [create('x', { ttl: -1 })] }],
    ['a fraction as TTL', { operations: [create('x', { ttl: '1.5' })] }],
    ['a list as content', { operations: [create('x', { content: ['192.0.2.1'] })] }],
    ['a switch of 2', { operations: [create('x', { disabled: 2 })] }],
    ['an id that is a list', { operations: [{ action: 'delete', id: [1] }] }],
    ['an id that is a fraction', { operations: [{ action: 'delete', id: 1.5 }] }],
    ['an id that is a switch', { operations: [{ action: 'delete', id: true }] }],
  ] as [string, object][]) {
    test(`${what} is not a bulk request: 400`, async ({ assert }) => {
      const before = await stateOf(zone.id)
      const response = await as.post(path, body)
      response.assertStatus(400)
      assert.match(response.body().message, /operation/)
      assert.notMatch(response.body().message, /list of strings/)
      assert.deepEqual(await stateOf(zone.id), before)
    })
  }

  test('every refused operation is listed with its index', async ({ assert }) => {
    const before = await stateOf(zone.id)
    const refused = async (operations: object[]): Promise<{ failed: number; errors: string[] }> => {
      const response = await as.post(path, { operations })
      assert.isFalse(response.body().success)
      return response.body().data
    }
    const contents = await refused([
      create('b1', { content: 'bad' }),
      create('fine'),
      create('b2', { type: 'NOPE' }),
      create('b3', { priority: 5 }),
    ])
    assert.equal(contents.failed, 3)
    assert.deepEqual(
      contents.errors.map((text) => /^Operation (\d) \(create\): /.exec(text)?.[1]),
      ['0', '2', '3']
    )
    const shapes = await refused([{ action: 'foo' }, create('fine'), { action: 'bar' }])
    assert.lengthOf(shapes.errors, 2)
    const fields = await refused([
      { action: 'update' },
      { action: 'create', name: 'x', type: 'A' },
      { action: 'delete' },
    ])
    assert.lengthOf(fields.errors, 3)
    const ids = await refused([1, 2, 3].map((id) => ({ action: 'delete', id: 999_999_990 + id })))
    assert.lengthOf(ids.errors, 3)
    const alias = { type: 'CNAME', content: 'a.test' }
    const rules = await refused([
      create('r1'),
      create('r1', alias),
      create('r2'),
      create('r2', alias),
    ])
    assert.deepEqual(
      rules.errors.map((text) => /^Operation (\d)/.exec(text)?.[1]),
      ['1', '3']
    )
    const many = await refused(
      Array.from({ length: 150 }, (_, at) => create(`m${at}`, { content: 'bad' }))
    )
    assert.deepEqual([many.failed, many.errors.length], [100, 100])
    assert.deepEqual(await stateOf(zone.id), before)
  })

  test('operations are applied in order', async ({ assert }) => {
    const { id } = await createRecord(as, zone, { name: 'a', ...A })
    const repeatedResponse = await as.post(path, {
      operations: [
        { action: 'delete', id },
        { action: 'update', id, ttl: 60 },
      ],
    })
    repeatedResponse.assertStatus(404)
    assert.match(repeatedResponse.body().data.errors[0], /^Operation 1 \(update\)/)
    const swapped = await as.post(path, {
      operations: [{ action: 'delete', id }, create('a', { type: 'CNAME', content: 'b.test' })],
    })
    swapped.assertStatus(200)
    const types = await dataOf(as.get(`/zones/${zone.id}/rrsets`), 'rrsets')
    assert.deepEqual(
      types.map(({ type }: { type: string }) => type),
      ['CNAME', 'SOA']
    )
  })

  test('operations without a net change write no journal entry', async ({ assert }) => {
    const { id } = await createRecord(as, zone, { name: 'a', ...A })
    const before = await stateOf(zone.id)
    const response = await as.post(path, {
      operations: [
        { action: 'update', id, content: '192.0.2.1' },
        { action: 'delete', id },
        create('a'),
      ],
    })
    response.assertStatus(200)
    assert.containsSubset(response.body().data, { created: 1, updated: 1, deleted: 1 })
    assert.deepEqual(await stateOf(zone.id), before)
  })

  test('replicas get 403, hidden and missing zones get 404', async ({ client, assert }) => {
    const replica = await createZone(as, { name: zoneNamed(), type: 'SLAVE', master: '192.0.2.1' })
    const readOnly = await as.post(`/zones/${replica.id}/records/bulk`, {
      operations: [create('x')],
    })
    readOnly.assertStatus(403)
    assert.isNull(readOnly.body().data)
    assert.match(readOnly.body().message, /read-only/)
    const stranger = caller(client, await person({ template: 'Zone Manager' }))
    const hidden = await stranger.post(path, { operations: [create('x')] })
    const missing = await stranger.post('/zones/999999999/records/bulk', { operations: [] })
    hidden.assertStatus(404)
    assert.deepEqual(hidden.body(), missing.body())
  })

  test('the zone is checked before the body', async () => {
    const response = await as.post('/zones/999999999/records/bulk', { operations: 5 })
    response.assertStatus(404)
  })

  for (const [operations, allowed] of [
    [['create'], ['create']],
    [['update'], ['update']],
    [['delete'], ['delete']],
    [['view'], []],
    [
      ['create', 'delete'],
      ['create', 'delete'],
    ],
  ] as const) {
    test(`a key for ${operations.join(' and ')} may do this in bulk and nothing else`, async ({
      client,
      assert,
    }) => {
      const { id } = await createRecord(as, zone, { name: 'a', ...A })
      const other = await createRecord(as, zone, { name: 'o', ...A })
      const restricted = caller(client, await keyFor(admin, { operations: [...operations] }))
      const steps: Record<string, object> = {
        create: create('new'),
        update: { action: 'update', id, ttl: 60 },
        delete: { action: 'delete', id: other.id },
      }
      for (const [word, step] of Object.entries(steps)) {
        const before = await stateOf(zone.id)
        const isAllowed = (allowed as readonly string[]).includes(word)
        const response = await restricted.post(path, { operations: [step] })
        response.assertStatus(isAllowed ? 200 : 403)
        if (!isAllowed) {
          assert.match(response.body().message, new RegExp(`'${word}' operation`))
          assert.deepEqual(await stateOf(zone.id), before)
        }
      }
      const before = await stateOf(zone.id)
      const all = await restricted.post(path, { operations: Object.values(steps) })
      all.assertStatus(403)
      assert.deepEqual(await stateOf(zone.id), before)
    })
  }

  test('a key that creates and deletes may replace a record of an RRset by both operations', async ({
    client,
  }) => {
    const { id } = await createRecord(as, zone, { name: 'a', ...A })
    const operations = [{ action: 'delete', id }, create('a', { content: '192.0.2.2' })]
    const creator = caller(client, await keyFor(admin, { operations: ['create'] }))
    const refused = await creator.post(path, { operations })
    refused.assertStatus(403)
    const both = caller(client, await keyFor(admin, { operations: ['create', 'delete'] }))
    const doneResponse = await both.post(path, { operations })
    doneResponse.assertStatus(200)
  })

  test('a key that only creates cannot change TTLs', async ({ client, assert }) => {
    await createRecord(as, zone, { name: 'a', ...A, ttl: 300 })
    const creator = caller(client, await keyFor(admin, { operations: ['create'] }))
    const before = await stateOf(zone.id)
    const response = await creator.post(path, {
      operations: [create('a', { content: '192.0.2.2', ttl: 60 })],
    })
    response.assertStatus(403)
    assert.deepEqual(await stateOf(zone.id), before)
  })

  test('a key of other zones is refused before the zone is looked up', async ({ client }) => {
    const ownZone = await createZone(as, { name: zoneNamed() })
    const restricted = caller(client, await keyFor(admin, { zones: [ownZone] }))
    for (const at of [path, '/zones/999999999/records/bulk']) {
      const response = await restricted.post(at, { operations: [create('x')] })
      response.assertStatus(403)
    }
  })

  test('a client-level editor changes no SOA, NS or LUA record, and the whole request fails', async ({
    client,
    assert,
  }) => {
    const editor = await person({ template: 'Editor' })
    const ownZone = await createZone(as, { name: zoneNamed(), owner_user_id: editor.id })
    const ns = await createRecord(as, ownZone, { name: 'sub', type: 'NS', content: 'ns.test' })
    const soa = await dataOf(as.get(`/zones/${ownZone.id}/records?type=SOA`), 'records.0')
    const a = await createRecord(as, ownZone, { name: 'a', ...A })
    const before = await stateOf(ownZone.id)
    for (const step of [
      create('@', { type: 'NS', content: 'ns1.test' }),
      create('l', { type: 'LUA', content: 'A "ifportup(443, {\'192.0.2.1\'})"' }),
      { action: 'update', id: soa.id, ttl: 60 },
      { action: 'delete', id: soa.id },
      { action: 'delete', id: ns.id },
      { action: 'update', id: a.id, type: 'NS', content: 'ns1.test' },
    ]) {
      const response = await caller(client, editor).post(`/zones/${ownZone.id}/records/bulk`, {
        operations: [create('fine'), step],
      })
      response.assertStatus(403)
      assert.match(response.body().data.errors[0], /^Operation 1 /, JSON.stringify(step))
      assert.deepEqual(await stateOf(ownZone.id), before)
    }
  })

  test('the SOA record of a zone cannot be deleted', async ({ assert }) => {
    const soa = await dataOf(as.get(`/zones/${zone.id}/records?type=SOA`), 'records.0')
    const before = await stateOf(zone.id)
    const response = await as.post(path, { operations: [{ action: 'delete', id: soa.id }] })
    response.assertStatus(400)
    assert.match(response.body().data.errors[0], /^Operation 0 \(delete\): .*SOA/)
    assert.deepEqual(await stateOf(zone.id), before)
  })

  test('other methods get 405', async ({ client }) => {
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      const response = await client.request(`/api/v2${path}`, method).header('x-api-key', admin.key)
      response.assertStatus(405)
      response.assertHeader('allow', 'POST')
    }
  })

  test('5000 creations, updates and deletions take less than a minute each', async ({ assert }) => {
    // Far above the expected time on a busy machine, and far below quadratic work for 5000 operations.
    const SECONDS = 60
    const names = Array.from({ length: 5_000 }, (_, i) => `h${i}`)
    const timed = async (operations: object[]) => {
      const started = performance.now()
      const response = await as.post(path, { operations }).timeout(120_000)
      const seconds = (performance.now() - started) / 1000
      response.assertStatus(200)
      assert.isBelow(seconds, SECONDS)
      return `${seconds.toFixed(1)} s`
    }
    const times = [await timed(names.map((name) => create(name)))]
    const createdObject = await dataOf(as.get(`/zones/${zone.id}/records?type=A`), 'records')
    const ids: number[] = createdObject.map(({ id }: { id: number }) => id)
    assert.lengthOf(ids, 5_000)
    times.push(await timed(ids.map((id) => ({ action: 'update', id, content: '192.0.2.9' }))))
    times.push(await timed(ids.map((id) => ({ action: 'delete', id }))))
    // All at one name, deleted in reverse order.
    const texts = names.map((text) => create('t', { type: 'TXT', content: text }))
    times.push(await timed(texts))
    const set = await dataOf(as.get(`/zones/${zone.id}/records?type=TXT`), 'records')
    const last: number[] = set.map(({ id }: { id: number }) => id).reverse()
    times.push(await timed(last.map((id) => ({ action: 'update', id, ttl: 60 }))))
    times.push(await timed(last.map((id) => ({ action: 'delete', id }))))
    assert.lengthOf(await journalOf(zone.id), 7)
    console.log(`      bulk of 5000: ${times.join(', ')}`)
  }).timeout(240_000)

  test('the reason may be in the body, the header or the comment', async ({ assert }) => {
    const reasonOf = async () =>
      ((await lastEntryOf(zone.id)) as unknown as { reason: string }).reason
    await as.post(path, { operations: [create('r1')], reason: 'by reason' })
    assert.equal(await reasonOf(), 'by reason')
    // The test client would encode the bytes of the header twice.
    const response = await fetch(`${baseUrl()}/api/v2${path}`, {
      method: 'POST',
      headers: {
        'x-api-key': admin.key,
        'x-change-reason': Buffer.from('Größe ☃').toString('latin1'),
      },
      body: new TextEncoder().encode(JSON.stringify({ operations: [create('r2')] })),
    })
    assert.equal(response.status, 200)
    assert.equal(await reasonOf(), 'Größe ☃')
    await as.post(path, { operations: [create('r3')], comment: 'mine', reason: 'no' })
    assert.equal(await reasonOf(), 'mine')
    const before = await rowCounts()
    const long = await as.post(path, { operations: [create('r4')], comment: 'x'.repeat(1025) })
    long.assertStatus(400)
    assert.deepEqual(await rowCounts(), before)
  })
})
