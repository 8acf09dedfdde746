// @databases
import { setTimeout } from 'node:timers/promises'
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { BackendUnavailable } from '#backends/contract/errors'
import { enqueue, TryLater } from '#changes/transaction/outbox'
import { inTransaction } from '#database/transaction'
import type { Deliveries } from '#background/outbox/deliveries'
import { OutboxPass } from '#background/outbox/pass'
import type { OutboxRow } from '#background/outbox/store'
import { unique, zoneNamed } from '#tests/support/app/names'

/** Numbers of the delivered mails. */
let sent: number[]

const numberOf = ({ payload }: OutboxRow) =>
  (JSON.parse(payload ?? 'null') as { user: number }).user

/** Adds mails for one zone, numbered from 1. */
async function enqueueMails(zoneName: string, count: number): Promise<void> {
  const mails = Array.from({ length: count }, (_, index) => ({
    kind: 'mail' as const,
    zoneId: 1,
    zoneName,
    payload: { user: index + 1 },
  }))
  await inTransaction(db.connection(), (trx) => enqueue(trx, mails))
}

/** Returns the numbers of delivered or of pending mails. */
async function numbersOf(zoneName: string, isDone: boolean): Promise<number[]> {
  const rows: OutboxRow[] = await db.from('zw_outbox').where('zone_name', zoneName).orderBy('id')
  return rows.filter((row) => (row.done_at !== null) === isDone).map(numberOf)
}

/** Runs one pass. `before` is called before each delivery. */
function pass(before: (mail: number) => unknown, signal = new AbortController().signal) {
  const deliveries: Deliveries = {
    async mail(event) {
      await before(numberOf(event))
      sent.push(numberOf(event))
    },
  }
  return new OutboxPass(deliveries, { warn: () => {} }, signal).run(unique('lease'))
}

test.group('Events that are delivered one at a time', (group) => {
  let zone: string

  group.each.setup(async () => {
    await db.from('zw_outbox').delete()
    sent = []
    zone = zoneNamed()
    return async () => {
      await db.from('zw_outbox').delete()
    }
  })

  test('each event is settled before the next one starts', async ({ assert }) => {
    await enqueueMails(zone, 3)
    const settled: number[][] = []
    const result = await pass(async () => settled.push(await numbersOf(zone, true)))
    assert.deepEqual(settled, [[], [1], [1, 2]])
    assert.containsSubset(result, { delivered: 3, failed: 0 })
    assert.deepEqual(await numbersOf(zone, false), [])
  })

  test('no delivery starts shortly before the end of the lease', async ({ assert, cleanup }) => {
    await enqueueMails(zone, 3)
    const { now } = Date
    cleanup(() => void (Date.now = now))
    const result = await pass(() => (Date.now = () => now() + 46_000))
    Date.now = now
    assert.deepEqual(sent, [1])
    assert.equal(result.delivered, 1)
    assert.deepEqual(await numbersOf(zone, false), [2, 3])
    await pass(() => {})
    assert.deepEqual(sent, [1, 2, 3])
  })

  test('a delivery that outlasts the lease happens once', async ({ assert }) => {
    await enqueueMails(zone, 2)
    const leaseMs = 1_500
    const slow: Deliveries = {
      async mail(event) {
        await setTimeout(numberOf(event) === 1 ? 2_600 : 0)
        sent.push(numberOf(event))
      },
    }
    const { signal } = new AbortController()
    const running = new OutboxPass(slow, { warn: () => {} }, signal, leaseMs).run(unique('lease'))
    await setTimeout(2_000)
    const other = await pass(() => {})
    assert.containsSubset(other, { delivered: 0 })
    assert.containsSubset(await running, { delivered: 1, failed: 0 })
    assert.deepEqual(sent, [1])
    // The remaining rows have no lease and are available at once.
    await pass(() => {})
    assert.deepEqual(sent, [1, 2])
  })

  test('no delivery starts while the process ends, and delivered events are settled', async ({
    assert,
  }) => {
    await enqueueMails(zone, 3)
    const stopping = new AbortController()
    await pass(() => stopping.abort(), stopping.signal)
    assert.deepEqual(sent, [1])
    assert.deepEqual(await numbersOf(zone, true), [1])
    const rows: OutboxRow[] = await db.from('zw_outbox').where('zone_name', zone)
    assert.isTrue(rows.every(({ lease, attempts }) => lease === null && Number(attempts) === 0))
  })

  test('a failed event does not delay others, but an unreachable server delays all', async ({
    assert,
  }) => {
    await enqueueMails(zone, 3)
    const result = await pass((mail) => {
      if (mail === 1) throw new TryLater('not now')
      if (mail === 2) throw new Error('broken')
    })
    assert.deepEqual(sent, [3])
    assert.containsSubset(result, { delivered: 1, failed: 2, isServerDown: false })
    const rows: OutboxRow[] = await db.from('zw_outbox').whereNull('done_at').orderBy('id')
    assert.deepEqual(
      rows.map((row) => [numberOf(row), row.last_error, Number(row.attempts), row.lease]),
      [
        [1, 'not now', 1, null],
        [2, 'Internal error, see the log', 1, null],
      ]
    )
    await db.from('zw_outbox').update({ next_at: new Date().toISOString() })
    const calls: number[] = []
    const down = await pass((mail) => {
      calls.push(mail)
      throw new BackendUnavailable('down')
    })
    assert.deepEqual(calls, [1])
    assert.containsSubset(down, { delivered: 0, failed: 2, isServerDown: true })
  })
})
