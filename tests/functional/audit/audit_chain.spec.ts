// @databases
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { maintainer } from '#access/actor'
import { acceptEnd } from '#audit/accept'
import { linkHash, type ChainPoint } from '#audit/chain'
import type { StoredEvent } from '#audit/entry'
import type { AuditEvent } from '#audit/event'
import { ChainBroken, takeLock } from '#audit/head'
import { pruneLog } from '#audit/pruner'
import { record } from '#audit/record'
import { countUnsealed, sealAll } from '#audit/sealer'
import { verifyLog } from '#audit/verifier'
import { inTransaction } from '#database/transaction'
import env from '#support/env'
import { emptyLog, eventsWith } from '#tests/support/app/audit'

const DAY_MS = 86_400_000

const event = (name: string): AuditEvent => ({
  action: 'group.created',
  object: { kind: 'group', id: null, name },
})

const write = (...names: string[]) =>
  inTransaction(db.connection(), (trx) => record(trx, maintainer(), names.map(event)))

/** Writes and seals `count` events. Returns their ids. */
async function sealed(count: number): Promise<number[]> {
  await write(...Array.from({ length: count }, (_, index) => `group ${index}`))
  await sealAll()
  const events = await eventsWith({})
  return events.map(({ id }) => id)
}

/** Returns the group names of the events, in the order of the chain. */
async function order(): Promise<string[]> {
  const rows = await db
    .from('zw_audit_chain as c')
    .join('zw_audit as a', 'a.id', 'c.audit_id')
    .orderBy('c.position')
  return rows.map(({ object_name: name }) => name)
}

/** Returns the findings of a check: kinds with positions, in the order of the log. */
async function found(kept: ChainPoint | null = null) {
  const { findings } = await verifyLog(kept)
  return findings.map(({ kind, position }) => `${kind} ${position}`)
}

const change = (id: number, values: object) => db.from('zw_audit').where('id', id).update(values)
const row = (id: number): Promise<StoredEvent> => db.from('zw_audit').where('id', id).firstOrFail()
const link = (position: number) => db.from('zw_audit_chain').where('position', position)

async function hashAt(position: number): Promise<string> {
  const { hash } = await link(position).firstOrFail()
  return hash
}

async function headOf(): Promise<ChainPoint> {
  const { head } = await verifyLog()
  return head!
}

