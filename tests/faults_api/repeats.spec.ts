import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { MAX_RUN_MS } from '#changes/idempotency/requests'
import env from '#support/env'
import { journalOf } from '#tests/support/app/zones/zones'
import { eventually } from '#tests/support/eventually'
import { ApiScene, type SceneZone } from '#tests/support/faults/api_scene'
import { TcpProxy } from '#tests/support/faults/tcp_proxy'

const RECORD = { name: 'www', type: 'A', content: '192.0.2.1', ttl: 300 }

test.group('Idempotency-Key of a write that a name server did not confirm', (group) => {
  let scene: ApiScene
  let zone: SceneZone

  group.each.timeout(120_000)
  group.setup(async () => {
    scene = await ApiScene.start()
    return () => scene.stop()
  })
  group.each.setup(async () => {
    zone = await scene.zone({ type: 'MASTER' })
  })

  test('an Idempotency-Key is free again where nothing was made, and only there', async ({
    assert,
  }) => {
    const path = `/zones/${zone.id}/records`
    const send = (key: string) =>
      scene.call('POST', path, { ...RECORD, name: key }, { 'Idempotency-Key': zone.name + key })
    scene.loseAfter('PATCH', zone)
    const lostAnswer = await send('made')
    assert.equal(lostAnswer.status, 502)
    const early = await send('made')
    assert.equal(early.status, 409)
    assert.include(early.body.message, 'has not yet confirmed')
    scene.proxy.heal()
    await scene.until([200], 'GET', `/zones/${zone.id}/history`)
    const lateAnswer = await send('made')
    assert.equal(lateAnswer.status, 409)
    assert.include(lateAnswer.body.message, 'was applied, but')

    scene.proxy.fate = ({ method }) => (method === 'PATCH' ? 'cut before' : 'pass')
    const never = await send('not')
    assert.equal(never.status, 502)
    const waiting = await send('not')
    assert.equal(waiting.status, 409)
    scene.proxy.heal()
    await scene.makeWritesStale()
    await scene.until([201], 'POST', path, RECORD)
    const secondAnswer = await send('not')
    assert.equal(secondAnswer.status, 201, JSON.stringify(secondAnswer.body))
    assert.equal(await scene.pending(), 0)
  })

  test('an Idempotency-Key outlives the process that its write was cut off with', async ({
    assert,
  }) => {
    const path = `/zones/${zone.id}/records`
    const send = () => scene.call('POST', path, RECORD, { 'Idempotency-Key': zone.name })
    scene.proxy.fate = ({ method, path: called }) =>
      method === 'PATCH' && called === `/zones/${zone.name}.` ? 'held' : 'pass'
    const lost = send().catch(() => null)
    await eventually(
      async () => {
        const { answers } = await scene.dns.query(`www.${zone.name}`, 'A')
        assert.lengthOf(answers, 1)
      },
      { within: 30_000 }
    )
    await scene.killAndStart()
    await lost
    const longAgo = new Date(Date.now() - 2 * MAX_RUN_MS).toISOString()
    await db
      .from('zw_idempotency_keys')
      .where('caller', 'like', `${scene.admin.id}:%`)
      .update({ created_at: longAgo })
    const early = await send()
    assert.equal(early.status, 409)
    assert.match(early.body.message, /has not yet confirmed|was applied, but/)

    await scene.until([200], 'GET', `/zones/${zone.id}/history`)
    const lateAnswer = await send()
    assert.equal(lateAnswer.status, 409)
    assert.include(lateAnswer.body.message, 'was applied, but')
    assert.lengthOf(await journalOf(zone.id), 2)
    assert.equal(await scene.pending(), 0)
  })

  test('an Idempotency-Key of what a zone does not show is not free again', async ({ assert }) => {
    const { body } = await scene.call('GET', `/zones/${zone.id}/rrsets?type=SOA`)
    const [soa] = body.data.rrsets
    const [{ content }] = soa.records
    const words = content.split(' ')
    words[2] = String(Number(words[2]) + 10)
    const set = {
      op: 'set',
      name: zone.name,
      type: 'SOA',
      ttl: soa.ttl,
      records: [{ content: words.join(' ') }],
    }
    const send = () =>
      scene.call('POST', '/changes', { actions: [set] }, { 'Idempotency-Key': zone.name })
    scene.loseAfter('PATCH', zone)
    const lostAnswer = await send()
    assert.equal(lostAnswer.status, 502, JSON.stringify(lostAnswer.body))
    scene.proxy.heal()
    await scene.makeWritesStale()
    await scene.until([201], 'POST', `/zones/${zone.id}/records`, RECORD)
    const lateAnswer = await send()
    assert.equal(lateAnswer.status, 409, JSON.stringify(lateAnswer.body))
    assert.equal(await scene.pending(), 0)
  })

  test('a refusal of the name server is answered again to its Idempotency-Key', async ({
    assert,
  }) => {
    const path = `/zones/${zone.id}/records`
    const send = () => scene.call('POST', path, RECORD, { 'Idempotency-Key': zone.name })
    const refusal = JSON.stringify({ error: 'RRset www: it may not be' })
    scene.proxy.fate = ({ method }) =>
      method === 'PATCH' ? { status: 422, body: refusal } : 'pass'
    const refused = await send()
    assert.equal(refused.status, 400)
    scene.proxy.heal()
    assert.deepEqual(await send(), refused)
    assert.lengthOf(await journalOf(zone.id), 1)
  })
})

