import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { eventsWith } from '#tests/support/app/audit'
import type { OtherServer } from '#tests/support/app/server'
import { journalOf } from '#tests/support/app/zones/zones'
import { eventually } from '#tests/support/eventually'
import { ApiScene, type SceneZone } from '#tests/support/faults/api_scene'

const RECORD = { name: 'www', type: 'A', content: '192.0.2.1', ttl: 300 }

let scene: ApiScene
let second: OtherServer
let zone: SceneZone

const recordsOf = ({ id }: SceneZone) => `/zones/${id}/records`

/** Which names of the zone are served, of some. */
async function servedAmong(names: string[], { name: apex } = zone): Promise<string[]> {
  const answers = await Promise.all(
    names.map((name) => scene.dns.query(`${name}.${apex}`, 'A', { tcp: true }))
  )
  return names.filter((_, index) => answers[index].answers.length > 0)
}

/** By which channel each entry came, and of which name it tells first. */
async function notifiedSerials({ id, name: apex } = zone): Promise<string[]> {
  const entries = await journalOf(id)
  return entries.map(
    ({ channel, changes }) => `${channel} ${changes[0]?.name.replace(`.${apex}`, '')}`
  )
}

/** A call that writes the zone's records. */
const isPatch = (method: string, path: string, { name } = zone) =>
  method === 'PATCH' && path === `/zones/${name}.`

