// @databases
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from '@japa/runner'
import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import { BackendManager } from '#backends/manager'
import { PowerDnsClient } from '#backends/powerdns_api/client'
import { enqueue, outbox, type OutboxEvent } from '#changes/transaction/outbox'
import { inTransaction } from '#database/transaction'
import { powerDnsDeliveries } from '#background/outbox/deliveries'
import { LEASE_MS, type OutboxLog } from '#background/outbox/pass'
import {
  DELIVERED_RETENTION_MS,
  ABANDONED_RETENTION_MS,
  leaseDueEvents,
  timestampIn,
  purgeOutbox,
  markDelivered,
  MAX_RETRY_MS,
  type OutboxRow,
} from '#background/outbox/store'
import { OutboxWorker } from '#background/outbox/worker'
import { caller, createZone } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { administrator } from '#tests/support/app/people/people'
import { eventually } from '#tests/support/eventually'
import { fine, PowerDnsDouble, refusing } from '#tests/support/powerdns_double'

const KEY = 'key-of-the-outbox-tests'

/** A log that stores its lines. */
class Lines implements OutboxLog {
  readonly all: { fields: Record<string, unknown>; text: string }[] = []
  warn = (fields: object, text: string) => void this.all.push({ fields: { ...fields }, text })
}

async function backend() {
  const manager = await app.container.make(BackendManager)
  return manager.use()
}

/** Creates a worker that calls this address. */
async function workerFor(url: string, log = new Lines()): Promise<OutboxWorker> {
  const client = new PowerDnsClient({ url, key: KEY, serverName: 'localhost' })
  const zones = await backend()
  return new OutboxWorker(
    powerDnsDeliveries(client, () => zones),
    log
  )
}

const commit = (events: OutboxEvent[]) =>
  inTransaction(db.connection(), (trx) => enqueue(trx, events))

const flush = (zoneName: string): OutboxEvent => ({ kind: 'flush', zoneId: 1, zoneName })

const rowsOf = (zoneName: string): Promise<OutboxRow[]> =>
  db.from('zw_outbox').where('zone_name', zoneName).orderBy('id')

async function rowOf(zoneName: string): Promise<OutboxRow> {
  const [row] = await rowsOf(zoneName)
  return row
}

const isDone = async (zoneName: string) => {
  const row = await rowOf(zoneName)
  return row.done_at !== null
}

const flushed = (zoneName: string) => `PUT /cache/flush?domain=${zoneName}.`

