import { isDeepStrictEqual } from 'node:util'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { WriteRefused, WritesPending, WriteUnconfirmed } from '#backends/errors'
import { intend, settle, unconfirmed } from '#backends/mirrored/intentions'
import type { Mirror } from '#backends/mirrored/mirror'
import { MirroredWrites } from '#backends/mirrored/writes'
import type { ServerZone, ZoneServer } from '#backends/mirrored/zone_server'
import type { WriteSession } from '#backends/write_session'
import { zoneNamed } from '#tests/support/app/names'

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
  const server: Pick<ZoneServer, 'movesSerials' | 'takesMetadata' | 'carry' | 'undo'> = {
    movesSerials: false,
    takesMetadata: () => true,
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
  }
  const own = () => db.connection()
  return { calls, writes: new MirroredWrites(own, server as ZoneServer, mirror as Mirror) }
}

/** Makes a zone, and notes what its marks are told. */
function making(name: string, marks: string[]) {
  return async (session: WriteSession) => {
    await session.createZone({ name, kind: 'NATIVE', masters: [], account: null, metadata: {} })
    session.intend?.({}, [], {
      begun: async () => void marks.push('begun'),
      withdrawn: async () => void marks.push('withdrawn'),
    })
  }
}

/** Says whose a zone is. */
function giving(id: number, account: string) {
  return async (session: WriteSession) => {
    const zones = await session.lockZones([id])
    await session.updateZone(zones.get(id)!, { account })
  }
}

/** The writes of a zone that are not confirmed. */
async function pendingOf(name: string) {
  const writes = await unconfirmed(db.connection())
  return writes.filter(({ steps }) => steps.some(({ zoneName }) => zoneName === name))
}

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
    const told = [{ text: 'é😀'.repeat(300_000) }]
    const place = { zoneId: 2_000_000_000, zoneName: name }
    const step = { ...place, kind: 'records' as const, changes, movesSerial: false }
    await intend(db.connection(), [step], { author: {}, told }, null)
    const [kept] = await pendingOf(name)
    await settle(db.connection(), kept.id)
    assert.isTrue(isDeepStrictEqual(kept.told, told))
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
    await db.from('zw_intended_writes').where('id', id).update({ began_at: beganAt })
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
    await serverThat(null).writes.write(making(name, []))
    const { id } = await db.from('zw_mirror_zones').where('name', name).firstOrFail()
    const [looking, going] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const other = serverThat(null, {
      async look(zone) {
        const look = await LOOKING.look(zone)
        looking.resolve()
        await going.promise
        return look
      },
    })
    const late = other.writes.write(giving(Number(id), 'late')).catch((error: unknown) => error)
    await looking.promise
    const lost = serverThat(new WriteUnconfirmed('no answer'))
    await assert.rejects(() => lost.writes.write(giving(Number(id), 'lost')), 'no answer')
    going.resolve()
    assert.instanceOf(await late, WritesPending)
    assert.deepEqual(other.calls, [])
    const [write, ...others] = await pendingOf(name)
    assert.deepEqual(others, [])
    await settle(db.connection(), write.id)
  })
})
