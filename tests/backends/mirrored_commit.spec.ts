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
import {
  lockWrite,
  storeWrite,
  confirmWrite,
  readUnconfirmedWrites,
} from '#backends/pending_writes/store'
import type { Mirror } from '#backends/mirrored/mirror'
import { MirroredWrites } from '#backends/mirrored/write_coordinator'
import type { ServerZone, ZoneServer } from '#backends/mirrored/zone_server'
import { HEARTBEAT_TIMEOUT_MS, type UnconfirmedWrites } from '#backends/contract/pending_writes'
import type { WriteSession } from '#backends/contract/write_session'
import { recoverPendingWrites } from '#changes/recovery/recover'
import { inTransaction } from '#database/transaction'
import { zoneNamed } from '#tests/support/app/names'
import { eventually } from '#tests/support/eventually'

/** A mirror that matches the server. */
const CURRENT_MIRROR: Pick<Mirror, 'readWhole'> = {
  async readWhole({ id }) {
    const { version } = await db.from('zw_mirror_zones').where('id', id).firstOrFail()
    return { version: Number(version), answer: {} as ServerZone }
  },
}

/** A server that performs its calls, or fails with an error; `calls` is its log. */
function serverThat(failure: Error | null, mirror: Pick<Mirror, 'readWhole'> = CURRENT_MIRROR) {
  const calls: string[] = []
  const writes = writesAt(
    {
      async executeStep({ kind }) {
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

/** Writes to a server that only the write uses. */
function writesAt(
  server: Pick<ZoneServer, 'executeStep' | 'undo'> & Partial<Pick<ZoneServer, 'metadata'>>,
  mirror = CURRENT_MIRROR
): MirroredWrites {
  const whole: Omit<ZoneServer, 'list' | 'facts' | 'metadata' | 'keys'> = {
    movesSerials: false,
    takesMetadata: () => true,
    zone: async () => ({}) as ServerZone,
    ...server,
  }
  return new MirroredWrites(() => db.connection(), whole as ZoneServer, mirror as Mirror)
}

/** Creates a zone and records the calls of its listener. */
function creatingZone(name: string, marks: string[]) {
  return async (session: WriteSession) => {
    await session.createZone({ name, kind: 'NATIVE', masters: [], account: null, metadata: {} })
    session.setPendingEffects?.({
      author: {},
      effects: [],
      hooks: {
        onStored: async () => void marks.push('begun'),
        onWithdrawn: async () => void marks.push('withdrawn'),
      },
    })
  }
}

/** Changes the account of some zones. */
function changingAccount(ids: number[], account: string) {
  return async (session: WriteSession) => {
    const zones = await session.lockZones(ids)
    for (const zone of zones.values()) {
      await session.updateZone(zone, { account })
    }
  }
}

/** The id of a new zone. */
async function createZone(name = zoneNamed()): Promise<number> {
  await serverThat(null).writes.write(creatingZone(name, []))
  const { id } = await db.from('zw_mirror_zones').where('name', name).firstOrFail()
  return Number(id)
}

/** The pending write of a zone. */
async function writeOf(zoneId: number) {
  const [write] = await Array.fromAsync(
    readUnconfirmedWrites(db.connection(), { zoneIds: [zoneId] })
  )
  return write
}

/** All pending writes of a zone. */
async function pendingOf(name: string) {
  const writes = await Array.fromAsync(readUnconfirmedWrites(db.connection()))
  return writes.filter(({ steps }) => steps.some(({ zoneName }) => zoneName === name))
}

test.group('Calls of a write that are not about records', () => {
  test('calls are repeated if another process wrote the zone in between', async ({ assert }) => {
    const id = await createZone()
    const asked: string[] = []
    const writes = writesAt({
      executeStep: async () => null,
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

test.group('Final state of a pending write', () => {
  test('a write is neither confirmed nor reverted if the own database does not confirm it', async ({
    assert,
  }) => {
    const name = zoneNamed()
    const { calls, writes } = serverThat(null)
    const marks: string[] = []
    const make = creatingZone(name, marks)
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
    await confirmWrite(db.connection(), write.id)
  })

  test('a write that the server refuses is deleted', async ({ assert }) => {
    const name = zoneNamed()
    const { calls, writes } = serverThat(new WriteRefused('not so'))
    const marks: string[] = []
    await assert.rejects(() => writes.write(creatingZone(name, marks)), 'not so')
    assert.deepEqual(calls, [])
    assert.deepEqual(marks, ['begun', 'withdrawn'])
    assert.deepEqual(await pendingOf(name), [])
  })

  test('changes longer than one database value are stored', async ({ assert }) => {
    const name = zoneNamed()
    const content = `"${'x'.repeat(60_000)}"`
    const changes = Array.from({ length: 290 }, (_, index) => {
      const key = { name: `r${index}.${name}`, type: 'TXT' }
      const records = [{ content, priority: 0, disabled: false }]
      return { ...key, before: null, after: { ...key, ttl: 300, records } }
    })
    const effects = [{ text: 'é😀'.repeat(300_000) }]
    const zoneFacts = { zoneId: 2_000_000_000, zoneName: name }
    const step = { ...zoneFacts, kind: 'records' as const, changes, movesSerial: false }
    await storeWrite(db.connection(), [step], { author: {}, effects }, null)
    const [stored] = await pendingOf(name)
    await confirmWrite(db.connection(), stored.id)
    assert.isTrue(isDeepStrictEqual(stored.effects, effects))
    assert.isTrue(isDeepStrictEqual(stored.steps, [{ ...zoneFacts, kind: 'records', changes }]))
  })

  test('a withdrawn write leaves the earlier write that it completed unchanged', async ({
    assert,
  }) => {
    const [name, later] = [zoneNamed(), zoneNamed()]
    const lost = new WriteUnconfirmed('no answer')
    await assert.rejects(() => serverThat(lost).writes.write(creatingZone(name, [])), 'no answer')
    const [{ id }] = await pendingOf(name)
    const beganAt = new Date(Date.now() - 120_000).toISOString()
    await db.from('zw_pending_writes').where('id', id).update({ began_at: beganAt })
    const [before] = await pendingOf(name)
    const { writes } = serverThat(new WriteRefused('not so'))
    await assert.rejects(() => writes.write(creatingZone(later, []), id), 'not so')
    assert.deepEqual(await pendingOf(name), [before])
    await confirmWrite(db.connection(), id)
  })

  test('a pending write blocks writers that read the zone before it began', async ({ assert }) => {
    const name = zoneNamed()
    const id = await createZone(name)
    const [hasRead, mayContinue] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const other = serverThat(null, {
      async readWhole(zone) {
        const look = await CURRENT_MIRROR.readWhole(zone)
        hasRead.resolve()
        await mayContinue.promise
        return look
      },
    })
    const late = other.writes.write(changingAccount([id], 'late')).catch((error: unknown) => error)
    await hasRead.promise
    const lost = serverThat(new WriteUnconfirmed('no answer'))
    await assert.rejects(() => lost.writes.write(changingAccount([id], 'lost')), 'no answer')
    mayContinue.resolve()
    assert.instanceOf(await late, WritesPending)
    assert.deepEqual(other.calls, [])
    const [write, ...others] = await pendingOf(name)
    assert.deepEqual(others, [])
    await confirmWrite(db.connection(), write.id)
  })
})

test.group('Pending writes in progress', () => {
  const longAgo = () => new Date(Date.now() - 2 * HEARTBEAT_TIMEOUT_MS).toISOString()

  test('a write stays locked while its steps are reverted, and each reverted step is stored', async ({
    assert,
  }) => {
    const ids = [await createZone(), await createZone(), await createZone()]
    const order: string[] = []
    let others: Promise<unknown> | null = null
    const writes = writesAt({
      async executeStep({ zoneId }) {
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
          await lockWrite(trx, call.write_id)
          order.push('held by others')
        })
        await wait(200)
        order.push(`undone ${ids.indexOf(zoneId)}`)
      },
    })
    const write = writes.write(changingAccount(ids, 'somebody'))
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
    await confirmWrite(db.connection(), id)
  })

  for (const [what, unanswered] of [
    ['of a step', 'made'],
    ['of a revert', 'taken back'],
  ] as const) {
    test(`a call without an answer updates the heartbeat, ${what}`, async ({ assert }) => {
      const ids = [await createZone(), await createZone()]
      const writes = writesAt({
        async executeStep({ zoneId }) {
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
        await changingAccount(ids, 'somebody')(session)
        session.setPendingEffects?.({
          author: {},
          effects: [],
          hooks: {
            async onStored(trx) {
              const calls = trx.from('zw_pending_steps').whereIn('zone_id', ids).select('write_id')
              const row = trx.from('zw_pending_writes').whereIn('id', calls)
              await row.update({ began_at: longAgo() })
            },
            async onWithdrawn() {},
          },
        })
      })
      const failure: unknown = await write.catch((error: unknown) => error)
      assert.instanceOf(failure, WriteUnconfirmed)
      const { id, beganAt } = await writeOf(ids[0])
      assert.isTrue(beganAt >= since, beganAt)
      await confirmWrite(db.connection(), id)
    })
  }

  test('a writer that read the zone before another write was reverted reads it again', async ({
    assert,
  }) => {
    const ids = [await createZone(), await createZone()]
    const staleReading = await CURRENT_MIRROR.readWhole({ id: ids[0], name: '' })
    const writes = writesAt({
      async executeStep({ zoneId }) {
        if (zoneId === ids[1]) {
          throw new WriteRefused('not so')
        }
        return null
      },
      async undo() {},
    })
    await assert.rejects(() => writes.write(changingAccount(ids, 'somebody')), 'not so')
    let readCount = 0
    const later = serverThat(null, {
      readWhole: async (zone) =>
        readCount++ === 0 ? staleReading : CURRENT_MIRROR.readWhole(zone),
    })
    await later.writes.write(changingAccount([ids[0]], 'later'))
    assert.equal(readCount, 2)
    assert.deepEqual(later.calls, ['properties'])
  })

  test('a write in progress updates its heartbeat', async ({ assert }) => {
    const id = await createZone()
    const lost = serverThat(new WriteUnconfirmed('no answer'))
    await assert.rejects(() => lost.writes.write(changingAccount([id], 'lost')), 'no answer')
    const write = await writeOf(id)
    const client = () => db.connection()
    await client().from('zw_pending_writes').where('id', write.id).update({ began_at: longAgo() })
    const work = () =>
      eventually(async () => {
        const { beganAt } = await writeOf(id)
        assert.isTrue(beganAt >= write.beganAt)
      })
    await withHeartbeat(client, write.id, work, 10)
    await confirmWrite(client(), write.id)
  })

  test('a failed recovery does not prevent the recovery of other writes', async ({
    assert,
    cleanup,
  }) => {
    const ids = Array.from({ length: 101 }, () => randomUUID())
    const rows = ids.map((id) => ({ id, node: 'tests', began_at: longAgo() }))
    await db.table('zw_pending_writes').multiInsert(rows)
    cleanup(async () => {
      await db.from('zw_pending_writes').whereIn('id', ids).delete()
    })
    const asked: string[] = []
    const writes: Pick<UnconfirmedWrites, 'list' | 'reverseSafeSteps'> = {
      list: (which) => readUnconfirmedWrites(db.connection(), which),
      async reverseSafeSteps({ id }) {
        asked.push(id)
        throw new BackendUnavailable('not now')
      },
    }
    const backend = { unconfirmedWrites: writes } as DnsBackend
    const before = new Date().toISOString()
    await assert.rejects(() => recoverPendingWrites(backend, { before }), 'not now')
    assert.sameMembers(asked, ids)
  })
})