test.group('The outbox', (group) => {
  let api: PowerDnsDouble
  let log: Lines
  let worker: OutboxWorker

  group.each.setup(async () => {
    await db.from('zw_outbox').delete()
    api = await PowerDnsDouble.start()
    log = new Lines()
    worker = await workerFor(api.url, log)
    return async () => {
      await worker.stop()
      await api.stop()
      await db.from('zw_outbox').delete()
    }
  })

  test('an event is stored only with the commit of its change', async ({ assert }) => {
    const [committed, rolledBack] = [zoneNamed(), zoneNamed()]
    await commit([flush(committed), flush(committed), { ...flush(committed), kind: 'notify' }])
    const failing = inTransaction(db.connection(), async (trx) => {
      await enqueue(trx, [flush(rolledBack)])
      throw new Error('rolled back')
    })
    await assert.rejects(() => failing, 'rolled back')
    const rows = await rowsOf(committed)
    assert.deepEqual(
      rows.map(({ kind }) => kind),
      ['flush', 'notify']
    )
    assert.lengthOf(await rowsOf(rolledBack), 0)
  })

  test('events are delivered with the key, and delivered events are not repeated', async ({
    assert,
  }) => {
    const zone = zoneNamed()
    await commit([flush(zone)])
    assert.deepEqual(await worker.runOnce(), { delivered: 1, failed: 0 })
    assert.deepEqual(await worker.runOnce(), { delivered: 0, failed: 0 })
    assert.deepEqual(api.calls, [{ method: 'PUT', path: `/cache/flush?domain=${zone}.`, key: KEY }])
    const row = await rowOf(zone)
    assert.isNotNull(row.done_at)
    assert.isNull(row.last_error)
    assert.isNull(row.lease)
  })

  test('one call settles all events of a kind and zone', async ({ assert }) => {
    const [zone, other] = [zoneNamed(), zoneNamed()]
    for (let i = 0; i < 5; i++) {
      await commit([flush(zone)])
    }
    await commit([flush(other)])
    assert.deepEqual(await worker.runOnce(), { delivered: 6, failed: 0 })
    assert.sameMembers(api.paths, [flushed(zone), flushed(other)])
  })

  test('the other calls follow even if a server refuses to reload metadata', async ({ assert }) => {
    const zone = zoneNamed()
    api.answer = (response, { method }) =>
      method === 'DELETE' ? refusing(422, 'Unsupported metadata kind')(response) : fine(response)
    await commit([{ ...flush(zone), kind: 'forget' }, flush(zone)])
    assert.deepEqual(await worker.runOnce(), { delivered: 2, failed: 0 })
    assert.equal(api.paths.at(-1), flushed(zone))
    assert.deepEqual(log.all, [
      {
        fields: { kind: 'forget', zone, events: 1 },
        text: 'Outbox: skipped: The PowerDNS API answered 422: Unsupported metadata kind',
      },
    ])
    api.answer = refusing(401, 'Unauthorized')
    await commit([{ ...flush(zone), kind: 'forget' }, flush(zone)])
    assert.deepEqual(await worker.runOnce(), { delivered: 0, failed: 2 })
  })

  test('an event created during the delivery of an equal one is delivered afterwards', async ({
    assert,
  }) => {
    const zone = zoneNamed()
    api.answer = async (response) => {
      if (api.calls.length === 1) {
        await commit([flush(zone)])
      }
      fine(response)
    }
    await commit([flush(zone)])
    assert.deepEqual(await worker.runOnce(), { delivered: 2, failed: 0 })
    assert.lengthOf(api.calls, 2)
  })

  test('secondaries are notified after the cache flush, for existing primary zones only', async ({
    client,
    assert,
  }) => {
    const as = caller(client, await administrator())
    const primary = await createZone(as, { name: zoneNamed(), type: 'MASTER' })
    const native = await createZone(as, { name: zoneNamed(), type: 'NATIVE' })
    const deleted = zoneNamed()
    for (const name of [primary.name, native.name, deleted]) {
      await commit([{ ...flush(name), kind: 'notify' }, flush(name)])
    }
    assert.deepEqual(await worker.runOnce(), { delivered: 6, failed: 0 })
    assert.deepEqual(api.paths, [
      flushed(primary.name),
      `PUT /zones/${primary.name}./notify`,
      flushed(native.name),
      flushed(deleted),
    ])
  })

  test('a refused delivery is retried with increasing delays, and each failure is logged once', async ({
    assert,
  }) => {
    const [bad, good] = [zoneNamed('bad'), zoneNamed('good')]
    const broken = refusing(500, `Broken\nrecord, key ${KEY}`)
    api.answer = (response, call) => (call.path.includes(bad) ? broken(response) : fine(response))
    await commit([flush(bad), { ...flush(bad), kind: 'notify' }, flush(good)])
    assert.deepEqual(await worker.runOnce(), { delivered: 1, failed: 2 })
    const error = 'The PowerDNS API answered 500: Broken record, key ********'
    const pauses: number[] = []
    for (let attempts = 1; attempts <= 4; attempts++) {
      const rows = await rowsOf(bad)
      for (const row of rows) {
        assert.containsSubset(row, { attempts, last_error: error, done_at: null, lease: null })
      }
      pauses.push(Date.parse(rows[0].next_at) - Date.now())
      assert.lengthOf(log.all, attempts)
      assert.equal(log.all[attempts - 1].text, `Outbox: ${error}`)
      assert.deepEqual(await worker.runOnce(), { delivered: 0, failed: 0 })
      await db
        .from('zw_outbox')
        .where('zone_name', bad)
        .update({ next_at: timestampIn(0) })
      await worker.runOnce()
    }
    assert.isAtMost(pauses[0], 2_000)
    assert.isAbove(pauses[3], 7_000)

    api.answer = fine
    await db
      .from('zw_outbox')
      .where('zone_name', bad)
      .update({ next_at: timestampIn(0) })
    const { delivered } = await worker.runOnce()
    assert.equal(delivered, 2)
    const { last_error: last } = await rowOf(bad)
    assert.isNull(last)
  })

  test('a new event includes the pending events of its zone', async ({ assert }) => {
    const zone = zoneNamed()
    api.answer = refusing(422, 'no')
    await commit([flush(zone)])
    await worker.runOnce()
    api.answer = fine
    await commit([flush(zone)])
    assert.deepEqual(await worker.runOnce(), { delivered: 2, failed: 0 })
  })

  for (const [what, spoil, reason] of [
    ['not there', (double: PowerDnsDouble) => double.stop(), /did not answer \(ECONNREFUSED\)$/],
    ['slow', slow, /did not answer \(not within 5 seconds\)$/],
    ['refusing the key', locked, /answered 401: Unauthorized$/],
    ['redirecting', elsewhere, /did not answer \(unexpected redirect\)$/],
  ] as [string, (double: PowerDnsDouble) => unknown, RegExp][]) {
    test(`a server that is ${what} gets one request for all pending events`, async ({ assert }) => {
      const other = await PowerDnsDouble.start()
      const its = await workerFor(other.url, log)
      await spoil(other)
      const zones = Array.from({ length: 30 }, () => zoneNamed())
      await commit(zones.map(flush))
      assert.deepEqual(await its.runOnce(), { delivered: 0, failed: 30 })
      assert.isAtMost(other.calls.length, 1)
      assert.lengthOf(log.all, 1)
      assert.equal(log.all[0].fields.events, 30)
      const { last_error: error, attempts } = await rowOf(zones[29])
      assert.equal(attempts, 1)
      assert.match(error ?? '', reason)
      assert.notInclude(JSON.stringify(log.all), KEY)
      await other.stop().catch(() => {})
    }).timeout(20_000)
  }

  test('an event is given up after a day with its last error, and stays for a while', async ({
    assert,
  }) => {
    const [old, young] = [zoneNamed(), zoneNamed()]
    api.answer = refusing(422, 'never')
    await commit([flush(old), flush(young)])
    const created = { created_at: timestampIn(-MAX_RETRY_MS) }
    await db.from('zw_outbox').where('zone_name', old).update(created)
    await worker.runOnce()
    const abandoned = await rowOf(old)
    assert.isNotNull(abandoned.done_at)
    assert.match(abandoned.last_error ?? '', /never$/)
    assert.isFalse(await isDone(young))

    const done = zoneNamed()
    api.answer = fine
    await commit([flush(done)])
    await worker.runOnce()
    const age = (zone: string, by: number) =>
      db
        .from('zw_outbox')
        .where('zone_name', zone)
        .update({ done_at: timestampIn(-by) })
    await age(done, DELIVERED_RETENTION_MS - 10_000)
    await age(old, ABANDONED_RETENTION_MS - 10_000)
    await purgeOutbox()
    assert.lengthOf([...(await rowsOf(done)), ...(await rowsOf(old))], 2)
    await age(done, DELIVERED_RETENTION_MS)
    await age(old, ABANDONED_RETENTION_MS)
    await purgeOutbox()
    assert.lengthOf([...(await rowsOf(done)), ...(await rowsOf(old))], 0)
    assert.lengthOf(await rowsOf(young), 1)
  })

  test('four concurrent workers deliver each event once', async ({ assert }) => {
    const zones = Array.from({ length: 120 }, () => zoneNamed())
    await commit(zones.map(flush))
    api.answer = async (response) => {
      await sleep(2)
      fine(response)
    }
    const workers = await Promise.all(Array.from({ length: 4 }, () => workerFor(api.url, log)))
    const results = await Promise.all(workers.map((each) => each.runOnce()))
    const delivered = results.reduce((sum, result) => sum + result.delivered, 0)
    assert.equal(delivered, 120)
    assert.sameMembers(api.paths, zones.map(flushed))
    assert.lengthOf(api.paths, 120)
  })

  test('events of a killed worker are delivered after its lease expires', async ({ assert }) => {
    const zone = zoneNamed()
    await commit([flush(zone)])
    const held = await leaseDueEvents('of-the-killed', ['flush'], LEASE_MS)
    assert.lengthOf(held, 1)
    assert.deepEqual(await worker.runOnce(), { delivered: 0, failed: 0 })
    await db.from('zw_outbox').update({ leased_until: timestampIn(-1) })
    api.answer = async (response) => {
      // The slow worker finishes after its lease expired. Another worker has the lease of the row.
      await markDelivered('of-the-killed', [held[0].id])
      assert.isFalse(await isDone(zone))
      fine(response)
    }
    assert.deepEqual(await worker.runOnce(), { delivered: 1, failed: 0 })
    assert.isTrue(await isDone(zone))
  })

  test('a wake-up starts a pass soon without blocking, and a stop releases leased events', async ({
    assert,
  }) => {
    const [first, second] = [zoneNamed(), zoneNamed()]
    worker.start()
    await sleep(100)
    await commit([flush(first)])
    outbox.wake()
    await eventually(() => assert.lengthOf(api.calls, 1), { within: 1_000, every: 5 })
    await eventually(async () => assert.isTrue(await isDone(first)))

    api.answer = () => {}
    await commit([flush(second)])
    const startTime = performance.now()
    outbox.wake()
    assert.isBelow(performance.now() - startTime, 5)
    await eventually(() => assert.lengthOf(api.calls, 2), { within: 1_000, every: 5 })
    await worker.stop()
    assert.isBelow(performance.now() - startTime, 2_000)
    const row = await rowOf(second)
    assert.containsSubset(row, { attempts: 0, lease: null, done_at: null, last_error: null })
    assert.lengthOf(log.all, 0)

    outbox.wake()
    await sleep(50)
    assert.lengthOf(api.calls, 2)
  })

  test('a worker finds events of other processes by itself', async ({ assert }) => {
    const zone = zoneNamed()
    worker.start()
    await sleep(200)
    await commit([flush(zone)])
    await eventually(() => assert.deepEqual(api.paths, [flushed(zone)]), { within: 8_000 })
  }).timeout(15_000)

  test('zone names have PowerDNS spelling', async ({ assert }) => {
    const client = new PowerDnsClient({ url: api.url, key: KEY, serverName: 'localhost' })
    await client.notify('0/25.2.0.192.in-addr.arpa')
    await client.flushCache('0/25.2.0.192.in-addr.arpa')
    assert.deepEqual(api.paths, [
      'PUT /zones/0=2F25.2.0.192.in-addr.arpa./notify',
      'PUT /cache/flush?domain=0/25.2.0.192.in-addr.arpa.',
    ])
  })

  test('an invalid key is not quoted in the error', async ({ assert }) => {
    const key = 'secret\nkey'
    const client = new PowerDnsClient({ url: api.url, key, serverName: 'localhost' })
    const error: Error = await client.flushCache('a.test').then(
      () => assert.fail('went through'),
      (reason) => reason
    )
    assert.equal(error.message, 'The PowerDNS API did not answer (the call failed)')
    assert.isUndefined(error.cause)
  })
})

function slow(double: PowerDnsDouble): void {
  double.answer = () => {}
}

function locked(double: PowerDnsDouble): void {
  double.answer = refusing(401, 'Unauthorized')
}

function elsewhere(double: PowerDnsDouble): void {
  double.answer = (response) => {
    response.writeHead(307, { Location: '/elsewhere' })
    response.end()
  }
}
