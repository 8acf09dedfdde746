// @databases @process
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { sealAll } from '#audit/sealer'
import { caller, dataOf, expectStatus, createZone, type Caller } from '#tests/support/app/api'
import { eventsWith } from '#tests/support/app/audit'
import { unique, zoneNamed } from '#tests/support/app/names'
import { administrator, person, type Person } from '#tests/support/app/people/people'
import { OtherServer } from '#tests/support/app/server'
import { eventually } from '#tests/support/eventually'
import { Receiver } from '#tests/support/events/receiver'
import type { deliveryItem, webhookItem } from '#transformers/webhook'

const WITHIN = { within: 20_000, every: 100 }
const URL_OF_SOMEBODY = 'https://hooks.example.net/zonewright?token=canary'

type Webhook = ReturnType<typeof webhookItem>
type Delivery = ReturnType<typeof deliveryItem>

test.group('Webhooks over the API', (group) => {
  let as: Caller
  group.each.setup(async (t) => {
    as = caller(t.context.client, await administrator())
    return async () => {
      await db.from('zw_webhooks').delete()
    }
  })

  test('webhooks are created, listed, changed and deleted, and the secret is returned once', async ({
    assert,
  }) => {
    const name = unique('hook')
    const body = { name, url: URL_OF_SOMEBODY, types: ['zone', 'key.revoked'] }
    const response = await as.post('/webhooks', body)
    response.assertStatus(201)
    const { webhook, secret } = response.body().data as { webhook: Webhook; secret: string }
    assert.match(secret, /^whsec_[\w-]{43}$/)
    assert.containsSubset(webhook, { ...body, enabled: true, waiting: 0, last_error: null })
    const listed: Webhook[] = await dataOf(as.get('/webhooks'), 'webhooks')
    assert.deepEqual(listed, [webhook])
    const changed: Webhook = await dataOf(
      as.put(`/webhooks/${webhook.id}`, { enabled: false, types: [] }),
      'webhook'
    )
    assert.containsSubset(changed, { name, enabled: false, types: [] })
    const renewed: string = await dataOf(as.post(`/webhooks/${webhook.id}/secret`, {}), 'secret')
    assert.notEqual(renewed, secret)
    const [row] = await db.from('zw_webhooks')
    for (const value of [secret, renewed]) {
      assert.notInclude(JSON.stringify(row), value)
    }
    await expectStatus(as.delete(`/webhooks/${webhook.id}`), 204)
    await expectStatus(as.get(`/webhooks/${webhook.id}`), 404)
    const events = await eventsWith({ object_kind: 'webhook', object_name: name })
    assert.deepEqual(
      events.map(({ action }) => action),
      ['webhook.created', 'webhook.updated', 'webhook.secret', 'webhook.deleted']
    )
    assert.notInclude(JSON.stringify(events), 'canary')
    assert.include(JSON.stringify(events), 'hooks.example.net')
  })

  test('a dry run creates no webhook', async ({ assert }) => {
    const body = { name: 'x', url: URL_OF_SOMEBODY, dry_run: true }
    await expectStatus(as.post('/webhooks', body), 200)
    assert.isEmpty(await db.from('zw_webhooks'))
  })

  for (const [url, message] of [
    ['http://hooks.example.net/', /must be an https URL/],
    ['ftp://hooks.example.net/', /must be an https URL/],
    ['hooks', /must be an https URL/],
    ['https://me:secret@hooks.example.net/', /without credentials/],
    [`https://hooks.example.net/${'x'.repeat(2_000)}`, /at most 2000 characters/],
    ['https://127.0.0.1/', /127\.0\.0\.1 is not a public address/],
    ['https://2130706433/', /127\.0\.0\.1 is not a public address/],
    ['https://[::1]/', /::1 is not a public address/],
    ['https://169.254.169.254/latest', /169\.254\.169\.254 is not a public address/],
    ['https://[::ffff:10.0.0.1]/', /is not a public address/],
  ] as const) {
    test(`refuses ${url.slice(0, 60)}`, async ({ assert }) => {
      const response = await as.post('/webhooks', { name: 'x', url })
      response.assertStatus(400)
      assert.match(response.body().message, message)
      assert.notInclude(response.body().message, 'secret')
      assert.isEmpty(await db.from('zw_webhooks'))
    })
  }

  test('refuses an unknown type and a missing name', async ({ assert }) => {
    const invalidResponse = await as.post('/webhooks', {
      name: 'x',
      url: URL_OF_SOMEBODY,
      types: ['Zone!'],
    })
    invalidResponse.assertStatus(400)
    assert.match(invalidResponse.body().message, /'types' must contain event types .*found "Zone!"/)
    await expectStatus(as.post('/webhooks', { name: ' ', url: URL_OF_SOMEBODY }), 400)
  })

  test('only administrators use webhooks', async ({ client }) => {
    const asOther = caller(client, await person({ permissions: ['user_logs_view'] }))
    await expectStatus(asOther.get('/webhooks'), 403)
    await expectStatus(asOther.post('/webhooks', { name: 'x', url: URL_OF_SOMEBODY }), 403)
    await expectStatus(asOther.get('/webhooks/1/deliveries'), 403)
  })
})

