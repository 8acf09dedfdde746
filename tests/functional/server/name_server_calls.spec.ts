// @api-backend @process
import { test } from '@japa/runner'
import { eventsWith } from '#tests/support/app/audit'
import { administrator, type Person } from '#tests/support/app/people/people'
import { plainZone, SigningServer } from '#tests/support/app/zones/signing'
import { PowerDnsDouble, refusing } from '#tests/support/powerdns_double'

test.group('Name server actions on a zone', (group) => {
  group.each.timeout(60_000)
  let server: SigningServer
  let admin: Person

  group.setup(async () => {
    server = await SigningServer.here()
    admin = await administrator()
    return () => server.stop()
  })

  const tell = (id: number, call: string, query = '') =>
    server.call(admin.key, 'POST', `/zones/${id}/${call}${query}`, {})
  const told = async (name: string) => {
    const events = await eventsWith({ object_kind: 'zone', object_name: name })
    const calls = ['zone.notified', 'zone.retrieved', 'zone.flushed']
    return events.map(({ action }) => action).filter((action) => calls.includes(action))
  }

  test('notify sends NOTIFY for a primary and flushes its caches', async ({ client, assert }) => {
    const zone = await plainZone(client, admin)
    for (const call of ['notify', 'flush']) {
      const answer = await tell(zone.id, call)
      assert.equal(answer.status, 200, answer.text)
    }
    assert.deepEqual(await told(zone.name), ['zone.notified', 'zone.flushed'])
  })

  test('a secondary zone is only retrieved from its primary', async ({ client, assert }) => {
    const primary = await plainZone(client, admin)
    const refused = await tell(primary.id, 'retrieve')
    assert.equal(refused.status, 400)
    assert.include(refused.body.message, 'MASTER')
    const created = await server.call(admin.key, 'POST', '/zones', {
      name: `replica-of-${primary.name}`,
      type: 'SLAVE',
      masters: '192.0.2.1',
    })
    const answer = await tell(created.body.data.zone_id, 'retrieve')
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(await told(`replica-of-${primary.name}`), ['zone.retrieved'])
  })

  test('a dry run calls no server', async ({ client, assert }) => {
    const zone = await plainZone(client, admin)
    const answer = await tell(zone.id, 'notify', '?dry_run=true')
    assert.equal(answer.status, 200)
    assert.isEmpty(await told(zone.name))
  })

  test('an error has the reason of the server, or says that it does not respond', async ({
    client,
    assert,
  }) => {
    const zone = await plainZone(client, admin)
    const double = await PowerDnsDouble.start()
    const other = await SigningServer.here({}, double.url)
    try {
      double.answer = refusing(422, 'not now')
      const refused = await other.call(admin.key, 'POST', `/zones/${zone.id}/notify`, {})
      assert.equal(refused.status, 400)
      assert.include(refused.body.message, 'not now')
      await double.stop()
      const lost = await other.call(admin.key, 'POST', `/zones/${zone.id}/notify`, {})
      assert.oneOf(lost.status, [502, 503])
      assert.isEmpty(await told(zone.name))
    } finally {
      await other.stop()
    }
  })
})
