// @api-backend
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { caller, createRecord, createZone } from '#tests/support/app/api'
import { serverZone } from '#tests/support/app/backend'
import { unique, zoneNamed } from '#tests/support/app/names'
import { administrator } from '#tests/support/app/people/people'
import { journalOf } from '#tests/support/app/zones/zones'
import { PowerDns } from '#tests/support/powerdns'
import { validate } from '#tests/support/validation'

const A = { name: 'www', type: 'A', content: '192.0.2.1', ttl: 300 }

test.group('Trash of signed zones', (group) => {
  let dns: PowerDns
  group.setup(async () => {
    dns = await PowerDns.ofRun()
    return () => dns.stop()
  })

  for (const [denial, nsec3] of [
    ['NSEC', null],
    ['NSEC3', '1 0 1 ab'],
  ] as const) {
    test(`a restore returns the keys, and a resolver validates the zone again, with ${denial}`, async ({
      client,
      assert,
    }) => {
      const admin = await administrator()
      const as = caller(client, admin)
      const zone = await createZone(as, { name: zoneNamed('signed') })
      await createRecord(as, zone, A)
      await createRecord(as, zone, { ...A, name: 'a.b' })
      await dns.util('secure-zone', zone.name)
      if (nsec3) await dns.util('set-nsec3', zone.name, nsec3)
      await dns.util('rectify-zone', zone.name)
      const keysOf = async () => {
        const { answers } = await dns.query(zone.name, 'DNSKEY', { tcp: true })
        return answers.map(({ data }) => data).sort()
      }
      const stored = await serverZone(zone)
      const rows = await stored.rows('cryptokeys')
      const secrets = rows.map(({ content }) => /PrivateKey: (\S+)/.exec(content)?.[1] ?? '')
      assert.isNotEmpty(secrets.filter(Boolean))
      const keys = await keysOf()
      assert.isNotEmpty(keys)

      const deleted = await as.delete(`/zones/${zone.id}`)
      deleted.assertStatus(204)
      const removed = await dns.query(zone.name, 'DNSKEY')
      assert.equal(removed.status, 'REFUSED')
      const list = await as.get('/trash')
      const { id } = list
        .body()
        .data.zones.find((item: { zone_name: string }) => item.zone_name === zone.name)
      const trash = await db.from('zw_trash').where('id', id).firstOrFail()
      assert.isString(trash.keys)
      const restored = await as.post(`/trash/${id}/restore`, {})
      restored.assertStatus(201)

      assert.deepEqual(await keysOf(), keys)
      for (const [name, type, what] of [
        [`www.${zone.name}`, 'A', 'answer'],
        [`a.b.${zone.name}`, 'A', 'answer'],
        [`b.${zone.name}`, 'A', 'denial'],
        [`no.${zone.name}`, 'A', 'denial'],
      ] as const) {
        assert.equal(await validate(dns.port, zone.name, name, type), what, name)
      }
      const history = await as.get(`/zones/${zone.id}/history?include=changes`)
      const journal = JSON.stringify(await journalOf(zone.id))
      const texts = [trash.keys, list.text(), restored.text(), history.text(), journal]
      for (const secret of [...secrets.filter(Boolean), 'PrivateKey']) {
        texts.forEach((text) => assert.notInclude(text, secret))
      }
    }).timeout(60_000)
  }

  test('a restore reports keys that cannot be read', async ({ client, assert }) => {
    const as = caller(client, await administrator())
    const zone = await createZone(as, { name: `${unique('lost')}.test` })
    await dns.util('secure-zone', zone.name)
    await as.delete(`/zones/${zone.id}`)
    await db
      .from('zw_trash')
      .where('zone_name', zone.name)
      .update({ keys: 'sealed by another key' })
    const { id } = await db.from('zw_trash').where('zone_name', zone.name).firstOrFail()
    const restored = await as.post(`/trash/${id}/restore`, {})
    restored.assertStatus(201)
    assert.include(restored.body().message, 'DNSSEC keys could not be read')
    const stored = await serverZone(zone)
    assert.isEmpty(await stored.rows('cryptokeys'))
  })
})