test.group('The chain of the audit log', (group) => {
  group.each.setup(emptyLog)
  group.teardown(emptyLog)

  test('sealed events have their commit order, and the chain verifies', async ({ assert }) => {
    await write('a', 'b')
    const rolledBack = inTransaction(db.connection(), async (trx) => {
      await record(trx, maintainer(), event('lost'))
      throw new Error('rolled back')
    })
    await assert.rejects(() => rolledBack, 'rolled back')
    assert.equal(await countUnsealed(), 2)
    assert.equal(await sealAll(), 2)
    await write('c')
    assert.equal(await countUnsealed(), 1)
    assert.equal(await sealAll(), 1)
    assert.equal(await sealAll(), 0)
    assert.deepEqual(await order(), ['a', 'b', 'c'])
    const { findings, verified, unsealed, head } = await verifyLog()
    assert.deepEqual({ findings, verified, unsealed }, { findings: [], verified: 3, unsealed: 0 })
    assert.deepEqual(head, { position: 3, hash: await hashAt(3) })
  })

  test('many events are sealed in several rounds, and concurrent sealers create one chain', async ({
    assert,
  }) => {
    await write(...Array.from({ length: 1_203 }, (_, index) => `group ${index}`))
    const counts = await Promise.all([sealAll(), sealAll(), sealAll(), sealAll()])
    assert.equal(
      counts.reduce((sum, count) => sum + count),
      1_203
    )
    const { findings, verified } = await verifyLog()
    assert.deepEqual({ findings, verified }, { findings: [], verified: 1_203 })
  })

  test('a check in parts has the same findings as a complete check', async ({ assert }) => {
    await write('a', 'b', 'c', 'd', 'e', 'f', 'g')
    await sealAll()
    const fourth = await link(4).firstOrFail()
    await change(Number(fourth.audit_id), { object_name: 'other' })
    const foundInParts: string[] = []
    let parts = 0
    let sound = 0
    let from: ChainPoint | null | undefined
    do {
      const part = await verifyLog(null, { ...(from ? { from } : {}), rowLimit: 2 })
      foundInParts.push(...part.findings.map(({ kind, position }) => `${kind} ${position}`))
      sound += part.verified
      parts += 1
      from = part.next
    } while (from)
    assert.deepEqual(foundInParts, ['altered 4'])
    assert.deepEqual([sound, parts], [6, 4])
  })

  if (env.get('DB_CONNECTION', 'sqlite') === 'sqlite') {
    test('an event of another transaction comes after the open transaction', async ({ assert }) => {
      // SQLite has one writer: the database makes the second one wait.
      const open = await db.transaction()
      await record(open, maintainer(), event('first'))
      const second = write('second')
      await open.commit()
      await second
      await sealAll()
      assert.deepEqual(await order(), ['first', 'second'])
      assert.deepEqual(await found(), [])
    })
  } else {
    test('an open transaction blocks no other writer, and its event is sealed after the commit', async ({
      assert,
    }) => {
      const open = await db.transaction()
      await record(open, maintainer(), event('early id, late commit'))
      await write('second', 'third')
      assert.equal(await sealAll(), 2)
      assert.deepEqual(await found(), [])
      await write('fourth')
      await open.commit()
      assert.equal(await sealAll(), 2)
      const names = await order()
      assert.deepEqual(names.slice(0, 2), ['second', 'third'])
      assert.sameMembers(names.slice(2), ['early id, late commit', 'fourth'])
      const [early] = await eventsWith({ object_name: 'early id, late commit' })
      const [second] = await eventsWith({ object_name: 'second' })
      assert.isBelow(early.id, second.id)
      assert.deepEqual(await found(), [])
    }).timeout(5_000)

    test('writers do not wait for a sealer', async ({ assert }) => {
      await sealed(3)
      const sealer = await db.transaction()
      await takeLock(sealer)
      await sealer.from('zw_audit').update({ sealed: true })
      await write('meanwhile')
      assert.lengthOf(await eventsWith({ object_name: 'meanwhile' }), 1)
      await sealer.rollback()
      assert.equal(await sealAll(), 1)
    }).timeout(5_000)
  }

  for (const [column, value] of Object.entries({
    time: '2020-01-01T00:00:00.000Z',
    user_id: 1,
    username: 'mallory',
    api_key_id: 1,
    address: '192.0.2.1',
    channel: 'web',
    action: 'group.deleted',
    object_kind: 'zone',
    object_id: 1,
    object_name: 'another',
    outcome: 'failed',
    detail: '{"a":1}',
  })) {
    test(`an altered ${column} is found`, async ({ assert }) => {
      const ids = await sealed(5)
      await change(ids[2], { [column]: value })
      assert.deepEqual(await found(), ['altered 3'])
    })
  }

  test('a detail with the same meaning but another spelling is found', async ({ assert }) => {
    const ids = await sealed(3)
    await change(ids[0], { detail: '{ }' })
    assert.deepEqual(await found(), ['altered 1'])
  })

  test('an altered and sealed again event is found by the next event and the chain end', async ({
    assert,
  }) => {
    const ids = await sealed(3)
    await change(ids[1], { username: 'mallory' })
    await link(2).update({ hash: linkHash(await hashAt(1), await row(ids[1])) })
    assert.deepEqual(await found(), ['altered 3'])
    await link(3).update({ hash: linkHash(await hashAt(2), await row(ids[2])) })
    assert.deepEqual(await found(), ['end 3'])
  })

  test('an event marked as unsealed is not sealed again', async ({ assert }) => {
    const ids = await sealed(3)
    await change(ids[1], { username: 'mallory', sealed: false })
    assert.equal(await sealAll(), 0)
    assert.deepEqual(await found(), ['altered 2'])
  })

  test('missing events and links are found, alone and together', async ({ assert }) => {
    const ids = await sealed(6)
    await db.from('zw_audit').where('id', ids[1]).delete()
    assert.deepEqual(await found(), ['missing 2'])
    await link(2).delete()
    assert.deepEqual(await found(), ['missing 2'])
    await link(4).delete()
    assert.deepEqual(await found(), ['missing 2', 'missing 4', `inserted null`])
  })

  test('inserted events are found, with a link and without', async ({ assert }) => {
    const ids = await sealed(3)
    const original = await row(ids[0])
    await db.table('zw_audit').insert({ ...original, id: ids[2] + 1_000, sealed: true })
    assert.deepEqual(await found(), ['inserted null'])
    const [{ id }] = await db.from('zw_audit').orderBy('id', 'desc').limit(1)
    const hash = linkHash(await hashAt(3), await row(id))
    await db.table('zw_audit_chain').insert({ position: 4, audit_id: id, hash })
    assert.deepEqual(await found(), ['end 3'])
    await assert.rejects(() => sealAllAfter('one more'), ChainBroken)
  })

  test('a removed tail is found, also with an earlier chain end', async ({ assert }) => {
    const ids = await sealed(5)
    const storedHead = await headOf()
    await db.from('zw_audit').whereIn('id', ids.slice(3)).delete()
    await link(4).delete()
    await link(5).delete()
    assert.deepEqual(await found(), ['end 5', 'missing 5'])
    await db.from('zw_audit_head').update({ position: 3, hash: await hashAt(3) })
    assert.deepEqual(await found(), ['end 3'])
    assert.deepEqual(await found(storedHead), ['end 3', 'kept 5'])
    await db.from('zw_audit_head').delete()
    assert.deepEqual(await found(), ['end null'])
  })

  test('a restored older log is only found by a stored chain end', async ({ assert }) => {
    await sealed(3)
    const older = await db.from('zw_audit_head').firstOrFail()
    const first = await headOf()
    const ids = await sealed(2)
    const storedHead = await headOf()
    assert.deepEqual(await found(storedHead), [])
    assert.deepEqual(await found(first), [])
    assert.deepEqual(await found({ ...first, hash: storedHead.hash }), ['kept 3'])
    await db.from('zw_audit').whereIn('id', ids.slice(3)).delete()
    await db.from('zw_audit_chain').where('position', '>', 3).delete()
    await db.from('zw_audit_head').update(older)
    assert.deepEqual(await found(), [])
    assert.deepEqual(await found(storedHead), ['kept 5'])
  })

  test('an emptied log is found while its chain end exists', async ({ assert }) => {
    await sealed(3)
    await db.from('zw_audit').delete()
    await db.from('zw_audit_chain').delete()
    assert.deepEqual(await found(), ['end 3', 'missing 3'])
  })

  test('a broken chain continues only after an accept, and nothing is repaired', async ({
    assert,
  }) => {
    const ids = await sealed(4)
    await change(ids[0], { username: 'mallory' })
    await db.from('zw_audit_head').update({ mac: 'f'.repeat(64) })
    await assert.rejects(() => sealAllAfter('waits'), /signature of its end is not valid/)
    await assert.rejects(() => pruneLog(maintainer(), 0), ChainBroken)
    assert.equal(await countUnsealed(), 1)
    assert.deepEqual(await found(), ['end 4', 'altered 1'])

    assert.deepEqual(await acceptEnd(maintainer()), { position: 4, hash: await hashAt(4) })
    assert.equal(await sealAll(), 2)
    assert.deepEqual(await found(), ['altered 1'])
    const [accepted] = await eventsWith({ action: 'audit.accepted' })
    assert.deepInclude(accepted.detail, { signed: 4, accepted: 4 })
    assert.isNull(await acceptEnd(maintainer()))
    await db.from('zw_audit_head').delete()
    assert.deepEqual(await acceptEnd(maintainer()), { position: 6, hash: await hashAt(6) })
  })

  async function sealAllAfter(name: string) {
    await write(name)
    return sealAll()
  }
})