function registerNetworkTests(): void {
  test.group('A lost database of the product', () => {
    test('that does not get the COMMIT of what the name server made keeps the Idempotency-Key', async ({
      assert,
      cleanup,
    }) => {
      const host = env.get('DB_HOST', '127.0.0.1')
      const port = env.get('DB_PORT', env.get('DB_CONNECTION') === 'pg' ? 5432 : 3306)
      const database = await TcpProxy.start({ host, port })
      cleanup(() => database.close())
      const scene = await ApiScene.start({ DB_HOST: '127.0.0.1', DB_PORT: String(database.port) })
      cleanup(() => scene.stop())
      const zone = await scene.zone({ type: 'NATIVE' })
      const path = `/zones/${zone.id}/records`
      const send = () => scene.call('POST', path, RECORD, { 'Idempotency-Key': zone.name })

      let isCreated = false
      scene.proxy.fate = ({ method, path: called }) => {
        const isOfZone = called.startsWith(`/zones/${zone.name}.`)
        if (isCreated && isOfZone && method === 'GET') {
          database.cutWhen((chunk) => chunk.includes('COMMIT'))
        }
        isCreated ||= isOfZone && method === 'PATCH'
        return 'pass'
      }
      const lostAnswer = await send()
      assert.equal(lostAnswer.status, 502, JSON.stringify(lostAnswer.body))
      assert.deepEqual(lostAnswer.body.data.zones, [{ name: zone.name, state: 'written' }])
      assert.equal(await scene.pending(), 1)
      const early = await send()
      assert.equal(early.status, 409, JSON.stringify(early.body))
      assert.include(early.body.message, 'has not yet confirmed')

      scene.proxy.heal()
      await scene.until([200], 'GET', `/zones/${zone.id}/history`)
      const lateAnswer = await send()
      assert.equal(lateAnswer.status, 409)
      assert.include(lateAnswer.body.message, 'was applied, but')
      const entries = await journalOf(zone.id)
      assert.deepEqual(
        entries.map(({ username, changes }) => [username, changes[0].name]),
        [
          [scene.admin.username, zone.name],
          [scene.admin.username, `www.${zone.name}`],
        ]
      )
      assert.equal(await scene.pending(), 0)
    }).timeout(120_000)
  })
}

if (env.get('DB_CONNECTION', 'sqlite') !== 'sqlite') {
  registerNetworkTests()
}
