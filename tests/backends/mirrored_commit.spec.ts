// @databases
import { randomUUID } from 'node:crypto'
import { setTimeout as wait } from 'node:timers/promises'
import { isDeepStrictEqual } from 'node:util'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import type { DnsBackend } from '#backends/contract/backend'
import {
  BackendUnavailable,
  WriteRefused,
  WritesPending,
  WriteUnconfirmed,
} from '#backends/contract/errors'
import { withHeartbeat } from '#backends/pending_writes/heartbeat'
import { hold, intend, settle, unconfirmed } from '#backends/pending_writes/store'
import type { Mirror } from '#backends/mirrored/mirror'
import { MirroredWrites } from '#backends/mirrored/write_coordinator'
import type { ServerZone, ZoneServer } from '#backends/mirrored/zone_server'
import { AT_WORK_MS, type UnconfirmedWrites } from '#backends/contract/pending_writes'
import type { WriteSession } from '#backends/contract/write_session'
import { recoverPendingWrites } from '#changes/recovery/recover'
import { inTransaction } from '#database/transaction'
import { zoneNamed } from '#tests/support/app/names'
import { eventually } from '#tests/support/eventually'

/** A mirror that has the zone as the server has it. */
const LOOKING: Pick<Mirror, 'look'> = {
  async look({ id }) {
    const { version } = await db.from('zw_mirror_zones').where('id', id).firstOrFail()
    return { version: Number(version), answer: {} as ServerZone }
  },
}

/** A server that does what it is asked, or fails so; what it did, in its order. */
function serverThat(failure: Error | null, mirror: Pick<Mirror, 'look'> = LOOKING) {
  const calls: string[] = []
  const writes = writesAt(
    {
      async carry({ kind }) {
        if (failure) {
          throw failure
        }
        calls.push(kind)
        return null
      },
      async undo({ kind }) {
        calls.push(`undo ${kind}`)
      },
    },
    mirror
  )
  return { calls, writes }
}

/** Writes at a server of which nothing else is asked. */
function writesAt(
  server: Pick<ZoneServer, 'carry' | 'undo'> & Partial<Pick<ZoneServer, 'metadata'>>,
  mirror = LOOKING
): MirroredWrites {
  const whole: Omit<ZoneServer, 'list' | 'facts' | 'metadata' | 'keys'> = {
    movesSerials: false,
    takesMetadata: () => true,
    zone: async () => ({}) as ServerZone,
    ...server,
  }
  return new MirroredWrites(() => db.connection(), whole as ZoneServer, mirror as Mirror)
}

/** Makes a zone, and notes what its marks are told. */
function making(name: string, marks: string[]) {
  return async (session: WriteSession) => {
    await session.createZone({ name, kind: 'NATIVE', masters: [], account: null, metadata: {} })
    session.intend?.({
      author: {},
      effects: [],
      marks: {
        begun: async () => void marks.push('begun'),
        withdrawn: async () => void marks.push('withdrawn'),
      },
    })
  }
}

/** Says whose some zones are. */
function giving(ids: number[], account: string) {
  return async (session: WriteSession) => {
    const zones = await session.lockZones(ids)
    for (const zone of zones.values()) {
      await session.updateZone(zone, { account })
    }
  }
}

/** The id of a new zone. */
async function made(name = zoneNamed()): Promise<number> {
  await serverThat(null).writes.write(making(name, []))
  const { id } = await db.from('zw_mirror_zones').where('name', name).firstOrFail()
  return Number(id)
}

/** The write about a zone that is not confirmed. */
async function writeOf(zoneId: number) {
  const [write] = await Array.fromAsync(unconfirmed(db.connection(), { zoneIds: [zoneId] }))
  return write
}

/** The writes of a zone that are not confirmed. */
async function pendingOf(name: string) {
  const writes = await Array.fromAsync(unconfirmed(db.connection()))
  return writes.filter(({ steps }) => steps.some(({ zoneName }) => zoneName === name))
}

test.group('What a write asks of a server beside records', () => {
  test('is asked anew where another process wrote the zone meanwhile', async ({ assert }) => {
    const id = await made()
    const asked: string[] = []
    const writes = writesAt({
      carry: async () => null,
      undo: async () => {},
      async metadata(name) {
        asked.push(name)
        if (asked.length > 1) return { 'X-A': ['new'] }
        await db.from('zw_mirror_zones').where('id', id).increment('version', 1)
        return { 'X-A': ['old'] }
      },
    })
    const found = await writes.write(async (session) => {
      const zones = await session.lockZones([id])
      return session.metadataOf(zones.get(id)!)
    })
    assert.deepEqual(found, { 'X-A': ['new'] })
    assert.lengthOf(asked, 2)
  })
})

