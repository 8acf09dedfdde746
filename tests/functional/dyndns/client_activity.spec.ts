// @api-backend(all)
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { ClientActivity, clientActivity } from '#zones/dynamic_dns/client_activity'
import { caller, dataOf, type Caller } from '#tests/support/app/api'
import { basic } from '#tests/support/app/people/basic'
import { person } from '#tests/support/app/people/people'
import { stateOf } from '#tests/support/app/zones/zones'
import { dyndnsCall, dyndnsClient } from '#tests/support/dyndns/ask'
import { dyndnsScene, type DyndnsScene } from '#tests/support/dyndns/scene'

const PATH = '/dynamic-dns/clients'

let scene: DyndnsScene
let as: Caller
let update: ReturnType<typeof dyndnsClient>

/** Returns the client activity of a host; undefined without any. */
async function activityOf(hostname: string, asUser = as) {
  const found = await dataOf(asUser.get(`${PATH}?hostname=${hostname}`), 'clients')
  return found.at(0)
}

test.group('Client activity of dynamic DNS', (group) => {
  group.each.setup(async (t) => {
    scene = await dyndnsScene(t.context.client)
    as = caller(t.context.client, scene.owner)
    update = dyndnsClient(scene.owner)
  })

  test('the list has the last client, its address and the result', async ({ assert }) => {
    const { host, zone, owner } = scene
    await update(`hostname=${host}&myip=192.0.2.1,2001:db8::1`)
    await update(`hostname=${host}&myip=192.0.2.1`, {
      headers: { 'user-agent': 'inadyn/2.10\t\u00e9' },
    })
    const found = await activityOf(host)
    assert.containsSubset(found, {
      hostname: host,
      zone: { id: zone.id, name: zone.name },
      ipv4: ['192.0.2.1'],
      ipv6: ['2001:db8::1'],
      last_code: 'nochg',
      requests: 2,
      changes: 1,
      flapping: false,
      client_address: '127.0.0.1',
      channel: 'dyndns',
      username: owner.username,
      refused: null,
    })
    assert.include(found.user_agent, 'inadyn/2.10 ')
    assert.lengthOf(found.recent_changes, 1)
    assert.isAtLeast(Date.parse(found.last_seen_at), Date.parse(found.last_change_at))
    await as.post('/dynamic-dns', { hostname: host, ipv4: '192.0.2.2', dualstack: true })
    assert.containsSubset(await activityOf(host), {
      channel: 'api',
      ipv4: ['192.0.2.2'],
      ipv6: [],
      requests: 3,
      changes: 2,
      api_key_id: owner.keyId,
    })
  })

  test('repeated equal updates write nothing', async ({ assert }) => {
    const { host, zone } = scene
    await update(`hostname=${host}&myip=192.0.2.1`)
    await clientActivity.flush()
    const rows = () => Promise.all([db.from('zw_dyndns_clients'), db.from('zw_dyndns_limits')])
    const before = [await rows(), await stateOf(zone.id)]
    for (let count = 0; count < 5; count++) await update(`hostname=${host}&myip=192.0.2.1`)
    assert.deepEqual([await rows(), await stateOf(zone.id)], before)
    assert.containsSubset(await activityOf(host), { requests: 6, changes: 1 })
  })

  test('a host that changes back and forth is flapping', async ({ assert }) => {
    for (let count = 0; count < 6; count++) {
      await update(`hostname=${scene.host}&myip=192.0.2.${count % 2}`)
    }
    assert.containsSubset(await activityOf(scene.host), { changes: 6, flapping: true })
  })

  test('wrong passwords are shown for known hosts, and unknown clients write nothing', async ({
    assert,
  }) => {
    const { host, zone, owner } = scene
    const wrong = { 'authorization': basic(owner.username, 'bad'), 'user-agent': 'Router/1' }
    await dyndnsCall(`hostname=${host},new.${zone.name}&myip=192.0.2.1`, { headers: wrong })
    assert.isUndefined(await activityOf(host))
    await update(`hostname=${host}&myip=192.0.2.1`)
    await dyndnsCall(`hostname=${host},new.${zone.name}&myip=192.0.2.9`, { headers: wrong })
    const stranger = await person({ template: 'Zone Manager' })
    await dyndnsClient(stranger)(`hostname=${host}&myip=192.0.2.9`)
    assert.containsSubset(await activityOf(host), {
      last_code: 'good',
      requests: 1,
      user_agent: 'ddclient/3.10.0',
      refused: { address: '127.0.0.1', user_agent: 'Router/1' },
    })
    assert.isUndefined(await activityOf(`new.${zone.name}`))
  })

  test('unknown clients use no space of known ones, and many hosts are written at once', async ({
    assert,
  }) => {
    const { zone, owner } = scene
    const activity = new ClientActivity()
    for (let i = 0; i < 12_000; i++) {
      activity.recordRefused(`n${i}.${zone.name}`, `10.0.${i % 250}.1`, 'stranger/1')
    }
    const hosts = Array.from({ length: 700 }, (_, i) => `h${i}.${zone.name}`)
    const sighting = {
      zone,
      code: 'good',
      channel: 'dyndns',
      address: '192.0.2.1',
      agent: 'Router/1',
      username: owner.username,
      keyId: null,
    }
    for (const hostname of hosts) {
      activity.addUpdate({ ...sighting, hostname, addresses: { A: ['192.0.2.1'] } })
    }
    await activity.flush()
    const { id: first } = await db.from('zw_dyndns_clients').max('id as id').firstOrFail()
    for (const hostname of hosts) {
      const addresses = { AAAA: [`2001:db8::${hostname.length}`] }
      activity.addUpdate({ ...sighting, hostname, code: 'nochg', addresses })
    }
    // Refusals are stored for a known host name only.
    activity.recordRefused(hosts[0], '10.0.0.1', 'stranger/1')
    await activity.flush()
    const rows = await db.from('zw_dyndns_clients').where('zone_id', zone.id).orderBy('id')
    assert.sameMembers(
      rows.map(({ hostname }) => hostname),
      hosts
    )
    assert.containsSubset(rows[0], {
      last_code: 'nochg',
      requests: 2,
      changes: 1,
      ipv4: '192.0.2.1',
      refused_agent: rows[0].hostname === hosts[0] ? 'stranger/1' : null,
    })
    // Only new hosts take an id. Some databases leave additional gaps.
    activity.addUpdate({ ...sighting, hostname: `last.${zone.name}`, addresses: {} })
    await activity.flush()
    const { id: last } = await db.from('zw_dyndns_clients').max('id as id').firstOrFail()
    assert.isBelow(Number(last), Number(first) + hosts.length)
  })

  test('the list has hosts of visible zones, and user names only with the history permission', async ({
    client,
    assert,
  }) => {
    const { host, zone, admin } = scene
    await update(`hostname=${host}&myip=192.0.2.1`)
    assert.isUndefined(
      await activityOf(host, caller(client, await person({ template: 'Zone Manager' })))
    )
    assert.containsSubset(await activityOf(host, admin), { client_address: '127.0.0.1' })
    const viewer = await person({ permissions: ['zone_content_view_own'] })
    await db.table('zw_zone_owners').insert({
      zone_id: zone.id,
      user_id: viewer.id,
      created_at: new Date().toISOString(),
    })
    const seen = await activityOf(host, caller(client, viewer))
    assert.containsSubset(seen, { last_code: 'good', client_address: null, username: null })
    assert.isNull(seen.user_agent)
  })
})