test.group('Retention of the audit log', (group) => {
  /** Writes ten events. The first `count` are old. */
  async function aged(count: number): Promise<number[]> {
    await write(...Array.from({ length: 10 }, (_, index) => `group ${index}`))
    const events = await eventsWith({})
    const ids = events.map(({ id }) => id)
    const time = new Date(Date.now() - 40 * DAY_MS).toISOString()
    await db.from('zw_audit').whereIn('id', ids.slice(0, count)).update({ time })
    await sealAll()
    return ids
  }

  group.each.setup(emptyLog)
  group.teardown(emptyLog)

  test('retention removes the oldest events, and the rest still verifies', async ({ assert }) => {
    const ids = await aged(4)
    const storedHead = await headOf()
    const last = await hashAt(4)
    assert.equal(await pruneLog(maintainer(), 30, true), 4)
    assert.lengthOf(await eventsWith({}), 10)
    assert.equal(await pruneLog(maintainer(), 30), 4)
    const events = await eventsWith({ action: 'group.created' })
    assert.deepEqual(
      events.map(({ id }) => id),
      ids.slice(4)
    )
    await sealAll()
    const { findings, verified, anchor } = await verifyLog(storedHead)
    assert.deepEqual({ findings, verified }, { findings: [], verified: 7 })
    assert.deepEqual(anchor, { position: 4, hash: last })
    const [pruned] = await eventsWith({ action: 'audit.pruned' })
    assert.deepEqual(pruned.detail, { events: 4, until_position: 4, older_than_days: 30 })
    assert.equal(await pruneLog(maintainer(), 30), 0)
    assert.lengthOf(await eventsWith({ action: 'audit.pruned' }), 1)
  })

  test('retention only removes a beginning, and only sealed events', async ({ assert }) => {
    const ids = await aged(2)
    await write('unsealed')
    const time = new Date(Date.now() - 400 * DAY_MS).toISOString()
    await db.from('zw_audit').where('object_name', 'unsealed').update({ time })
    // Newer events are between the old ones, because the clock was wrong once.
    assert.equal(await pruneLog(maintainer(), 30), 2)
    assert.lengthOf(await eventsWith({ object_name: 'unsealed' }), 1)
    assert.lengthOf(await eventsWith({ id: ids[2] }), 1)
  })

  test('all events may be removed, and the chain continues', async ({ assert }) => {
    await aged(10)
    assert.equal(await pruneLog(maintainer(), 30), 10)
    assert.isNull(await link(4).first())
    assert.isNull(await link(10).first())
    assert.deepEqual(await found(), [])
    await sealAll()
    await sealed(2)
    const { findings, verified, head } = await verifyLog()
    assert.deepEqual({ findings, verified }, { findings: [], verified: 3 })
    assert.equal(head?.position, 13)
  })

  test('a removal beyond the retention is found, and so is a moved beginning', async ({
    assert,
  }) => {
    const ids = await aged(4)
    await pruneLog(maintainer(), 30)
    await sealAll()
    const [five] = [await hashAt(5)]
    await db.from('zw_audit').where('id', ids[4]).delete()
    await link(5).delete()
    assert.deepEqual(await found(), ['missing 5'])
    await db.from('zw_audit_head').update({ anchor_position: 5, anchor_hash: five })
    assert.deepEqual(await found(), ['end 11'])
  })

  test('a stored chain end before the beginning cannot be checked any more', async ({ assert }) => {
    await aged(4)
    const storedHead = { position: 3, hash: await hashAt(3) }
    const last = { position: 4, hash: await hashAt(4) }
    assert.deepEqual(await found(storedHead), [])
    await pruneLog(maintainer(), 30)
    assert.deepEqual(await found(storedHead), ['kept 3'])
    assert.deepEqual(await found(last), [])
    assert.deepEqual(await found({ ...last, hash: storedHead.hash }), ['kept 4'])
  })
})