test.group('The last word of a write that a server made', () => {
  test('is not claimed, nor taken back, where the own database does not confirm it', async ({
    assert,
  }) => {
    const name = zoneNamed()
    const { calls, writes } = serverThat(null)
    const marks: string[] = []
    const make = making(name, marks)
    const failure: unknown = await writes
      .write(async (session) => {
        const trx = session.transaction!
        trx.commit = async () => {
          await trx.rollback()
          throw new Error('The connection is lost')
        }
        await make(session)
      })
      .catch((error: unknown) => error)
    assert.instanceOf(failure, WriteUnconfirmed)
    assert.deepEqual((failure as WriteUnconfirmed).zones, [{ zoneName: name, state: 'written' }])
    assert.deepEqual(calls, ['create'])
    assert.deepEqual(marks, ['begun'])
    const [write, ...others] = await pendingOf(name)
    assert.deepEqual(others, [])
    await settle(db.connection(), write.id)
  })

  test('is withdrawn where the server refuses it', async ({ assert }) => {
    const name = zoneNamed()
    const { calls, writes } = serverThat(new WriteRefused('not so'))
    const marks: string[] = []
    await assert.rejects(() => writes.write(making(name, marks)), 'not so')
    assert.deepEqual(calls, [])
    assert.deepEqual(marks, ['begun', 'withdrawn'])
    assert.deepEqual(await pendingOf(name), [])
  })

  test('is kept of changes that are longer than what a database takes at once', async ({
    assert,
  }) => {
    const name = zoneNamed()
    const content = `"${'x'.repeat(60_000)}"`
    const changes = Array.from({ length: 290 }, (_, index) => {
      const key = { name: `r${index}.${name}`, type: 'TXT' }
      const records = [{ content, priority: 0, disabled: false }]
      return { ...key, before: null, after: { ...key, ttl: 300, records } }
    })
    const effects = [{ text: 'é😀'.repeat(300_000) }]
    const place = { zoneId: 2_000_000_000, zoneName: name }
    const step = { ...place, kind: 'records' as const, changes, movesSerial: false }
    await intend(db.connection(), [step], { author: {}, effects }, null)
    const [kept] = await pendingOf(name)
    await settle(db.connection(), kept.id)
    assert.isTrue(isDeepStrictEqual(kept.effects, effects))
    assert.isTrue(isDeepStrictEqual(kept.steps, [{ ...place, kind: 'records', changes }]))
  })

  test('of one that settles an earlier one leaves that as it was, where it is withdrawn', async ({
    assert,
  }) => {
    const [name, later] = [zoneNamed(), zoneNamed()]
    const lost = new WriteUnconfirmed('no answer')
    await assert.rejects(() => serverThat(lost).writes.write(making(name, [])), 'no answer')
    const [{ id }] = await pendingOf(name)
    const beganAt = new Date(Date.now() - 120_000).toISOString()
    await db.from('zw_pending_writes').where('id', id).update({ began_at: beganAt })
    const [before] = await pendingOf(name)
    const { writes } = serverThat(new WriteRefused('not so'))
    await assert.rejects(() => writes.write(making(later, []), id), 'not so')
    assert.deepEqual(await pendingOf(name), [before])
    await settle(db.connection(), id)
  })

  test('keeps those that another process looked at before it began from writing', async ({
    assert,
  }) => {
    const name = zoneNamed()
    const id = await made(name)
    const [looking, going] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const other = serverThat(null, {
      async look(zone) {
        const look = await LOOKING.look(zone)
        looking.resolve()
        await going.promise
        return look
      },
    })
    const late = other.writes.write(giving([id], 'late')).catch((error: unknown) => error)
    await looking.promise
    const lost = serverThat(new WriteUnconfirmed('no answer'))
    await assert.rejects(() => lost.writes.write(giving([id], 'lost')), 'no answer')
    going.resolve()
    assert.instanceOf(await late, WritesPending)
    assert.deepEqual(other.calls, [])
    const [write, ...others] = await pendingOf(name)
    assert.deepEqual(others, [])
    await settle(db.connection(), write.id)
  })
})

