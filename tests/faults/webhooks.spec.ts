import { setTimeout as sleep } from 'node:timers/promises'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { sealAll } from '#audit/sealer'
import { caller, expectStatus, createZone } from '#tests/support/app/api'
import { unique, zoneNamed } from '#tests/support/app/names'
import { administrator } from '#tests/support/app/people/people'
import { OtherServer } from '#tests/support/app/server'
import { eventually } from '#tests/support/eventually'
import { Receiver } from '#tests/support/events/receiver'
import { Random, seedOfRun } from '#tests/support/random'

const ZONES = 5
const SECONDS = Number(process.env.WEBHOOK_SECONDS ?? 15)
/** More than the maximum pause of a webhook. */
const TIMEOUT_MS = 400_000
const SETTINGS = {
  API_ENABLED: 'true',
  WEBHOOKS_ALLOW_HTTP: 'true',
  WEBHOOKS_ALLOWED_NETWORKS: '127.0.0.0/8',
  WEBHOOKS_TIMEOUT: '1',
}

test.group('Webhooks with killed senders and a failing receiver', (group) => {
  group.each.timeout(SECONDS * 1_000 + TIMEOUT_MS + 60_000)

  test('each event arrives at least once, signed, and in the order of its zone', async ({
    assert,
    client,
    cleanup,
  }) => {
    const seed = seedOfRun()
    const random = new Random(seed)
    const about = `ZW_SEED=${seed}`
    const admin = await administrator()
    const as = caller(client, admin)
    let isOver = false
    const receiver = await Receiver.start(() =>
      isOver || random.chance(0.7) ? 200 : random.pick([500, 404, 302, null])
    )
    const servers = await Promise.all([1, 2].map(() => OtherServer.start(SETTINGS)))
    cleanup(async () => {
      await Promise.all(servers.map((server) => server.stop()))
      receiver.stop()
      await db.from('zw_webhooks').delete()
    })
    const creation = await fetch(`${servers[0].url}/api/v2/webhooks`, {
      method: 'POST',
      headers: { 'x-api-key': admin.key, 'content-type': 'application/json' },
      body: JSON.stringify({ name: unique('hook'), url: receiver.url, types: ['zone'] }),
    })
    const { data } = (await creation.json()) as {
      data: { webhook: { id: number }; secret: string }
    }
    receiver.secret = data.secret

    const zones = []
    for (let index = 0; index < ZONES; index += 1) {
      zones.push(await createZone(as, { name: zoneNamed() }))
    }
    const end = Date.now() + SECONDS * 1_000
    for (let step = 0; Date.now() < end; step += 1) {
      const zone = random.pick(zones)
      await expectStatus(as.put(`/zones/${zone.id}`, { description: `step ${step}` }), 200)
      await sleep(random.below(300))
      if (random.chance(0.1)) {
        const index = random.below(servers.length)
        servers[index].kill()
        servers[index] = await OtherServer.start(SETTINGS)
      }
    }
    // Waiting deliveries are sent after their pause, which grows with each failure.
    isOver = true
    await sealAll()
    const expected: { position: number | string; object_id: number }[] = await db
      .from('zw_audit_chain as c')
      .join('zw_audit as a', 'a.id', 'c.audit_id')
      .whereIn(
        'a.object_id',
        zones.map(({ id }) => id)
      )
      .where('a.object_kind', 'zone')
      .orderBy('c.position')
      .select('c.position', 'a.object_id')
    await eventually(
      () => {
        const taken = new Set(receiver.taken.map(({ id }) => id))
        assert.isEmpty(expected.filter(({ position }) => !taken.has(Number(position))))
      },
      { within: TIMEOUT_MS, every: 250 }
    )

    assert.isAbove(expected.length, ZONES, about)
    assert.isTrue(
      receiver.all.every(({ isSigned }) => isSigned),
      about
    )
    for (const zone of zones) {
      // First deliveries arrive in the order of the changes.
      const taken = receiver.taken.filter(({ zone_id: id }) => id === zone.id).map(({ id }) => id)
      const firsts = [...new Set(taken)]
      const order = expected.filter((one) => Number(one.object_id) === zone.id)
      assert.deepEqual(
        firsts,
        order.map(({ position }) => Number(position)),
        `${about}: ${zone.name}`
      )
    }
  })
})
