// @databases @process
import { setTimeout as sleep } from 'node:timers/promises'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { maintainer } from '#access/actor'
import { findActorOfUser } from '#accounts/authenticate'
import { pruneLog } from '#audit/pruner'
import { record } from '#audit/record'
import { sealAll } from '#audit/sealer'
import { readLogExtent } from '#events/feed'
import { EventVisibility } from '#events/visibility'
import { eventStream } from '#events/stream'
import { caller, expectStatus, createRecord, createZone, type Caller } from '#tests/support/app/api'
import { unique, zoneNamed } from '#tests/support/app/names'
import { administrator, keyFor, person, type Person } from '#tests/support/app/people/people'
import { OtherServer } from '#tests/support/app/server'
import { changeSettings } from '#tests/support/app/settings'
import { eventually } from '#tests/support/eventually'
import { eventsSince, StreamReader } from '#tests/support/events/reader'

const WITHIN = { within: 15_000, every: 50 }

/** Returns the id of the last event after sealing all. */
async function last(): Promise<string> {
  await sealAll()
  const extent = await readLogExtent()
  return String(extent.last)
}

test.group('Events', (group) => {
  let admin: Person
  let as: Caller
  let since: string
  group.each.timeout(60_000)
  group.each.setup(async (t) => {
    admin = await administrator()
    as = caller(t.context.client, admin)
    since = await last()
  })

  test('a disconnected reader releases its slot at once, not with the next heartbeat', async ({
    assert,
  }) => {
    const readers = await Promise.all(Array.from({ length: 10 }, () => StreamReader.open(admin)))
    await assert.rejects(() => StreamReader.open(admin), /^429 /)
    await eventually(() => assert.isTrue(readers.every(({ lastId }) => lastId !== null)), WITHIN)
    readers[0].close()
    await eventually(
      async () => {
        const next = await StreamReader.open(admin)
        next.close()
      },
      { within: 5_000, every: 100 }
    )
    readers.forEach((reader) => reader.close())
  })

  test('events of a zone arrive in order, each step once', async ({ assert }) => {
    const zone = await createZone(as, { name: zoneNamed() })
    await createRecord(as, zone, { name: 'www', type: 'A', content: '192.0.2.1' })
    await expectStatus(as.put(`/zones/${zone.id}`, { description: 'x' }), 200)
    await expectStatus(as.delete(`/zones/${zone.id}`), 204)
    const until = await last()
    const messages = await eventsSince(admin, since, `&zone_id=${zone.id}`)
    const types = messages.map(({ event }) => event)
    assert.deepEqual(
      types.filter((type) => type !== 'zone.owner_added'),
      ['zone.created', 'zone.changed', 'zone.updated', 'zone.deleted']
    )
    const [created] = messages
    assert.containsSubset(created.data, {
      type: 'zone.created',
      zone_id: zone.id,
      zone_name: zone.name,
      entry: 1,
      actor: { username: admin.username, channel: 'api' },
    })
    const ids = messages.map(({ id }) => Number(id))
    assert.deepEqual(
      ids,
      [...ids].sort((a, b) => a - b)
    )
    assert.deepEqual(
      messages.map(({ data }) => data.id),
      ids
    )
    assert.isEmpty(await eventsSince(admin, until))
  })

  test('a reader that continues from an event misses none, including late commits', async ({
    assert,
  }) => {
    const names = [unique('late'), unique('soon'), unique('later')]
    const write = (client: Parameters<typeof record>[0], name: string) =>
      record(client, maintainer(), {
        action: 'user.created',
        object: { kind: 'user', id: null, name },
      })
    const seen: (string | null | undefined)[] = []
    let at = since
    const readNew = async () => {
      await sealAll()
      const messages = await eventsSince(admin, at)
      seen.push(...messages.map(({ data }) => data.object?.name))
      at = messages.at(-1)?.id ?? at
    }
    if (db.connection().dialect.name === 'better-sqlite3') {
      // One writer at a time: transactions commit in order.
      for (const name of [names[1], names[2], names[0]]) await write(db.connection(), name)
      await readNew()
    } else {
      const trx = await db.transaction()
      await write(trx, names[0])
      await write(db.connection(), names[1])
      await readNew()
      await write(db.connection(), names[2])
      await readNew()
      await trx.commit()
      await readNew()
    }
    assert.deepEqual(seen, [names[1], names[2], names[0]])
  })

  test('a stream continues with new events', async ({ assert, cleanup }) => {
    const reader = await StreamReader.open(admin, '?types=zone')
    cleanup(() => reader.close())
    await eventually(() => assert.isNotNull(reader.lastId), WITHIN)
    const zone = await createZone(as, { name: zoneNamed() })
    await sealAll()
    await eventually(() => assert.include(reader.types, 'zone.created'), WITHIN)
    assert.equal(reader.messages[0].data.zone_id, zone.id)
    assert.isFalse(reader.isEnded)
  })

  test('events of a zone go only to users who may see it, with the data that they may see', async ({
    assert,
  }) => {
    const owner = await person({ permissions: ['zone_content_view_own', 'zone_content_edit_own'] })
    const stranger = await person({ permissions: ['zone_content_view_own'] })
    const zone = await createZone(as, { name: zoneNamed(), owner_user_id: owner.id })
    await createZone(as, { name: zoneNamed() })
    await last()
    assert.isEmpty(await eventsSince(stranger, since))
    const seen = await eventsSince(owner, since)
    assert.deepEqual(new Set(seen.map(({ data }) => data.zone_id)), new Set([zone.id]))
    for (const { data } of seen) {
      assert.notProperty(data, 'detail')
      assert.notProperty(data, 'object')
      assert.notProperty(data, 'action')
    }
    const narrowed = await keyFor(admin, { zones: [{ id: zone.id, name: zone.name }] })
    const visibleEvents = await eventsSince(narrowed, since)
    assert.deepEqual(new Set(visibleEvents.map(({ data }) => data.zone_id)), new Set([zone.id]))
    await expectStatus(as.delete(`/zones/${zone.id}`), 204)
    await last()
    const deleted = await eventsSince(owner, since)
    assert.equal(deleted.at(-1)?.event, 'zone.deleted')
    assert.isEmpty(await eventsSince(stranger, since))
  })

  test('events of users and keys require the permission to read their log', async ({ assert }) => {
    const reader = await person({ permissions: ['user_logs_view'] })
    const nobody = await person({ permissions: [] })
    const name = unique('key')
    await expectStatus(as.post('/api-keys', { name }), 201)
    await last()
    const named = (messages: Awaited<ReturnType<typeof eventsSince>>) =>
      messages.filter(({ event, data }) => event === 'key.created' && data.object?.name === name)
    assert.lengthOf(named(await eventsSince(reader, since)), 1)
    assert.isEmpty(await eventsSince(nobody, since))
  })

  test('readers of one area do not learn of zones in its events', async ({ assert }) => {
    const reader = await person({ permissions: ['user_logs_view'] })
    const [name, zone] = [unique('user'), `${unique('secret')}.example`]
    await record(db.connection(), maintainer(), {
      action: 'user.deleted',
      object: { kind: 'user', id: null, name },
      detail: { zones: [{ id: 1, name: zone }], sessions: 2 },
    })
    await last()
    const eventsOf = async (user: Person) => {
      const messages = await eventsSince(user, since)
      return messages.find(({ data }) => data.object?.name === name)?.data.detail
    }
    assert.deepEqual(await eventsOf(reader), { sessions: 2 })
    assert.deepEqual(await eventsOf(admin), { zones: [{ id: 1, name: zone }], sessions: 2 })
  })

  test('a stream reads back to a limit and reports the gap', async ({ assert }) => {
    await record(
      db.connection(),
      maintainer(),
      Array.from({ length: 5 }, () => ({ action: 'login.succeeded' as const }))
    )
    const end = Number(await last())
    const found = await findActorOfUser(admin.id, 'web')
    const backend = { findZone: () => Promise.resolve(null) }
    const stream = eventStream(new EventVisibility(backend), {
      after: 0,
      maxPastEntries: 3,
      isOutline: true,
      follows: false,
      types: null,
      zoneId: null,
      heartbeatMs: 1_000,
      signal: new AbortController().signal,
      caller: () => Promise.resolve(found!.actor),
    })
    let text = ''
    for await (const part of stream) text += part
    const ids = [...text.matchAll(/^id: (\d+)\nevent: (.*)$/gm)].map(([, id, type]) => [
      Number(id) - end,
      type,
    ])
    assert.deepEqual(ids, [
      [-3, 'gap'],
      [-2, 'user.login'],
      [-1, 'user.login'],
      [0, 'user.login'],
    ])
    assert.notMatch(text, /"(object|detail)"/)
  })

  test('refused requests create no event', async ({ assert }) => {
    await record(db.connection(), maintainer(), [
      { action: 'access.denied', outcome: 'denied' },
      { action: 'login.failed', outcome: 'failed' },
      { action: 'login.succeeded' },
    ])
    await last()
    const messages = await eventsSince(admin, since)
    assert.deepEqual(
      messages.map(({ event }) => event),
      ['user.login']
    )
  })

  test('types and the last event id are validated', async ({ assert, client }) => {
    const get = (query: string) =>
      client.get(`/api/v2/events${query}`).header('x-api-key', admin.key)
    for (const [query, message] of [
      ['?types=Zone', /'types' must be event types/],
      ['?follow=maybe', /'follow' must be true or false; found "maybe"/],
      ['?zone_id=x', /'zone_id' must be a whole number/],
      ['?last_event_id=-1', /'Last-Event-ID' must be the id of an event; found "-1"/],
    ] as const) {
      const response = await get(query)
      response.assertStatus(400)
      assert.match(response.body().message, message)
    }
  })

  test('a reader that comes back too late gets a report of removed events', async ({ assert }) => {
    await record(db.connection(), maintainer(), {
      action: 'setup',
      time: '2020-01-01T00:00:00.000Z',
    })
    await last()
    await db.from('zw_audit').update({ time: '2020-01-01T00:00:00.000Z' })
    await pruneLog(maintainer(), 30)
    await last()
    const [gap, next] = await eventsSince(admin, '0')
    assert.equal(gap.event, 'gap')
    assert.containsSubset(gap.data, { after: 0, id: Number(gap.id) })
    assert.equal(Number(next.id), Number(gap.id) + 1)
    const beyond = await eventsSince(admin, '999999999')
    assert.equal(beyond[0].event, 'gap')
  })
})

