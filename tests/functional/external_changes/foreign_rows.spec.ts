// @databases
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import {
  caller,
  dataOf,
  expectStatus,
  createRecord,
  createZone,
  type Caller,
} from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, keyFor } from '#tests/support/app/people/people'
import { serialOf } from '#tests/support/app/zones/zones'

/** Rows of other tools that Zonewright would not write, but must handle. */
test.group('Records of other tools', () => {
  const rows = [
    { what: 'a content that is none', type: 'A', content: 'not an address' },
    { what: 'a type that cannot be written here', type: 'TYPE65400', content: '\\# 1 00' },
    { what: 'a host name with a final dot', type: 'CNAME', content: 'www.example.org.' },
  ]
  for (const { what, type, content } of rows) {
    test(`${what} is listed, can be disabled and deleted`, async ({ client, assert }) => {
      const as = caller(client, await administrator())
      const zone = await createZone(as, { name: zoneNamed() })
      await db.table('records').insert({
        domain_id: zone.id,
        name: `odd.${zone.name}`,
        type,
        content,
        ttl: 300,
        prio: 0,
        disabled: false,
        auth: true,
      })
      await createRecord(as, zone, { name: 'beside', type: 'A', content: '192.0.2.1' })
      const records = await dataOf(as.get(`/zones/${zone.id}/records?type=${type}`), 'records')
      const [record] = records.filter(({ name }: { name: string }) => name.startsWith('odd.'))
      const path = `/zones/${zone.id}/records/${record.id}`
      const disabled = await as.put(path, { disabled: true })
      disabled.assertStatus(200)
      assert.isTrue(disabled.body().data.record.disabled)
      await expectStatus(as.delete(path), 204)
      await expectStatus(as.get(path), 404)
    })
  }

  test('an owner name in upper case can be deleted, if the database stores one', async ({
    client,
    assert,
  }) => {
    const as = caller(client, await administrator())
    const zone = await createZone(as, { name: zoneNamed() })
    const name = `UP.${zone.name}`
    const isPostgres = db.connection().dialect.name === 'postgres'
    await db.table('records').insert({
      domain_id: zone.id,
      // The schema of PowerDNS for PostgreSQL refuses upper case. The schema of Zonewright has no such check.
      name: isPostgres ? name.toLowerCase() : name,
      type: 'A',
      content: '192.0.2.1',
      ttl: 300,
      prio: 0,
      disabled: false,
      auth: true,
    })
    const [record] = await dataOf(as.get(`/zones/${zone.id}/records?type=A`), 'records')
    assert.equal(record.name, name.toLowerCase())
    await expectStatus(as.delete(`/zones/${zone.id}/records/${record.id}`), 204)
    assert.deepEqual(await dataOf(as.get(`/zones/${zone.id}/records?type=A`), 'records'), [])
  })

  test('a row without a name causes no error, and is deleted with its zone', async ({
    client,
    assert,
  }) => {
    const as = caller(client, await administrator())
    const zone = await createZone(as, { name: zoneNamed() })
    const nameless = { domain_id: zone.id, name: null, type: 'A', content: '192.0.2.1', ttl: 300 }
    await db.table('records').insert({ ...nameless, disabled: false, auth: true })
    for (const read of ['records', 'records?page=1&per_page=5', 'rrsets', 'export', 'at?entry=1']) {
      await expectStatus(as.get(`/zones/${zone.id}/${read}`), 200)
    }
    const records = await dataOf(as.get(`/zones/${zone.id}/records?type=A`), 'records')
    assert.lengthOf(records, 0)
    await expectStatus(as.delete(`/zones/${zone.id}`), 204)
    assert.lengthOf(await db.from('records').where('domain_id', zone.id), 0)
  })
})