test.group('Late calls, restarted name servers and processes at once', (group) => {
  group.each.timeout(120_000)
  group.setup(async () => {
    scene = await ApiScene.start({
      DNSSEC_ENABLED: 'true',
      DNS_DEFAULT_NS: 'ns1.example.net,ns2.example.net',
    })
    second = await scene.another()
    return () => scene.stop()
  })
  group.each.setup(async () => {
    zone = await scene.zone({ type: 'NATIVE' })
  })

  test('a write that arrives after it was given up is found out, with its author', async ({
    assert,
  }) => {
    scene.proxy.fate = ({ method, path }) => (isPatch(method, path) ? 'late' : 'pass')
    const lostAnswer = await scene.call('POST', recordsOf(zone), RECORD)
    assert.equal(lostAnswer.status, 502)
    assert.include(lostAnswer.body.message, 'did not confirm')
    assert.deepEqual(await notifiedSerials(), [`api ${zone.name}`])
    await scene.proxy.deliverLate()
    scene.proxy.heal()
    await scene.until([201], 'POST', recordsOf(zone), { ...RECORD, name: 'other' })
    assert.deepEqual(await notifiedSerials(), [`api ${zone.name}`, 'api www', 'api other'])
    assert.equal(await scene.pending(), 0)
  })

  test('a name server that is silent from the write on keeps nobody beyond the limit, and is found out', async ({
    assert,
  }) => {
    const hasty = await scene.another({ PDNS_API_TIMEOUT: '1' })
    let isSilent = false
    scene.proxy.fate = ({ method, path }) => {
      isSilent ||= isPatch(method, path)
      return isSilent ? 'held' : 'pass'
    }
    const startTime = performance.now()
    const lostAnswer = await scene.call('POST', recordsOf(zone), RECORD, {}, hasty)
    // A second for the write, and one for the look after it; the usual limits would be 25.
    assert.isBelow(performance.now() - startTime, 15_000)
    assert.equal(lostAnswer.status, 502)
    assert.include(lostAnswer.body.message, 'did not confirm')
    assert.deepEqual(lostAnswer.body.data.zones, [{ name: zone.name, state: 'unknown' }])
    assert.equal(await scene.pending(), 1)
    scene.proxy.heal()
    await scene.until([201], 'POST', recordsOf(zone), { ...RECORD, name: 'other' })
    assert.deepEqual(await notifiedSerials(), [`api ${zone.name}`, 'api www', 'api other'])
    assert.equal(await scene.pending(), 0)
  })

  test('one that arrives after it was taken for not made is told as what others changed', async ({
    assert,
  }) => {
    scene.proxy.fate = ({ method, path }) => (isPatch(method, path) ? 'late' : 'pass')
    const lostAnswer = await scene.call('POST', recordsOf(zone), RECORD)
    assert.equal(lostAnswer.status, 502)
    scene.proxy.heal()
    await scene.makeWritesStale()
    await scene.until([201], 'POST', recordsOf(zone), { ...RECORD, name: 'other' })
    assert.equal(await scene.pending(), 0)
    await scene.proxy.deliverLate()
    await scene.until([200], 'GET', `/zones/${zone.id}/history`)
    await scene.until([201], 'POST', recordsOf(zone), { ...RECORD, name: 'last' })
    assert.deepEqual(await notifiedSerials(), [
      `api ${zone.name}`,
      'api other',
      'external www',
      'api last',
    ])
    assert.deepEqual(await servedAmong(['www', 'other', 'last']), ['www', 'other', 'last'])
  })

  test('a name server that ends after it made a write, and comes back, has it', async ({
    assert,
  }) => {
    scene.proxy.fate = ({ method, path }) => (isPatch(method, path) ? 'held' : 'pass')
    const writing = scene.call('POST', recordsOf(zone), RECORD)
    await eventually(async () => assert.deepEqual(await servedAmong(['www']), ['www']), {
      within: 20_000,
    })
    await scene.dns.kill()
    scene.proxy.heal()
    const lostAnswer = await writing
    assert.equal(lostAnswer.status, 502, JSON.stringify(lostAnswer.body))
    await scene.dns.startAgain()
    await scene.until([201], 'POST', recordsOf(zone), { ...RECORD, name: 'other' })
    assert.deepEqual(await notifiedSerials(), [`api ${zone.name}`, 'api www', 'api other'])
    assert.equal(await scene.pending(), 0)
  })

  test('one that ends in the midst of a write has it, and the history too, or neither', async ({
    assert,
  }) => {
    scene.proxy.fate = ({ method, path }) => {
      if (isPatch(method, path)) void scene.dns.kill()
      return 'pass'
    }
    const cut = await scene.call('POST', recordsOf(zone), RECORD)
    assert.include([201, 502], cut.status)
    await scene.dns.kill()
    await scene.dns.startAgain()
    scene.proxy.heal()
    await scene.makeWritesStale()
    await scene.until([201], 'POST', recordsOf(zone), { ...RECORD, name: 'other' })
    const [isServed] = await servedAmong(['www'])
    const between = isServed ? ['api www'] : []
    assert.deepEqual(await notifiedSerials(), [`api ${zone.name}`, ...between, 'api other'])
    assert.equal(await scene.pending(), 0)
  })

  test('two processes that write one zone at once lose nothing, and claim nothing', async ({
    assert,
  }) => {
    const names = Array.from({ length: 8 }, (_, index) => `n${index}`)
    const answers = await Promise.all(
      names.map((name, index) => {
        const server = index % 2 === 0 ? scene.server : second
        return scene.call('POST', recordsOf(zone), { ...RECORD, name }, {}, server)
      })
    )
    const made = names.filter((_, index) => answers[index].status === 201)
    assert.isNotEmpty(made)
    for (const { status, body } of answers) {
      assert.include([201, 502, 503], status, JSON.stringify(body))
    }
    assert.equal(await scene.pending(), 0)
    assert.deepEqual(await servedAmong(names), made)
    const told = await notifiedSerials()
    assert.sameMembers(told, [`api ${zone.name}`, ...made.map((name) => `api ${name}`)])
    const entries = await journalOf(zone.id)
    const serials = entries.map(({ serial_after: serial }) => serial!)
    assert.deepEqual(
      serials,
      [...new Set(serials)].sort((one, other) => one - other)
    )
  })

  test('what a process took back before it ended is not made, and the other one says so', async ({
    assert,
  }) => {
    const otherZone = await scene.zone({ type: 'NATIVE' })
    const actions = [zone, otherZone].map(({ name }) => {
      const set = { op: 'set', name: `both.${name}`, type: 'A', ttl: 60 }
      return { ...set, records: [{ content: '192.0.2.7' }] }
    })
    const send = (server: OtherServer) =>
      scene.call('POST', '/changes', { actions }, { 'Idempotency-Key': zone.name }, server)
    let patches = 0
    scene.proxy.fate = ({ method, path }) => {
      if (method !== 'PATCH' || ![zone, otherZone].some(({ name }) => path.includes(name))) {
        return 'pass'
      }
      patches++
      const refusal = { status: 422, body: JSON.stringify({ error: 'not this one' }) }
      return patches === 1 ? 'pass' : patches === 2 ? refusal : 'held'
    }
    const cut = send(scene.server).catch(() => null)
    await eventually(() => assert.equal(patches, 3), { within: 20_000, every: 20 })
    const isNothing = async () => {
      for (const one of [zone, otherZone]) assert.isEmpty(await servedAmong(['both'], one))
    }
    await eventually(isNothing, { within: 10_000 })
    await scene.killAndStart()
    await cut
    assert.equal(await scene.pending(), 1)
    await scene.makeWritesStale()
    for (const one of [zone, otherZone]) {
      await scene.until([201], 'POST', recordsOf(one), RECORD)
      assert.deepEqual(await notifiedSerials(one), [`api ${one.name}`, 'api www'])
    }
    assert.equal(await scene.pending(), 0)
    const secondAnswer = await send(second)
    assert.equal(secondAnswer.status, 201, JSON.stringify(secondAnswer.body))
  })

  test('signing that takes long is at work, and settled by nobody else', async ({ assert }) => {
    scene.proxy.fate = ({ method, path }) =>
      method === 'PUT' && path === `/zones/${zone.name}.` ? 'held' : 'pass'
    const signing = scene.call('POST', `/zones/${zone.id}/dnssec`, { enabled: true })
    await eventually(async () => assert.equal(await scene.pending(), 1), { within: 20_000 })
    await scene.makeWritesStale()
    const lately = new Date(Date.now() - 60_000).toISOString()
    await eventually(
      async () => {
        const [{ began_at: beganAt }] = await db.from('zw_pending_writes')
        assert.isTrue(beganAt > lately, beganAt)
      },
      { within: 20_000, every: 200 }
    )
    const createdAnswer = await scene.call('POST', recordsOf(zone), RECORD, {}, second)
    assert.equal(createdAnswer.status, 201, JSON.stringify(createdAnswer.body))
    assert.equal(await scene.pending(), 1)
    scene.proxy.heal()
    const signed = await signing
    assert.equal(signed.status, 200, JSON.stringify(signed.body))
    const events = await eventsWith({ action: 'zone.signed', object_id: zone.id })
    assert.deepEqual(
      events.map(({ outcome }) => outcome),
      ['success']
    )
    assert.equal(await scene.pending(), 0)
  })
})
