// @databases
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import {
  startRenewal,
  stopRenewal,
  postponeWrite,
  runPostponedNow,
} from '#changes/idempotency/leases'
import { settleWhenAvailable } from '#changes/idempotency/requests'
import { caller, createZone } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { administrator } from '#tests/support/app/people/people'
import { eventually } from '#tests/support/eventually'

const RECORD = { name: 'www', type: 'A', content: '192.0.2.1', ttl: 300 }

const ago = (milliseconds: number) => new Date(Date.now() - milliseconds).toISOString()

test.group('Rows of requests with an Idempotency-Key', (group) => {
  let callers: string
  let row: { id: number | string }
  let post: () => ReturnType<ReturnType<typeof caller>['post']>

  const rowOf = () =>
    db
      .from('zw_idempotency_keys')
      .where('caller', 'like', callers)
      .orderBy('id', 'desc')
      .firstOrFail()

  /** Sets the state of a request that ended before its response was stored. */
  const leave = (state: string) =>
    db
      .from('zw_idempotency_keys')
      .where('id', row.id)
      .update({ state, status: null, headers: null, body: null })

  group.each.setup(async ({ context }) => {
    const admin = await administrator()
    const as = caller(context.client, admin)
    const zone = await createZone(as, { name: zoneNamed() })
    post = () => as.post(`/zones/${zone.id}/records`, RECORD).header('idempotency-key', 'k')
    callers = `${admin.id}:%`
    const first = await post()
    first.assertStatus(201)
    row = await rowOf()
  })

  test('a request whose process sends no heartbeat loses its key soon', async ({ assert }) => {
    await leave('running')
    const held = await post()
    held.assertStatus(409)
    assert.match(held.body().message, /still running/)

    await db
      .from('zw_idempotency_keys')
      .where('id', row.id)
      .update({ leased_until: ago(1) })
    const takenResponse = await post()
    takenResponse.assertStatus(409)
    assert.match(takenResponse.body().message, /the A record/)
    const next = await rowOf()
    assert.notEqual(Number(next.id), Number(row.id))
  })

  for (const state of ['unknown', 'applied'] as const) {
    test(`an expired lease does not free the key of a change that is ${state}`, async ({
      assert,
    }) => {
      await leave(state)
      await db
        .from('zw_idempotency_keys')
        .where('id', row.id)
        .update({ leased_until: ago(60_000) })
      const answer = await post()
      answer.assertStatus(409)
      assert.match(answer.body().message, /has not yet confirmed|was applied, but/)
      const { state: now } = await rowOf()
      assert.equal(now, state)
    })
  }

  test('heartbeats are sent for running requests until they end', async ({ assert }) => {
    const id = Number(row.id)
    await leave('running')
    const leased = async () => {
      const { leased_until: until } = await rowOf()
      return until
    }
    startRenewal(id)
    const first = ago(-5_000)
    await db.from('zw_idempotency_keys').where('id', id).update({ leased_until: first })
    await eventually(async () => assert.isAbove(Date.parse(await leased()), Date.parse(first)), {
      within: 20_000,
    })
    stopRenewal(id)
  }).timeout(30_000)

  for (const storedResponse of [null, { status: 400, headers: {}, body: '{"kept":true}' }]) {
    const what = storedResponse ? 'answer' : 'release'
    test(`an ${what} that the database refused is written later, or at once for a repeat`, async ({
      assert,
    }) => {
      const id = Number(row.id)
      await leave('running')
      settleWhenAvailable(id, storedResponse)
      const repeat = await post()
      assert.equal(repeat.status(), storedResponse ? 400 : 409)
      assert.match(repeat.text(), storedResponse ? /"kept":true/ : /the A record/)

      const { id: next } = await rowOf()
      await db.from('zw_idempotency_keys').where('id', next).update({ state: 'running' })
      settleWhenAvailable(Number(next), storedResponse)
      await eventually(
        async () => {
          const left = await db.from('zw_idempotency_keys').where('id', next).first()
          assert.equal(left?.state ?? null, storedResponse ? 'done' : null)
        },
        { within: 5_000 }
      )
    })
  }

  test('failed work is retried', async ({ assert }) => {
    let tries = 0
    postponeWrite(-1, async () => {
      tries++
      if (tries < 3) throw new Error('The database is away')
    })
    await eventually(() => assert.equal(tries, 3), { within: 8_000 })
    assert.isFalse(await runPostponedNow(-1))
  }).timeout(15_000)
})
