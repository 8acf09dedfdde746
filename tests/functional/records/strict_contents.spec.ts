// @api-backend
import { test } from '@japa/runner'
import { caller, dataOf, createZone, type Caller } from '#tests/support/app/api'
import { serverZone } from '#tests/support/app/backend'
import { zoneNamed } from '#tests/support/app/names'
import { administrator } from '#tests/support/app/people/people'
import { serialOf } from '#tests/support/app/zones/zones'
import { PowerDns } from '#tests/support/powerdns'

/** Type, sent content, the only form that PowerDNS' API and `check-zone` accept, and other spellings. */
const TABLE: [type: string, sent: string, form: string, ...others: string[]][] = [
  ['AAAA', '::ffff:192.0.2.1', '::ffff:c000:201', '::ffff:c000:201', '::FFFF:C000:0201'],
  ['AAAA', '::ffff:c000:202', '::ffff:c000:202', '::ffff:192.0.2.2'],
  ['AAAA', '::192.0.2.3', '::c000:203', '::c000:203'],
  ['AAAA', '::ffff:0:0', '::ffff:0:0', '::ffff:0.0.0.0'],
  ['IPSECKEY', '10 0 2 . AQID', '10 0 2 . AQID', '10 0 2 AQID'],
  ['IPSECKEY', '10 0 0 .', '10 0 0 .', '10 0 0'],
  ['IPSECKEY', '10 2 2 ::ffff:c000:201 AQID', '10 2 2 ::ffff:192.0.2.1 AQID'],
  ['IPSECKEY', '10 2 2 ::c000:201 AQID', '10 2 2 ::192.0.2.1 AQID'],
  ['HTTPS', '1 . ipv6hint=::ffff:c000:201', '1 . ipv6hint=::ffff:192.0.2.1'],
  ['HTTPS', '1 . ipv6hint=::c000:201', '1 . ipv6hint=::192.0.2.1', '1 . ipv6hint="::c000:201"'],
  ['APL', '2:::ffff:c000:201/128', '2:::ffff:192.0.2.1/128'],
]

test.group('Contents with one form in PowerDNS', (group) => {
  let as: Caller
  let zone: { id: number; name: string }
  group.each.setup(async (t) => {
    as = caller(t.context.client, await administrator())
    zone = await createZone(as, { name: zoneNamed() })
  })

  for (const [type, sent, form, ...others] of TABLE) {
    test(`${type} ${sent} is accepted and identifies the same record`, async ({ assert }) => {
      const path = `/zones/${zone.id}/records`
      const created = await as.post(path, { name: 'www', type, content: sent, ttl: 60 })
      assert.equal(created.status(), 201, created.text())
      const { id, content } = created.body().data.record
      assert.equal(content, form)
      const serial = await serialOf(zone.id)
      for (const other of [sent, form, ...others]) {
        const putResponse = await as.put(`${path}/${id}`, { content: other })
        assert.equal(putResponse.status(), 200, putResponse.text())
        const repeatedResponse = await as.post(path, { name: 'www', type, content: other, ttl: 60 })
        assert.equal(repeatedResponse.status(), 409, repeatedResponse.text())
      }
      assert.equal(await serialOf(zone.id), serial)
      const { record } = await dataOf(as.get(`${path}/${id}`))
      assert.equal(record.content, form)
    })
  }

  test('a stored row in another form counts as unchanged', async ({ assert }) => {
    const path = `/zones/${zone.id}/records`
    const form = '::ffff:c000:201'
    const created = await as.post(path, { name: 'www', type: 'AAAA', content: form, ttl: 60 })
    created.assertStatus(201)
    const stored = await serverZone(zone)
    await stored.rows('records').where('type', 'AAAA').update({ content: '::ffff:192.0.2.1' })
    const serial = await serialOf(zone.id)
    const before = await dataOf(as.get(`/zones/${zone.id}/history`))
    const putResponse = await as.put(`${path}/${created.body().data.record.id}`, { content: form })
    putResponse.assertStatus(200)
    assert.equal(await serialOf(zone.id), serial)
    const after = await dataOf(as.get(`/zones/${zone.id}/history`))
    assert.deepEqual(after, before)
  })
})

test.group('Contents in the tables of PowerDNS', (group) => {
  let server: PowerDns
  group.tap((one) => one.tags(['@sql']))
  group.setup(async () => {
    server = await PowerDns.start({})
    return () => server.stop()
  })

  test('check-zone reports none of them', async ({ client, assert }) => {
    const as = caller(client, await administrator())
    const zone = await createZone(as, { name: zoneNamed() })
    for (const [index, [type, content]] of TABLE.entries()) {
      const record = { name: `r${index}`, type, content, ttl: 60 }
      const created = await as.post(`/zones/${zone.id}/records`, record)
      assert.equal(created.status(), 201, created.text())
    }
    const output = await server.util('check-zone', zone.name).catch(String)
    assert.notMatch(output, /\br\d+\./)
  })
})