test.group('Streams of events', (group) => {
  let admin: Person
  group.each.timeout(60_000)
  group.each.setup(async () => {
    admin = await administrator()
    return changeSettings({ events: { heartbeat_seconds: 1, max_streams_per_user: 2 } })
  })

  test('a stream of a revoked key ends soon', async ({ assert }) => {
    const key = await keyFor(admin, {})
    const [revoked, kept] = [await StreamReader.open(key), await StreamReader.open(admin)]
    await sleep(500)
    assert.isFalse(revoked.isEnded)
    await db.from('zw_api_keys').where('id', key.id).update({ enabled: false })
    await eventually(() => assert.isTrue(revoked.isEnded), { within: 4_000, every: 50 })
    assert.isFalse(kept.isEnded)
    kept.close()
  })

  test('a user has a maximum of streams, and a closed one releases its slot', async ({
    assert,
  }) => {
    const first = await StreamReader.open(admin)
    const second = await StreamReader.open(admin)
    await assert.rejects(() => StreamReader.open(admin), /^429 .*You have 2 open event streams/)
    first.close()
    await eventually(async () => {
      const third = await StreamReader.open(admin)
      third.close()
    }, WITHIN)
    second.close()
  })

  test('an event of another process arrives within seconds, and a stopping server ends all streams', async ({
    assert,
    client,
    cleanup,
  }) => {
    const server = await OtherServer.start({})
    cleanup(() => server.stop())
    const { url } = server
    const reader = await StreamReader.open(admin, '?types=zone.created', { url })
    await eventually(() => assert.isNotNull(reader.lastId), WITHIN)
    await createZone(caller(client, admin), { name: zoneNamed() })
    await eventually(() => assert.lengthOf(reader.messages, 1), { within: 6_000, every: 50 })
    const startedAt = performance.now()
    await server.stop()
    assert.isBelow(performance.now() - startedAt, 3_000)
    await eventually(() => assert.isTrue(reader.isEnded), WITHIN)
  })
})