test.group('Deliveries to webhooks', (group) => {
  let admin: Person
  let server: OtherServer
  let as: Caller
  group.each.timeout(90_000)
  group.setup(async () => {
    server = await OtherServer.start({
      API_ENABLED: 'true',
      WEBHOOKS_ALLOW_HTTP: 'true',
      WEBHOOKS_ALLOWED_NETWORKS: '127.0.0.0/8',
      WEBHOOKS_TIMEOUT: '1',
    })
    return () => server.stop()
  })
  group.each.setup(async (t) => {
    admin = await administrator()
    as = caller(t.context.client, admin)
    // Seals the events of other tests.
    await sealAll()
    return async () => {
      await db.from('zw_webhooks').delete()
    }
  })

  /** Creates a webhook on the server that allows its address. */
  async function hook(receiver: Receiver, types: string[]): Promise<number> {
    const response = await fetch(`${server.url}/api/v2/webhooks`, {
      method: 'POST',
      headers: { 'x-api-key': admin.key, 'content-type': 'application/json' },
      body: JSON.stringify({ name: unique('hook'), url: receiver.url, types }),
    })
    const { data } = (await response.json()) as { data: { webhook: Webhook; secret: string } }
    receiver.secret = data.secret
    return data.webhook.id
  }

  test('a wanted event is delivered with a signature, and stored in the delivery log', async ({
    assert,
    cleanup,
  }) => {
    const receiver = await Receiver.start()
    cleanup(() => receiver.stop())
    const id = await hook(receiver, ['zone.created'])
    const zone = await createZone(as, { name: zoneNamed() })
    await expectStatus(as.put(`/zones/${zone.id}`, { description: 'x' }), 200)
    await eventually(() => assert.lengthOf(receiver.all, 1), WITHIN)
    const [{ event, isSigned, headers }] = receiver.all
    assert.isTrue(isSigned)
    assert.containsSubset(event, { type: 'zone.created', zone_id: zone.id, entry: 1 })
    assert.containsSubset(headers, {
      'webhook-id': String(event.id),
      'webhook-event': 'zone.created',
      'content-type': 'application/json',
    })
    await eventually(async () => {
      const deliveries: Delivery[] = await dataOf(
        as.get(`/webhooks/${id}/deliveries`),
        'deliveries'
      )
      assert.lengthOf(deliveries, 1)
      const expected = { event_id: event.id, state: 'delivered', status: 200, attempts: 1 }
      assert.containsSubset(deliveries[0], expected)
      assert.deepEqual(deliveries[0].body, JSON.parse(JSON.stringify(event)))
    }, WITHIN)
  })

  test('a test delivery is sent for any types, other events only for wanted types', async ({
    assert,
    cleanup,
  }) => {
    const [receiver, other] = [await Receiver.start(), await Receiver.start()]
    cleanup(() => receiver.stop())
    cleanup(() => other.stop())
    const id = await hook(receiver, ['zone.created'])
    await hook(other, ['zone.created'])
    await expectStatus(as.post(`/webhooks/${id}/test?dry_run=true`, {}), 200)
    await expectStatus(as.post(`/webhooks/${id}/test`, {}), 202)
    const zone = await createZone(as, { name: zoneNamed() })
    await eventually(() => assert.lengthOf(receiver.all, 2), WITHIN)
    await eventually(() => assert.lengthOf(other.all, 1), WITHIN)
    const types = receiver.all.map(({ event }) => event.type)
    assert.sameMembers(types, ['webhook.tested', 'zone.created'])
    assert.equal(other.all[0].event.zone_id, zone.id)
    await expectStatus(as.put(`/webhooks/${id}`, { enabled: false }), 200)
    await expectStatus(as.post(`/webhooks/${id}/test`, {}), 409)
  })

  test('a failed delivery is retried, and later events of its zone wait', async ({
    assert,
    cleanup,
  }) => {
    let failures = 1
    const receiver = await Receiver.start(() => (failures-- > 0 ? 500 : 200))
    cleanup(() => receiver.stop())
    await hook(receiver, ['zone.created', 'zone.updated'])
    const zone = await createZone(as, { name: zoneNamed() })
    await expectStatus(as.put(`/zones/${zone.id}`, { description: 'x' }), 200)
    await eventually(() => assert.lengthOf(receiver.taken, 2), WITHIN)
    assert.deepEqual(
      receiver.all.map(({ event, status }) => [event.type, status]),
      [
        ['zone.created', 500],
        ['zone.created', 200],
        ['zone.updated', 200],
      ]
    )
  })

  test('an unreachable webhook is retried later, and shows the reason', async ({
    assert,
    cleanup,
  }) => {
    const away = await Receiver.start()
    const id = await hook(away, ['zone.created'])
    away.stop()
    await createZone(as, { name: zoneNamed() })
    await eventually(async () => {
      const webhook: Webhook = await dataOf(as.get(`/webhooks/${id}`), 'webhook')
      assert.containsSubset(webhook, {
        last_error: 'The call failed: ECONNREFUSED',
        waiting: 1,
      })
      assert.isAtLeast(webhook.failures, 1)
      assert.isNotNull(webhook.retry_at)
    }, WITHIN)
    const receiver = await Receiver.start()
    cleanup(() => receiver.stop())
    await db.from('zw_webhooks').where('id', id).update({ url: receiver.url })
    await eventually(() => assert.lengthOf(receiver.taken, 1), WITHIN)
  })

  test('a successful delivery can be repeated', async ({ assert, cleanup }) => {
    const receiver = await Receiver.start()
    cleanup(() => receiver.stop())
    const id = await hook(receiver, ['zone.created'])
    await createZone(as, { name: zoneNamed() })
    await eventually(() => assert.lengthOf(receiver.taken, 1), WITHIN)
    let delivery: Delivery
    await eventually(async () => {
      const all: Delivery[] = await dataOf(as.get(`/webhooks/${id}/deliveries`), 'deliveries')
      assert.equal(all[0].state, 'delivered')
      delivery = all[0]
    }, WITHIN)
    await expectStatus(as.post(`/webhooks/${id}/deliveries/${delivery!.id}/replay`, {}), 202)
    await eventually(() => assert.lengthOf(receiver.taken, 2), WITHIN)
    assert.deepEqual(receiver.taken[0], receiver.taken[1])
    await expectStatus(as.post(`/webhooks/${id}/deliveries/999999/replay`, {}), 404)
  })
})
