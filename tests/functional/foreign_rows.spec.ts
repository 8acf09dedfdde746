import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { caller, dataOf, expectStatus, makeRecord, makeZone } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { administrator } from '#tests/support/app/people'

/** Rows as other tools leave them behind: not as this product writes, but there. */
test.group('Records that another tool wrote', () => {
  const rows = [
    { what: 'a content that is none', type: 'A', content: 'not an address' },
    { what: 'a type that cannot be written here', type: 'TYPE65400', content: '\\# 1 00' },
    { what: 'a host name with a final dot', type: 'CNAME', content: 'www.example.org.' },
  ]
  for (const { what, type, content } of rows) {
    test(`${what} is listed, can be disabled and deleted`, async ({ client, assert }) => {
      const as = caller(client, await administrator())
      const zone = await makeZone(as, { name: zoneNamed() })
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
      await makeRecord(as, zone, { name: 'beside', type: 'A', content: '192.0.2.1' })
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

  test('an owner name in capitals, where the database can hold one, can be deleted', async ({
    client,
    assert,
  }) => {
    const as = caller(client, await administrator())
    const zone = await makeZone(as, { name: zoneNamed() })
    const name = `UP.${zone.name}`
    const isPostgres = db.connection().dialect.name === 'postgres'
    await db.table('records').insert({
      domain_id: zone.id,
      // PowerDNS' schema for PostgreSQL refuses capitals; ours leaves that check out.
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

  test('a row without a name hinders nothing, and goes with its zone', async ({
    client,
    assert,
  }) => {
    const as = caller(client, await administrator())
    const zone = await makeZone(as, { name: zoneNamed() })
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