/** An RRset has one TTL (RFC 2181, section 5.2). Its stored rows may have several. */
test.group('Rows of one RRset with different TTLs', (group) => {
  let as: Caller
  let zone: { id: number; name: string }
  /** Paths of the records with TTL 300 and 600. */
  let low: string
  let high: string

  const recordsOf = (): Promise<{ id: number; content: string; ttl: number }[]> =>
    dataOf(as.get(`/zones/${zone.id}/records?type=A`), 'records')
  const rows = async () => {
    const records = await recordsOf()
    return records.map(({ content, ttl }) => `${content} ${ttl}`).sort()
  }
  const tagOf = async (path: string) => {
    const response = await as.get(path)
    return response.header('etag') ?? 'none'
  }
  const serial = async () => serialOf(zone.id)

  group.each.setup(async (t) => {
    as = caller(t.context.client, await administrator())
    zone = await createZone(as, { name: zoneNamed() })
    const row = { domain_id: zone.id, name: `www.${zone.name}`, type: 'A', prio: 0 }
    await db.table('records').multiInsert(
      [
        { ...row, content: '192.0.2.1', ttl: 300 },
        { ...row, content: '192.0.2.2', ttl: 600 },
      ].map((one) => ({ ...one, disabled: false, auth: true }))
    )
    const records = await recordsOf()
    const pathOf = (ttl: number) =>
      `/zones/${zone.id}/records/${records.find((one) => one.ttl === ttl)?.id}`
    low = pathOf(300)
    high = pathOf(600)
  })

  test('a record is written with the tag of its read', async ({ assert }) => {
    for (const path of [high, low]) {
      const response = await as.put(path, { disabled: true }).header('If-Match', await tagOf(path))
      response.assertStatus(200)
      assert.equal(response.header('etag'), await tagOf(path))
    }
    assert.deepEqual(await rows(), ['192.0.2.1 300', '192.0.2.2 300'])
  })

  test('a record is deleted with the tag of its read', async ({ assert }) => {
    await expectStatus(as.delete(high).header('If-Match', await tagOf(high)), 204)
    assert.deepEqual(await rows(), ['192.0.2.1 300'])
  })

  test('a TTL changed by another tool gets 412', async ({ assert }) => {
    const tag = await tagOf(high)
    await db.from('records').where('content', '192.0.2.2').where('domain_id', zone.id).update({
      ttl: 900,
    })
    const response = await as.put(high, { disabled: true }).header('If-Match', tag)
    response.assertStatus(412)
    assert.equal(response.body().data.current.ttl, 900)
  })

  test('a record is changed with its linked PTR record', async ({ assert }) => {
    const response = await as.put(high, { content: '192.0.2.3', update_ptr: true })
    response.assertStatus(200)
    assert.deepEqual(await rows(), ['192.0.2.1 300', '192.0.2.3 300'])
  })

  test('a new TTL applies to all rows', async ({ assert }) => {
    const before = await serial()
    const response = await as.put(high, { ttl: 300 })
    response.assertStatus(200)
    assert.equal(response.body().data.record.ttl, 300)
    assert.deepEqual(await rows(), ['192.0.2.1 300', '192.0.2.2 300'])
    assert.isAbove(await serial(), before)
    const again = await serial()
    await expectStatus(as.put(high, { ttl: 300 }), 200)
    assert.equal(await serial(), again)
  })

  test('an RRset replaced by itself gets its TTL in all rows', async ({ assert }) => {
    const records = [{ content: '192.0.2.1' }, { content: '192.0.2.2' }]
    const input = { name: 'www', type: 'A', ttl: 300, records }
    const tag = await tagOf(`/zones/${zone.id}/rrsets/www/A`)
    await expectStatus(as.put(`/zones/${zone.id}/rrsets`, input).header('If-Match', tag), 200)
    assert.deepEqual(await rows(), ['192.0.2.1 300', '192.0.2.2 300'])
  })

  test('other changes keep the TTLs, and a caller who may only create may not unify them', async ({
    client,
    assert,
  }) => {
    await createRecord(as, zone, { name: 'beside', type: 'AAAA', content: '2001:db8::1' })
    const key = await keyFor(await administrator(), { operations: ['create'] })
    await expectStatus(caller(client, key).put(high, { ttl: 300 }), 403)
    assert.deepEqual(await rows(), ['192.0.2.1 300', '192.0.2.2 600'])
    await createRecord(caller(client, key), zone, {
      name: 'www',
      type: 'A',
      content: '192.0.2.3',
      ttl: 300,
    })
    assert.deepEqual(await rows(), ['192.0.2.1 300', '192.0.2.2 300', '192.0.2.3 300'])
  })
})
