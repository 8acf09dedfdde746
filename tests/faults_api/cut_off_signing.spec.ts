import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { eventsWith } from '#tests/support/app/audit'
import { journalOf } from '#tests/support/app/zones/zones'
import { eventually } from '#tests/support/eventually'
import { ApiScene, type SceneZone } from '#tests/support/faults/api_scene'
import type { ProxiedCall } from '#tests/support/faults/http_proxy'
import { WebClient } from '#tests/support/web/client'
import { wordsOf } from '#tests/support/web/review'

const RECORD = { name: 'www', type: 'A', content: '192.0.2.1', ttl: 300 }

let scene: ApiScene
let zone: SceneZone

test.group('Changes of signing that a name server made, and did not confirm', (group) => {
  group.each.timeout(120_000)
  group.setup(async () => {
    scene = await ApiScene.start({
      DNSSEC_ENABLED: 'true',
      DNS_DEFAULT_NS: 'ns1.example.net,ns2.example.net',
    })
    return () => scene.stop()
  })
  group.each.setup(async () => {
    zone = await scene.zone({ type: 'MASTER' })
  })

  test('records that were taken for the work of others meanwhile have their event, and their comments an entry of their own', async ({
    assert,
  }) => {
    const [otherZone, plain] = [await scene.zone(), await scene.zone({ type: 'MASTER' })]
    const { proxy } = scene
    const isSigning = (one: SceneZone) => (call: ProxiedCall) =>
      call.method === 'PUT' && call.path === `/zones/${one.name}.`
    proxy.fate = (call) => ([zone, plain].some((one) => isSigning(one)(call)) ? 'held' : 'pass')
    const signing = [zone, plain].map((one) =>
      scene.call('POST', `/zones/${one.id}/dnssec`, { enabled: true })
    )
    for (const one of [zone, plain]) {
      await eventually(() => assert.isDefined(proxy.calls.find(isSigning(one))?.status), {
        within: 20_000,
      })
    }

    for (const one of [zone, plain]) {
      scene.loseAfter('PATCH', one)
      const records = [{ content: '"a"', ...(one === zone ? { comment: 'not lost' } : {}) }]
      const add = { op: 'add', name: one.name, type: 'TXT', ttl: 300, records }
      const lostAnswer = await scene.call('POST', '/changes', { actions: [add] })
      assert.equal(lostAnswer.status, 502, JSON.stringify(lostAnswer.body))
      proxy.fate = () => 'pass'
    }
    await scene.until([201], 'POST', `/zones/${otherZone.id}/records`, RECORD)
    assert.equal(await scene.pending(), 4)
    proxy.heal()
    for (const signed of await Promise.all(signing)) {
      assert.include([200, 201], signed.status, JSON.stringify(signed.body))
    }

    for (const { id } of [zone, plain]) {
      await scene.until([201], 'POST', `/zones/${id}/records`, { ...RECORD, name: 'late' })
    }
    const entries = await journalOf(zone.id)
    const [, outside, , comments] = entries.map(({ channel, changes }) => {
      return { channel, types: changes.map(({ type }) => type), said: JSON.stringify(changes) }
    })
    assert.deepEqual([outside.channel, outside.types], ['external', ['TXT']])
    assert.deepEqual([comments.channel, comments.types], ['api', ['TXT']])
    assert.include(comments.said, 'not lost')
    const [kept] = await db.from('zw_record_comments').where('zone_id', zone.id)
    assert.equal(kept.inline, 'not lost')
    const plainly = await journalOf(plain.id)
    assert.deepEqual(
      plainly.map(({ channel }) => channel),
      ['api', 'external', 'api', 'api']
    )
    const events = await eventsWith({ action: 'zone.changed', object_id: plain.id })
    const told = events.map(({ username, detail }) => [username, detail.entry])
    assert.deepInclude(told, [scene.admin.username, 2])
    assert.equal(await scene.pending(), 0)
  })

  test('a process that ends while a zone is signed leaves what becomes an entry and an event', async ({
    assert,
  }) => {
    const isSigned = async () => {
      const { body } = await scene.call('GET', `/zones/${zone.id}/dnssec`)
      return body.data?.enabled === true
    }
    scene.proxy.fate = ({ method, path }) =>
      method === 'PUT' && path === `/zones/${zone.name}.` ? 'held' : 'pass'
    const lost = scene.call('POST', `/zones/${zone.id}/dnssec`, { enabled: true }).catch(() => null)
    await eventually(async () => assert.isTrue(await isSigned()), { within: 30_000 })
    // What is begun keeps nobody from writing meanwhile.
    await scene.until([201], 'POST', `/zones/${zone.id}/records`, RECORD)
    await scene.killAndStart()
    await lost
    assert.equal(await scene.pending(), 1)

    await scene.makeWritesStale()
    await scene.until([201], 'POST', `/zones/${zone.id}/records`, { ...RECORD, name: 'other' })
    assert.equal(await scene.pending(), 0)
    const events = await eventsWith({ action: 'zone.signed', object_id: zone.id })
    assert.deepEqual(
      events.map(({ outcome, username, detail }) => [outcome, username, detail]),
      [['failed', scene.admin.username, { entry: 3 }]]
    )
    const entries = await journalOf(zone.id)
    assert.deepEqual(
      entries.map(({ changes }) => changes.length),
      [2, 1, 0, 1]
    )
    assert.isAbove(entries[2].serial_after!, entries[1].serial_after!)
  })

  test('a key that was made is told, also where the name server refuses what follows', async ({
    assert,
  }) => {
    // Without an SOA record, as long as nothing was transferred, it cannot be rectified.
    const replica = await scene.zone({ type: 'SLAVE', master: '192.0.2.53' })
    const wish = { type: 'csk', algorithm: 'ecdsa256', bits: 256, active: true }
    const path = `/zones/${replica.id}/dnssec/keys`
    const { status, body } = await scene.call('POST', path, wish)
    assert.equal(status, 201, JSON.stringify(body))
    assert.match(body.message, /^DNSSEC key added successfully; the name server refused .*: \S/)
    assert.equal(await scene.pending(), 0)
    const [event, ...others] = await eventsWith({ action: 'zone.key_added', object_id: replica.id })
    assert.deepEqual(others, [])
    assert.containsSubset(event.detail, { key_id: body.data.id, role: 'csk' })
    assert.isTrue(body.message.endsWith(event.detail.unfinished))
    const entries = await journalOf(replica.id)
    assert.equal(entries.length, event.detail.entry)

    const visitor = new WebClient(scene.server.url)
    await visitor.signIn(scene.admin)
    const page = `/zones/${replica.id}/dnssec`
    const form = { type: 'csk', algorithm: 'ecdsa256 256', active: '1' }
    const added = await visitor.post(`${page}/keys/new`, form, { from: `${page}/keys/new` })
    assert.equal(added.status, 303)
    const words = wordsOf(await visitor.get(page))
    assert.include(words, 'Key added. The name server refused the next step: ')
    assert.include(words, String(event.detail.unfinished))
  })

  test('a serial after signing that was not confirmed is found out, with its event', async ({
    assert,
  }) => {
    scene.loseAfter('PATCH', zone)
    const lostAnswer = await scene.call('POST', `/zones/${zone.id}/dnssec`, { enabled: true })
    assert.equal(lostAnswer.status, 502)
    assert.equal(await scene.pending(), 1)

    scene.proxy.heal()
    await scene.makeWritesStale()
    await scene.until([201], 'POST', `/zones/${zone.id}/records`, RECORD)
    assert.equal(await scene.pending(), 0)
    const events = await eventsWith({ object_kind: 'zone', object_id: zone.id })
    assert.deepEqual(
      events.slice(-2).map(({ action, detail }) => [action, detail.entry]),
      [
        ['zone.signed', 2],
        ['zone.changed', 3],
      ]
    )
    const entries = await journalOf(zone.id)
    assert.lengthOf(entries, 3)
    assert.isAbove(entries[1].serial_after!, entries[1].serial_before!)
  })
})
