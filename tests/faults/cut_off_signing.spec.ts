import { test } from '@japa/runner'
import { eventsWith } from '#tests/support/app/audit'
import { journalOf } from '#tests/support/app/zones/zones'
import { eventually } from '#tests/support/eventually'
import { ApiScene } from '#tests/support/faults/api_scene'
import { validate } from '#tests/support/validation'

test.group('Interrupted signing in the tables of PowerDNS', (group) => {
  let scene: ApiScene
  group.setup(async () => {
    const settings = { DNSSEC_ENABLED: 'true', DNS_DEFAULT_NS: 'ns1.example.net,ns2.example.net' }
    scene = await ApiScene.start(settings, 'sql')
    return () => scene.stop()
  })

  test('a signing that was interrupted after the name server call gets its journal entry and event', async ({
    assert,
  }) => {
    const zone = await scene.zone({ type: 'MASTER' })
    const records = `/zones/${zone.id}/records`
    const record = { type: 'A', content: '192.0.2.1', ttl: 300 }
    await scene.until([201], 'POST', records, { ...record, name: 'a.b' })
    const answered = async () => {
      const { body } = await scene.call('GET', `/zones/${zone.id}/dnssec`)
      assert.isTrue(body.data?.enabled, JSON.stringify(body))
    }
    scene.proxy.fate = ({ method, path }) =>
      method === 'PUT' && path === `/zones/${zone.name}.` ? 'held' : 'pass'
    const lost = scene.call('POST', `/zones/${zone.id}/dnssec`, { enabled: true }).catch(() => null)
    await eventually(answered, { within: 30_000 })
    // A pending signing does not block other writers.
    await scene.until([201], 'POST', records, { ...record, name: 'www' })
    assert.equal(await scene.pending(), 1)
    await scene.makeWritesStale()
    await scene.killAndStart()
    await lost

    await eventually(async () => assert.equal(await scene.pending(), 0), { within: 20_000 })
    const events = await eventsWith({ action: 'zone.signed', object_id: zone.id })
    assert.deepEqual(
      events.map(({ outcome, username, detail }) => [outcome, username, detail]),
      [['failed', scene.admin.username, { entry: 4 }]]
    )
    const entries = await journalOf(zone.id)
    assert.lengthOf(entries, 4)
    const [written, signed] = entries.slice(-2)
    assert.deepEqual(
      [signed.username, signed.changes.length, signed.serial_before],
      [scene.admin.username, 0, written.serial_after]
    )
    assert.isAbove(signed.serial_after!, signed.serial_before!)
    const proven = (name: string) => validate(scene.dns.port, zone.name, name, 'A')
    assert.equal(await proven(`a.b.${zone.name}`), 'answer')
    assert.equal(await proven(`b.${zone.name}`), 'denial')
    assert.equal(await proven(`none.${zone.name}`), 'denial')
  }).timeout(60_000)

  test('a completed signing leaves nothing to recover', async ({ assert }) => {
    const zone = await scene.zone()
    const path = `/zones/${zone.id}/dnssec`
    await scene.until([200, 201], 'POST', path, { enabled: true })
    assert.equal(await scene.pending(), 0)
    scene.proxy.fate = (made) =>
      made.method === 'PUT' && made.path === `/zones/${zone.name}.`
        ? { status: 422, body: '{"error":"it may not be"}' }
        : 'pass'
    const refused = await scene.call('POST', path, { enabled: false })
    assert.equal(refused.status, 400, JSON.stringify(refused))
    assert.equal(await scene.pending(), 0)
  }).timeout(60_000)
})