test.group('Writes that are at work', () => {
  const longAgo = () => new Date(Date.now() - 2 * AT_WORK_MS).toISOString()

  test('are held while their steps are taken back, which are known as that at once', async ({
    assert,
  }) => {
    const ids = [await made(), await made(), await made()]
    const order: string[] = []
    let others: Promise<unknown> | null = null
    const writes = writesAt({
      async carry({ zoneId }) {
        if (zoneId === ids[2]) {
          throw new WriteRefused('not so')
        }
        order.push(`made ${ids.indexOf(zoneId)}`)
        return null
      },
      async undo({ zoneId }) {
        if (zoneId === ids[0]) {
          throw new BackendUnavailable('not now')
        }
        others = inTransaction(db.connection(), async (trx) => {
          const call = await trx.from('zw_pending_steps').where('zone_id', ids[0]).firstOrFail()
          await hold(trx, call.write_id)
          order.push('held by others')
        })
        await wait(200)
        order.push(`undone ${ids.indexOf(zoneId)}`)
      },
    })
    const write = writes.write(giving(ids, 'somebody'))
    const failure: unknown = await write.catch((error: unknown) => error)
    await others
    assert.instanceOf(failure, WriteUnconfirmed)
    const { zones } = failure as WriteUnconfirmed
    assert.deepEqual(
      zones.map(({ state }) => state),
      ['unknown', 'untouched', 'untouched']
    )
    assert.deepEqual(order, ['made 0', 'made 1', 'undone 1', 'held by others'])
    const { id, steps } = await writeOf(ids[0])
    assert.deepEqual(
      steps.map(({ zoneId, kind }) => [zoneId, kind]),
      [
        [ids[0], 'properties'],
        [ids[1], 'undone'],
        [ids[2], 'undone'],
      ]
    )
    await settle(db.connection(), id)
  })

  for (const [what, unanswered] of [
    ['that was made', 'made'],
    ['that was to take back another', 'taken back'],
  ] as const) {
    test(`are it from a call without an answer on, ${what}`, async ({ assert }) => {
      const ids = [await made(), await made()]
      const writes = writesAt({
        async carry({ zoneId }) {
          if (zoneId === ids[1]) {
            throw unanswered === 'made' ? new WriteUnconfirmed('lost') : new WriteRefused('not so')
          }
          return null
        },
        async undo() {
          throw new WriteUnconfirmed('lost')
        },
      })
      const since = new Date().toISOString()
      const write = writes.write(async (session) => {
        await giving(ids, 'somebody')(session)
        session.intend?.({
          author: {},
          effects: [],
          marks: {
            async begun(trx) {
              const calls = trx.from('zw_pending_steps').whereIn('zone_id', ids).select('write_id')
              const row = trx.from('zw_pending_writes').whereIn('id', calls)
              await row.update({ began_at: longAgo() })
            },
            async withdrawn() {},
          },
        })
      })
      const failure: unknown = await write.catch((error: unknown) => error)
      assert.instanceOf(failure, WriteUnconfirmed)
      const { id, beganAt } = await writeOf(ids[0])
      assert.isTrue(beganAt >= since, beganAt)
      await settle(db.connection(), id)
    })
  }

  test('and are taken back leave nothing to those who looked meanwhile', async ({ assert }) => {
    const ids = [await made(), await made()]
    const seen = await LOOKING.look({ id: ids[0], name: '' })
    const writes = writesAt({
      async carry({ zoneId }) {
        if (zoneId === ids[1]) {
          throw new WriteRefused('not so')
        }
        return null
      },
      async undo() {},
    })
    await assert.rejects(() => writes.write(giving(ids, 'somebody')), 'not so')
    let looks = 0
    const later = serverThat(null, {
      look: async (zone) => (looks++ === 0 ? seen : LOOKING.look(zone)),
    })
    await later.writes.write(giving([ids[0]], 'later'))
    assert.equal(looks, 2)
    assert.deepEqual(later.calls, ['properties'])
  })

  test('say so as long as they are', async ({ assert }) => {
    const id = await made()
    const lost = serverThat(new WriteUnconfirmed('no answer'))
    await assert.rejects(() => lost.writes.write(giving([id], 'lost')), 'no answer')
    const write = await writeOf(id)
    const own = () => db.connection()
    await own().from('zw_pending_writes').where('id', write.id).update({ began_at: longAgo() })
    const work = () =>
      eventually(async () => {
        const { beganAt } = await writeOf(id)
        assert.isTrue(beganAt >= write.beganAt)
      })
    await withHeartbeat(own, write.id, work, 10)
    await settle(own(), write.id)
  })

  test('and that cannot be settled keep no other one waiting', async ({ assert, cleanup }) => {
    const ids = Array.from({ length: 101 }, () => randomUUID())
    const rows = ids.map((id) => ({ id, node: 'tests', began_at: longAgo() }))
    await db.table('zw_pending_writes').multiInsert(rows)
    cleanup(async () => {
      await db.from('zw_pending_writes').whereIn('id', ids).delete()
    })
    const asked: string[] = []
    const writes: Pick<UnconfirmedWrites, 'list' | 'clear'> = {
      list: (which) => unconfirmed(db.connection(), which),
      async clear({ id }) {
        asked.push(id)
        throw new BackendUnavailable('not now')
      },
    }
    const backend = { unconfirmed: writes } as DnsBackend
    const before = new Date().toISOString()
    await assert.rejects(() => recoverPendingWrites(backend, { before }), 'not now')
    assert.sameMembers(asked, ids)
  })
})
