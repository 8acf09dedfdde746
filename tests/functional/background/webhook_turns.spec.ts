import encryption from '@adonisjs/core/services/encryption'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { chunks } from '#database/statements/chunks'
import { purgeDeliveries } from '#events/webhooks/deliveries'
import {
  releaseWebhook,
  renewWebhookLease,
  leaseWebhook,
  findWebhooksWithWork,
} from '#events/webhooks/leases'
import { WebhookPass } from '#background/webhook_pass'
import { caller, expectStatus } from '#tests/support/app/api'
import { unique } from '#tests/support/app/names'
import { administrator } from '#tests/support/app/people/people'

const DAY_MS = 86_400_000
const REACHED = { failures: 0, pauseMs: null, error: null }

/** Returns the time in so many milliseconds, in the format of tables. */
const at = (milliseconds: number) => new Date(Date.now() + milliseconds).toISOString()
const PAST = at(-60_000)
const LATER = at(3_600_000)

/** Creates a webhook without pending events. */
async function createHook(): Promise<number> {
  const name = unique('hook')
  await db.table('zw_webhooks').insert({
    name,
    // A network for documentation: no request reaches a server.
    url: 'https://192.0.2.1/',
    secret: encryption.encrypt('whsec_test', { purpose: 'webhook-secret' }),
    enabled: true,
    position: 0,
    created_at: at(0),
  })
  const row = await db.from('zw_webhooks').where('name', name).firstOrFail()
  return Number(row.id)
}

async function addDeliveries(webhookId: number, deliveries: object[]): Promise<void> {
  const rows = deliveries.map((delivery, index) => ({
    webhook_id: webhookId,
    position: index + 1,
    type: 'zone.updated',
    zone_id: 1,
    body: '{}',
    state: 'waiting',
    next_at: PAST,
    created_at: PAST,
    ...delivery,
  }))
  for (const part of chunks(rows, 100)) {
    await db.table('zw_webhook_deliveries').multiInsert(part)
  }
}

test.group('Leases of webhooks', (group) => {
  group.each.setup(() => async () => {
    await db.from('zw_webhooks').delete()
  })

  test('a webhook whose first delivery pauses is not due, whatever waits behind it', async ({
    assert,
  }) => {
    const pausing = await createHook()
    await addDeliveries(pausing, [{ next_at: LATER }, {}, {}])
    const due = await createHook()
    await addDeliveries(due, [{ state: 'delivered', next_at: LATER }, {}])
    const ofTwoZones = await createHook()
    await addDeliveries(ofTwoZones, [{ next_at: LATER }, { zone_id: 2 }])
    assert.sameMembers(await findWebhooksWithWork(0), [due, ofTwoZones])
  })

  test('a pass without work says so', async ({ assert }) => {
    const { signal } = new AbortController()
    const id = await createHook()
    await addDeliveries(id, [{ next_at: LATER }, {}])
    assert.isFalse(await new WebhookPass(id, signal).run(0))
    await db.from('zw_webhook_deliveries').update({ next_at: PAST })
    assert.isTrue(await new WebhookPass(id, signal).run(0))
  })

  test('the webhook with the oldest pass comes first', async ({ assert }) => {
    const ids = [await createHook(), await createHook(), await createHook()]
    for (const id of ids) {
      await addDeliveries(id, [{}])
    }
    const [first, second, third] = ids
    for (const id of [second, first]) {
      await leaseWebhook(id, 'lease')
      await releaseWebhook(id, 'lease', REACHED)
      // Stored times have a resolution of milliseconds.
      await new Promise((resolve) => setTimeout(resolve, 5))
    }
    assert.deepEqual(await findWebhooksWithWork(0), [third, second, first])
  })

  for (const [what, path, body] of [
    ['the secret', '/secret', {}],
    ['the URL', '', { url: 'https://192.0.43.8/' }],
  ] as const) {
    test(`a change of ${what} ends the current lease`, async ({ assert, client }) => {
      const as = caller(client, await administrator())
      const id = await createHook()
      await addDeliveries(id, [{}])
      assert.isNotNull(await leaseWebhook(id, 'before'))
      assert.isTrue(await renewWebhookLease(id, 'before'))
      assert.isNull(await leaseWebhook(id, 'after'))
      if (path === '') await expectStatus(as.put(`/webhooks/${id}`, body), 200)
      else await expectStatus(as.post(`/webhooks/${id}${path}`, body), 200)
      assert.isFalse(await renewWebhookLease(id, 'before'))
      // Another worker takes the webhook at once. The result of the earlier worker is ignored.
      assert.deepEqual(await findWebhooksWithWork(0), [id])
      assert.isNotNull(await leaseWebhook(id, 'after'))
      await releaseWebhook(id, 'before', { failures: 3, pauseMs: 1_000, error: 'away' })
      assert.containsSubset(await db.from('zw_webhooks').where('id', id).first(), {
        lease: 'after',
        failures: 0,
        last_error: null,
      })
    })
  }
})

test.group('Old deliveries', (group) => {
  group.each.setup(() => async () => {
    await db.from('zw_webhooks').delete()
  })

  test('all of them are removed in one pass', async ({ assert }) => {
    const id = await createHook()
    const long = { ended_at: at(-31 * DAY_MS) }
    await addDeliveries(id, [
      { state: 'delivered', ended_at: at(-29 * DAY_MS) },
      {},
      ...Array.from({ length: 1_100 }, () => ({ ...long, state: 'delivered' })),
      ...Array.from({ length: 600 }, () => ({ ...long, state: 'given_up' })),
    ])
    await purgeDeliveries(30)
    const left = await db.from('zw_webhook_deliveries').orderBy('position').select('state')
    assert.deepEqual(
      left.map(({ state }) => state),
      ['delivered', 'waiting']
    )
  })
})
