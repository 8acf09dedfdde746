// @process
import { createServer, type AddressInfo } from 'node:net'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { probeServers } from '#health/autoprimary_probe'
import { caller, statusOf } from '#tests/support/app/api'
import { administrator, keyFor, person, type Person } from '#tests/support/app/people/people'
import { plainZone, SigningServer } from '#tests/support/app/zones/signing'
import { withSettings } from '#tests/support/app/settings'
import { PowerDnsDouble, refusing } from '#tests/support/powerdns_double'
import { freePort } from '#tests/support/programs'

const PATH = '/server/status'

test.group('Server status', (group) => {
  group.each.timeout(60_000)
  let server: SigningServer
  let admin: Person

  group.setup(async () => {
    server = await SigningServer.here()
    admin = await administrator()
    return () => server.stop()
  })

  const get = (key: string, query = '') => server.call(key, 'GET', `${PATH}${query}`)

  test('GET /server/status returns the server and its metrics in order', async ({ assert }) => {
    const answer = await get(admin.key)
    assert.equal(answer.status, 200, answer.text)
    const { metrics, uptime_seconds: uptime, version, ...rest } = answer.body.data
    assert.deepEqual(rest, {
      running: true,
      server_id: 'localhost',
      daemon_type: 'authoritative',
    })
    assert.match(version, /^\d+\.\d+\.\d+/)
    assert.isNumber(uptime)
    const names = Object.keys(metrics)
    assert.deepEqual(names, [...names].sort())
    assert.includeMembers(names, ['uptime', 'udp-queries'])
    assert.isTrue(Object.values(metrics).every((value) => typeof value === 'string'))
  })

  test('the metrics parameter selects metrics', async ({ assert }) => {
    const answer = await get(admin.key, '?metrics=uptime,udp-queries,,none-such')
    assert.deepEqual(Object.keys(answer.body.data.metrics), ['udp-queries', 'uptime'])
  })

  test('autoprimaries and call counts are included on request', async ({ assert, cleanup }) => {
    const known = await db.from('supermasters').distinct('ip').orderBy('ip')
    const listed = await get(admin.key, '?include=slaves')
    const addresses = listed.body.data.slaves.map(({ ip }: { ip: string }) => ip)
    assert.sameMembers(
      addresses,
      known.map(({ ip }) => ip)
    )
    assert.notProperty(listed.body.data, 'calls')
    const counted = await get(admin.key, '?include=calls')
    const calls = counted.body.data.calls as { name: string; calls: number; failures: number }[]
    const own = calls.find(({ name }) => name === 'GET /statistics')
    assert.isAtLeast(own!.calls, 1)
    assert.equal(own!.failures, 0)
    const other = await get(admin.key, '?include=masters')
    assert.equal(other.status, 400)

    const listener = createServer((socket) => void socket.end())
    await new Promise<void>((resolve) => listener.listen(0, '127.0.0.1', resolve))
    cleanup(() => void listener.close())
    const { port } = listener.address() as AddressInfo
    const [there] = await probeServers(['127.0.0.1'], port)
    assert.containsSubset(there, { ip: '127.0.0.1', status: 'ok', error: null })
    const deleted = await probeServers(Array(21).fill('127.0.0.1'), await freePort())
    assert.containsSubset(deleted[0], { status: 'unreachable', error: 'ECONNREFUSED' })
    const [word] = await probeServers(['no address'], port)
    assert.equal(word.status, 'skipped')
    assert.containsSubset(deleted[20], { status: 'skipped', lastChecked: null })
  })

  test('the request requires its permission and a key without zone restrictions', async ({
    client,
    assert,
  }) => {
    const zone = await plainZone(client, admin)
    const viewer = await person({ permissions: ['server_status_view'] })
    const manager = await person({ template: 'Zone Manager' })
    const { key: readOnly } = await keyFor(viewer, { readOnly: true })
    const { key: zoned } = await keyFor(admin, { zones: [zone] })
    assert.equal(await statusOf(get(viewer.key)), 200)
    assert.equal(await statusOf(get(readOnly)), 200)
    assert.equal(await statusOf(get(viewer.key, '?include=slaves')), 403)
    assert.equal(await statusOf(get(manager.key)), 403)
    assert.equal(await statusOf(get(zoned)), 403)
    assert.equal(await statusOf(server.call(admin.key, 'POST', PATH, {})), 405)
  })

  test('the request gets 501 without an API, and 503 without a response', async ({
    client,
    assert,
    cleanup,
  }) => {
    const emptyResponse = await withSettings({ pdns_api: { url: '' } }, async () =>
      caller(client, admin).get(PATH)
    )
    emptyResponse.assertStatus(501)

    const double = await PowerDnsDouble.start()
    cleanup(() => double.stop())
    const other = await SigningServer.here({}, double.url)
    cleanup(() => other.stop())
    const down = {
      success: false,
      data: { running: false },
      message: 'The DNS server cannot be reached',
    }
    double.answer = refusing(500, 'secret')
    const fault = await other.call(admin.key, 'GET', PATH)
    assert.deepEqual([fault.status, fault.body], [503, down])
    double.answer = (response) => void response.end('{}')
    const garbage = await other.call(admin.key, 'GET', PATH)
    assert.deepEqual([garbage.status, garbage.body], [503, down])
    await double.stop()
    const deleted = await other.call(admin.key, 'GET', PATH)
    assert.deepEqual([deleted.status, deleted.body], [503, down])
  })
})
