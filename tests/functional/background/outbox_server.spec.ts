// @process
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from '@japa/runner'
import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import { BackendManager } from '#backends/manager'
import { PowerDnsClient } from '#backends/powerdns_api/client'
import { SqlBackend } from '#backends/sql/driver'
import { enqueue, type OutboxEvent } from '#changes/transaction/outbox'
import { inTransaction } from '#database/transaction'
import { powerDnsDeliveries } from '#background/outbox/deliveries'
import { timestampIn } from '#background/outbox/store'
import { OutboxWorker } from '#background/outbox/worker'
import { caller, expectStatus, createRecord, createZone } from '#tests/support/app/api'
import { ace } from '#tests/support/app/commands'
import { zoneNamed } from '#tests/support/app/names'
import { administrator } from '#tests/support/app/people/people'
import { OtherServer } from '#tests/support/app/server'
import { withSettings } from '#tests/support/app/settings'
import { eventually } from '#tests/support/eventually'
import { PowerDns } from '#tests/support/powerdns'
import { fine, PowerDnsDouble, refusing } from '#tests/support/powerdns_double'

const LIMIT = 60_000
const KEY = 'key-of-the-outbox-tests'
const NOTIFY_OPCODE = 4

const flush = (zoneName: string): OutboxEvent => ({ kind: 'flush', zoneId: 1, zoneName })
const commit = (events: OutboxEvent[]) =>
  inTransaction(db.connection(), (trx) => enqueue(trx, events))
async function clear(): Promise<void> {
  await db.from('zw_outbox').delete()
}

const settingsFor = (api: PowerDnsDouble) => ({ PDNS_API_URL: api.url, PDNS_API_KEY: KEY })

