import { test } from '@japa/runner'
import { Certbot } from '#tests/support/acme/certbot'
import { Pebble } from '#tests/support/acme/pebble'
import { baseUrl, caller, createRecord, createZone } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, keyFor, person } from '#tests/support/app/people/people'
import { journalOf } from '#tests/support/app/zones/zones'
import { PowerDns } from '#tests/support/powerdns'

test.group('certbot with pebble and its Poweradmin plugin', (group) => {
  group.each.timeout(120_000)
  let dns: PowerDns
  let acme: Pebble

  group.setup(async () => {
    dns = await PowerDns.start()
    acme = await Pebble.start(dns.port)
    return async () => {
      await acme.stop()
      await dns.stop()
    }
  })

  /** TXT contents that the name server returns for the challenge of a domain. */
  async function challenges(domain: string): Promise<string[]> {
    const { answers } = await dns.query(`_acme-challenge.${domain}`, 'TXT')
    return answers.map(({ data }) => data)
  }

  test('certificates are issued for a host, its zone and the wildcard, and no records remain', async ({
    client,
    assert,
  }) => {
    const admin = caller(client, await administrator())
    const someUser = await person({ template: 'Editor' })
    const zone = await createZone(admin, { name: zoneNamed('acme'), owner_user_id: someUser.id })
    await createZone(admin, { name: zoneNamed('other') })
    const other = { name: '_acme-challenge', type: 'TXT', content: 'of another', ttl: 120 }
    await createRecord(admin, zone, other)
    const before = await journalOf(zone.id)
    const { key } = await keyFor(someUser, {
      operations: ['view', 'create', 'delete'],
      zones: [zone],
    })
    const certbot = new Certbot()
    const domains = [`www.${zone.name}`, zone.name, `*.${zone.name}`]

    const run = await certbot.order({ acme, url: baseUrl(), key, domains })

    assert.equal(run.code, 0, `${run.log}\n${acme.log()}`)
    assert.deepEqual(certbot.names(), [...domains].sort())
    const each = ['GET /zones 200', 'POST /zones/N/records 201']
    const last = ['GET /zones 200', 'GET /zones/N/records 200', 'DELETE /zones/N/records/N 204']
    assert.deepEqual(certbot.calls(), [
      ...domains.flatMap(() => each),
      ...domains.flatMap(() => last),
    ])
    assert.deepEqual(await challenges(`www.${zone.name}`), [])
    assert.deepEqual(await challenges(zone.name), ['"of another"'])
    const after = await journalOf(zone.id)
    const entries = after.slice(before.length)
    assert.lengthOf(entries, 2 * domains.length)
    const maximum = Math.max(
      ...entries.flatMap(({ changes }) =>
        changes.map((change) => change.after?.records.length ?? 0)
      )
    )
    assert.equal(maximum, 3, 'both challenges of the zone stood beside the record of another')
  })

  test('a key without write permission gets no certificate, and the log shows the reason', async ({
    client,
    assert,
  }) => {
    const admin = caller(client, await administrator())
    const someUser = await person({ template: 'Editor' })
    const zone = await createZone(admin, { name: zoneNamed('acme'), owner_user_id: someUser.id })
    const { key } = await keyFor(someUser, { readOnly: true })
    const certbot = new Certbot()

    const run = await certbot.order({ acme, url: baseUrl(), key, domains: [zone.name] })

    assert.notEqual(run.code, 0)
    const reason = "this API key is not permitted to perform the 'create' operation"
    assert.isTrue(run.log.includes(reason), run.log)
    assert.isNull(certbot.names())
    assert.deepEqual(await challenges(zone.name), [])
  })
})