/** Opens a socket that records the zones of received NOTIFY messages. */
async function replica() {
  const socket = createSocket('udp4')
  const notified: string[] = []
  socket.on('message', (packet) => {
    if (((packet[2] >> 3) & 0xf) === NOTIFY_OPCODE) {
      const first = packet[12]
      notified.push(packet.toString('latin1', 13, 13 + first))
    }
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return { notified, port: socket.address().port, stop: () => void socket.close() }
}

/** Returns a worker that delivers pending rows to a real server. */
async function workerOf(dns: PowerDns): Promise<OutboxWorker> {
  const manager = await app.container.make(BackendManager)
  const url = new URL(dns.apiUrl!).origin
  const powerDns = new PowerDnsClient({ url, key: dns.apiKey, serverName: 'localhost' })
  return new OutboxWorker(
    powerDnsDeliveries(powerDns, () => manager.use()),
    {
      warn: (fields, text) => {
        throw new Error(`${text} ${JSON.stringify(fields)}`)
      },
    }
  )
}

test.group('A PowerDNS server with caches', (group) => {
  group.each.setup(async () => {
    await clear()
    return clear
  })

  test('answers are old after a write and new after the delivery, and secondaries get NOTIFY', async ({
    client,
    assert,
    cleanup,
  }) => {
    const listener = await replica()
    cleanup(() => listener.stop())
    const dns = await PowerDns.start({
      api: true,
      settings: {
        'zone-cache-refresh-interval': 300,
        'cache-ttl': 300,
        'query-cache-ttl': 300,
        'negquery-cache-ttl': 300,
        'also-notify': `127.0.0.1:${listener.port}`,
        'xfr-cycle-interval': 3600,
      },
    })
    cleanup(() => dns.stop())
    const worker = await workerOf(dns)
    const answers = async (name: string) => {
      const { status, answers: records } = await dns.query(name, 'A')
      return status === 'NOERROR' ? records.map(({ data }) => data) : status
    }

    const as = caller(client, await administrator())
    const zone = await createZone(as, { name: zoneNamed(), type: 'MASTER' })
    const record = await createRecord(as, zone, { name: 'www', type: 'A', content: '192.0.2.1' })
    const name = `www.${zone.name}`
    assert.equal(await answers(name), 'REFUSED')
    await commit([flush(zone.name), { ...flush(zone.name), kind: 'notify' }])
    assert.deepEqual(await worker.runOnce(), { delivered: 2, failed: 0 })
    assert.deepEqual(await answers(name), ['192.0.2.1'])
    await eventually(() => assert.include(listener.notified, zone.name.split('.')[0]))

    await expectStatus(
      as.put(`/zones/${zone.id}/records/${record.id}`, { content: '192.0.2.2' }),
      200
    )
    assert.deepEqual(await answers(name), ['192.0.2.1'])
    await commit([flush(zone.name)])
    await worker.runOnce()
    assert.deepEqual(await answers(name), ['192.0.2.2'])

    await expectStatus(as.delete(`/zones/${zone.id}`), 204)
    await commit([flush(zone.name)])
    await worker.runOnce()
    assert.equal(await answers(name), 'REFUSED')
  }).timeout(LIMIT)
})

test.group('A PowerDNS server with a metadata cache', (group) => {
  group.each.setup(async () => {
    await clear()
    return clear
  })

  test('denials follow the current DNSSEC settings of the zone', async ({
    client,
    assert,
    cleanup,
  }) => {
    const dns = await PowerDns.start({ api: true, settings: { 'zone-metadata-cache-ttl': 300 } })
    cleanup(() => dns.stop())
    const worker = await workerOf(dns)
    const as = caller(client, await administrator())
    const zone = await createZone(as, { name: zoneNamed(), type: 'NATIVE' })
    await dns.util('secure-zone', zone.name)
    const denial = async () => {
      const { authority } = await dns.query(`no.${zone.name}`, 'A', { dnssec: true })
      return [...new Set(authority.map(({ type }) => type))].filter((type) => /^NSEC/.test(type))
    }
    assert.deepEqual(await denial(), ['NSEC'])
    const path = `/zones/${zone.id}/metadata/NSEC3PARAM`
    await expectStatus(as.put(path, { values: ['1 0 0 -'] }), 200)
    await commit([{ kind: 'forget', zoneId: zone.id, zoneName: zone.name }])
    await worker.runOnce()
    assert.deepEqual(await denial(), ['NSEC3'])
    await commit([{ kind: 'forget', zoneId: null, zoneName: zoneNamed() }])
    assert.deepEqual(await worker.runOnce(), { delivered: 1, failed: 0 })
  }).timeout(LIMIT)
})

test.group('The outbox in the serving process', (group) => {
  group.each.timeout(LIMIT)
  group.each.setup(async () => {
    await clear()
    return clear
  })

  test('two processes deliver each event once', async ({ assert, cleanup }) => {
    const api = await PowerDnsDouble.start()
    cleanup(() => api.stop())
    const before = Array.from({ length: 60 }, () => zoneNamed())
    await commit(before.map(flush))
    const servers = await Promise.all([0, 1].map(() => OtherServer.start(settingsFor(api))))
    cleanup(async () => void (await Promise.all(servers.map((server) => server.stop()))))
    await eventually(() => assert.isAtLeast(api.calls.length, 60), { within: 15_000 })
    const after = Array.from({ length: 60 }, () => zoneNamed())
    await commit(after.map(flush))
    await eventually(() => assert.isAtLeast(api.calls.length, 120), { within: 15_000 })
    const names = [...before, ...after].map((name) => `PUT /cache/flush?domain=${name}.`)
    assert.sameMembers(api.paths, names)
    assert.lengthOf(api.paths, 120)
  })

  test('a slow server delays neither requests nor the end of the process', async ({
    assert,
    cleanup,
  }) => {
    const { key } = await administrator()
    const api = await PowerDnsDouble.start()
    cleanup(() => api.stop())
    api.answer = () => {}
    const zone = zoneNamed()
    await commit([flush(zone)])
    const server = await OtherServer.start(settingsFor(api))
    cleanup(() => server.stop())
    await eventually(() => assert.lengthOf(api.calls, 1), { within: 10_000 })
    const startTime = performance.now()
    const { status } = await server.get('/api/v2/zones?per_page=1', { 'x-api-key': key })
    assert.equal(status, 200)
    await server.stop()
    assert.isBelow(performance.now() - startTime, 4_000)
    const row = await db.from('zw_outbox').where('zone_name', zone).firstOrFail()
    assert.containsSubset(row, { lease: null, done_at: null, last_error: null })
    assert.equal(Number(row.attempts), 0)
  })

  test('other processes deliver the events of a killed process', async ({ assert, cleanup }) => {
    const api = await PowerDnsDouble.start()
    cleanup(() => api.stop())
    api.answer = () => {}
    const zone = zoneNamed()
    await commit([flush(zone)])
    const killed = await OtherServer.start(settingsFor(api))
    await eventually(() => assert.lengthOf(api.calls, 1), { within: 10_000 })
    killed.kill()
    api.answer = fine
    await db.from('zw_outbox').update({ leased_until: timestampIn(0) })
    const other = await OtherServer.start(settingsFor(api))
    cleanup(() => other.stop())
    await eventually(
      async () => {
        const row = await db.from('zw_outbox').where('zone_name', zone).firstOrFail()
        assert.isNotNull(row.done_at)
      },
      { within: 10_000 }
    )
    assert.lengthOf(api.calls, 2)
  })

  test('without a configured API no request is sent', async ({ assert, cleanup }) => {
    const zone = zoneNamed()
    await commit([flush(zone)])
    const server = await OtherServer.start({})
    cleanup(() => server.stop())
    const manager = await app.container.make(BackendManager)
    const created = { id: 1, name: zone, kind: 'MASTER', masters: [], account: null } as const
    const after = { ...created, masters: [] }
    assert.deepEqual(manager.use().afterWrite(null, after), [])
    assert.lengthOf(new SqlBackend(db, { hasServerApi: true }).afterWrite(null, after), 2)
    await server.get('/ping')
    await sleep(500)
    const row = await db.from('zw_outbox').where('zone_name', zone).firstOrFail()
    assert.isNull(row.lease)
  })
})

test.group('Commands of the outbox', (group) => {
  let api: PowerDnsDouble

  group.each.timeout(LIMIT)
  group.each.setup(async () => {
    await clear()
    api = await PowerDnsDouble.start()
    return async () => {
      await api.stop()
      await clear()
    }
  })

  test('outbox:list prints pending, failing and given up events', async ({ assert }) => {
    const empty = await ace(['outbox:list'])
    assert.equal(empty.stdout, '0 waiting, 0 given up\n')

    const zones = ['a', 'b', 'c', 'd'].map(zoneNamed)
    for (const zone of zones) {
      await commit([flush(zone)])
    }
    const set = (index: number, values: object) =>
      db.from('zw_outbox').where('zone_name', zones[index]).update(values)
    await set(1, { attempts: 3, last_error: 'The PowerDNS API answered 500' })
    await set(2, { attempts: 9, last_error: 'out of reach', done_at: timestampIn(0) })
    await set(3, { done_at: timestampIn(0) })

    const list = await ace(['outbox:list'])
    assert.equal(list.code, 0, list.stderr)
    assert.notInclude(list.stdout, '\u001b')
    const [head, first, second, third, sum, end] = list.stdout.split('\n')
    assert.match(head, /^ID +STATE +KIND +ZONE +ATTEMPTS +CREATED +NEXT +LAST ERROR$/)
    assert.match(first, new RegExp(`waiting +flush +${zones[0]} +0 +20\\S+ +20\\S+ +-$`))
    assert.match(
      second,
      new RegExp(`failing +flush +${zones[1]} +3 .*The PowerDNS API answered 500$`)
    )
    assert.match(third, new RegExp(`given up +flush +${zones[2]} +9 .* - +out of reach$`))
    assert.deepEqual([sum, end], ['2 waiting, 1 given up', ''])

    const { stdout } = await ace(['outbox:list', '--json'])
    const json = JSON.parse(stdout)
    assert.containsSubset(json, {
      waiting: 2,
      given_up: 1,
      events: [
        { zone: zones[0], state: 'waiting', attempts: 0, last_error: null },
        { zone: zones[1], state: 'failing', attempts: 3 },
        { zone: zones[2], state: 'given up', next_at: null },
      ],
    })
    assert.lengthOf(json.events, 3)
  })

  test('outbox:run delivers due events, and its exit code reports failures', async ({ assert }) => {
    const [good, bad] = [zoneNamed('good'), zoneNamed('bad')]
    await commit([flush(good), flush(bad)])
    const run = () =>
      withSettings({ pdns_api: { url: api.url, key: KEY } }, () => ace(['outbox:run']))
    const refuse = refusing(422, 'not canonical')
    api.answer = (response, { path }) => (path.includes(bad) ? refuse(response) : fine(response))
    const first = await run()
    assert.equal(first.stdout.split('\n').at(-2), '1 delivered, 1 failed')
    assert.equal(first.code, 1)
    const row = await db.from('zw_outbox').where('zone_name', bad).firstOrFail()
    assert.equal(row.last_error, 'The PowerDNS API answered 422: not canonical')

    api.answer = fine
    await db.from('zw_outbox').update({ next_at: timestampIn(0) })
    const second = await run()
    assert.equal(second.stdout, '1 delivered, 0 failed\n')
    assert.equal(second.code, 0)
  })

  test('outbox:run without an API reports the missing setting with exit code 1', async ({
    assert,
  }) => {
    const result = await ace(['outbox:run'])
    assert.equal(result.code, 1)
    assert.equal(result.stdout, '')
    assert.match(
      result.stderr,
      /^There is no DNS server to notify: .*pdns_api\.url.*pdns_api\.key.*\n$/
    )
  })
})
