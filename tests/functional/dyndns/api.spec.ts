// @api-backend(all)
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { caller, createRecord, createZone, type Caller } from '#tests/support/app/api'
import { zoneTables } from '#tests/support/app/backend'
import { zoneNamed } from '#tests/support/app/names'
import { keyFor, person } from '#tests/support/app/people/people'
import { journalOf, stateOf } from '#tests/support/app/zones/zones'
import { addressesOf, dyndnsScene, entriesOf, type DyndnsScene } from '#tests/support/dyndns/scene'

const PATH = '/dynamic-dns'
const MISSING = 'hostname and at least one of ipv4 or ipv6 are required'

let scene: DyndnsScene
let as: Caller

test.group('Dynamic DNS over the API', (group) => {
  group.each.setup(async (t) => {
    scene = await dyndnsScene(t.context.client)
    as = caller(t.context.client, scene.owner)
  })

  test('an update writes the addresses with their own TTL, once', async ({ assert }) => {
    const body = { hostname: scene.host, ipv4: '198.51.100.3, 198.51.100.2', ipv6: '2001:DB8::5' }
    const response = await as.post(PATH, body)
    response.assertStatus(200)
    assert.deepEqual(response.body(), {
      success: true,
      data: {
        hostname: scene.host,
        zone_id: scene.zone.id,
        applied_ipv4: ['198.51.100.2', '198.51.100.3'],
        applied_ipv6: ['2001:db8::5'],
        changed: true,
      },
      message: 'Dynamic DNS record updated',
    })
    const rows = await db.from(zoneTables.records).where('name', scene.host).select('ttl')
    assert.deepEqual(
      rows.map(({ ttl }) => ttl),
      [60, 60, 60]
    )
    const before = await stateOf(scene.zone.id)
    const secondResponse = await as.post(PATH, body)
    assert.deepInclude(secondResponse.body().data, {
      changed: false,
      applied_ipv6: ['2001:db8::5'],
    })
    assert.equal(secondResponse.body().message, 'Records already match supplied addresses')
    assert.deepEqual(await stateOf(scene.zone.id), before)
  })

  test('an absent address family stays; with dualstack it is deleted', async ({ assert }) => {
    const { host } = scene
    await as.post(PATH, { hostname: host, ipv4: '198.51.100.1', ipv6: '2001:db8::1' })
    await as.post(PATH, { hostname: host, ipv4: '198.51.100.2' })
    assert.deepEqual(await addressesOf(host), ['A 198.51.100.2', 'AAAA 2001:db8::1'])
    const dual = await as.post(PATH, { hostname: host, ipv4: '198.51.100.2', dualstack: true })
    assert.deepInclude(dual.body().data, {
      applied_ipv4: ['198.51.100.2'],
      applied_ipv6: [],
      changed: true,
    })
    assert.deepEqual(await addressesOf(host), ['A 198.51.100.2'])
  })

  test('a network replaces the prefix of IPv6 addresses and keeps their host part', async ({
    assert,
  }) => {
    const { host } = scene
    const nothing = await as.post(PATH, { hostname: host, ipv6: '2001:db8:2::/64' })
    nothing.assertStatus(409)
    await as.post(PATH, { hostname: host, ipv6: '2001:db8:1::a:b:c:d' })
    const moved = await as.post(PATH, { hostname: host, ipv6: '2001:db8:2:3::/56' })
    moved.assertStatus(200)
    assert.deepEqual(await addressesOf(host), ['AAAA 2001:db8:2:0:a:b:c:d'])
  })

  test('the journal has the user, and the host name is case-insensitive', async ({ assert }) => {
    const response = await as.post(PATH, {
      hostname: `${scene.host.toUpperCase()}.`,
      ipv4: '198.51.100.4',
    })
    assert.equal(response.body().data.hostname, scene.host)
    const entries = await journalOf(scene.zone.id)
    assert.deepInclude(entries.at(-1), {
      username: scene.owner.username,
      api_key_id: scene.owner.keyId,
      channel: 'api',
    })
  })

  test('a form is accepted', async ({ client, assert }) => {
    const response = await client
      .post(`/api/v2${PATH}`)
      .header('x-api-key', scene.owner.key)
      .form({ hostname: scene.host, ipv4: '198.51.100.4', dualstack: '1' })
    response.assertStatus(200)
    assert.deepEqual(await addressesOf(scene.host), ['A 198.51.100.4'])
  })

  test('invalid members are listed, and nothing changes', async ({ assert }) => {
    const { host } = scene
    const before = await entriesOf(scene.zone)
    for (const [body, message] of [
      [{ ipv4: '198.51.100.1' }, MISSING],
      [{ hostname: host }, MISSING],
      [{ hostname: host, ipv4: '', ipv6: ' , ' }, MISSING],
      [{ hostname: host, ipv4: 'bad' }, "Invalid IP addresses: field 'ipv4'"],
      [{ hostname: host, ipv4: '198.51.100.1,bad' }, "Invalid IP addresses: field 'ipv4'"],
      [{ hostname: host, ipv4: '2001:db8::1' }, "Invalid IP addresses: field 'ipv4'"],
      [{ hostname: host, ipv6: '198.51.100.1' }, "Invalid IP addresses: field 'ipv6'"],
      [{ hostname: host, ipv6: '2001:db8::/129' }, "Invalid IP addresses: field 'ipv6'"],
      [{ hostname: host, ipv6: '2001:db8::/64,2001:db8:1::/64' }, "field 'ipv6'"],
      [
        { hostname: host, ipv4: '127.0.0.1' },
        "field 'ipv4' must be addresses at which other hosts can reach",
      ],
      [{ hostname: host, ipv4: '198.51.100.1,0.0.0.0' }, 'found "0.0.0.0"'],
      [{ hostname: host, ipv4: '169.254.1.1' }, 'found "169.254.1.1"'],
      [{ hostname: host, ipv4: '224.0.0.1' }, 'found "224.0.0.1"'],
      [{ hostname: host, ipv4: '::ffff:127.0.0.1' }, 'found "127.0.0.1"'],
      [{ hostname: host, ipv4: '198.51.100.1', ipv6: 'FE80::1%eth0' }, 'found "fe80::1"'],
      [
        { hostname: host, ipv6: '::1' },
        "field 'ipv6' must be addresses at which other hosts can reach",
      ],
      [{ hostname: host, ipv6: '::' }, 'found "::"'],
      [{ hostname: host, ipv6: 'ff02::1' }, 'found "ff02::1"'],
      [{ hostname: host, ipv6: 'fe80::/64' }, 'found "fe80::"'],
      [{ hostname: host, ipv4: 5 }, "Field 'ipv4' must be a JSON string"],
      [{ hostname: host, ipv4: '198.51.100.1', dualstack: 'maybe' }, "Field 'dualstack'"],
      [{ hostname: `${host},www.${scene.zone.name}`, ipv4: '198.51.100.1' }, 'Invalid hostname: '],
      [{ hostname: `a..${scene.zone.name}`, ipv4: '198.51.100.1' }, 'Invalid hostname: '],
    ] as const) {
      const response = await as.post(PATH, body)
      response.assertStatus(400)
      assert.include(response.body().message, message)
    }
    assert.equal(await entriesOf(scene.zone), before)
  })

  test('only own zones are found, also for an administrator', async ({ client, assert }) => {
    const body = { hostname: scene.host, ipv4: '198.51.100.1' }
    const stranger = caller(client, await person({ template: 'Zone Manager' }))
    for (const [asUser, host] of [
      [stranger, scene.host],
      [scene.admin, scene.host],
      [as, 'home.nowhere.test'],
      [as, 'home'],
    ] as const) {
      const response = await asUser.post(PATH, { ...body, hostname: host })
      response.assertStatus(404)
      assert.equal(
        response.body().message,
        'Hostname is not contained in any zone the user owns',
        host
      )
    }
    const chief = await person({ template: 'Administrator' })
    await db.table('zw_zone_owners').insert({
      zone_id: scene.zone.id,
      user_id: chief.id,
      created_at: new Date().toISOString(),
    })
    const owned = await caller(client, chief).post(PATH, body)
    owned.assertStatus(200)
  })

  test('a foreign zone below hides its names', async ({ assert }) => {
    await createZone(scene.admin, { name: `sub.${scene.zone.name}` })
    const hostname = `home.sub.${scene.zone.name}`
    const response = await as.post(PATH, { hostname, ipv4: '198.51.100.1' })
    response.assertStatus(404)
    assert.deepEqual(await addressesOf(hostname), [])
  })

  test('a caller without an editable zone is refused, and replicas are refused', async ({
    client,
    assert,
  }) => {
    const body = { hostname: scene.host, ipv4: '198.51.100.1' }
    const viewer = await caller(client, await person({ template: 'Viewer' })).post(PATH, body)
    viewer.assertStatus(403)
    assert.equal(
      viewer.body().message,
      'User does not have permission to update dynamic DNS records'
    )
    const slave = await createZone(scene.admin, {
      name: zoneNamed('slave'),
      type: 'SLAVE',
      master: '192.0.2.1',
      owner_user_id: scene.owner.id,
    })
    const replica = await as.post(PATH, { ...body, hostname: `home.${slave.name}` })
    replica.assertStatus(403)
    assert.match(replica.body().message, /read-only/)
  })

  test('a key needs create and update, and delete if an RRset shrinks', async ({
    client,
    assert,
  }) => {
    const { host, owner } = scene
    const two = { hostname: host, ipv4: '198.51.100.1,198.51.100.2', ipv6: '2001:db8::1' }
    await as.post(PATH, two)
    for (const operations of [['create'], ['update'], ['update', 'delete'], ['view']] as const) {
      const narrowed = caller(client, await keyFor(owner, { operations: [...operations] }))
      const response = await narrowed.post(PATH, two)
      response.assertStatus(403)
    }
    const plain = caller(client, await keyFor(owner, { operations: ['create', 'update'] }))
    const moved = await plain.post(PATH, { ...two, ipv4: '198.51.100.3,198.51.100.4' })
    moved.assertStatus(200)
    const before = await stateOf(scene.zone.id)
    for (const body of [
      { hostname: host, ipv4: '198.51.100.3' },
      { hostname: host, ipv4: '198.51.100.3,198.51.100.4', dualstack: true },
    ]) {
      const shrunk = await plain.post(PATH, body)
      shrunk.assertStatus(403)
      assert.match(shrunk.body().message, /'delete' operation/)
    }
    assert.deepEqual(await stateOf(scene.zone.id), before)
    const all = await as.post(PATH, { hostname: host, ipv4: '198.51.100.3' })
    all.assertStatus(200)
  })

  test('a name that cannot have addresses is refused', async ({ assert }) => {
    await createRecord(scene.admin, scene.zone, {
      name: 'home',
      type: 'CNAME',
      content: 'www.example.net',
    })
    const response = await as.post(PATH, { hostname: scene.host, ipv4: '198.51.100.1' })
    assert.include([400, 409], response.status())
    assert.deepEqual(await addressesOf(scene.host), [])
  })

  test('a dry run returns the plan, and a repeated request is carried out once', async ({
    client,
    assert,
  }) => {
    const body = { hostname: scene.host, ipv4: '198.51.100.1' }
    const dry = await as.post(PATH, { ...body, dry_run: true })
    dry.assertStatus(200)
    assert.lengthOf(dry.body().data.plan.zones[0].changes, 1)
    assert.deepEqual(await addressesOf(scene.host), [])
    const call = () =>
      client
        .post(`/api/v2${PATH}`)
        .header('x-api-key', scene.owner.key)
        .header('idempotency-key', scene.host)
        .json(body)
    const first = await call()
    const second = await call()
    assert.deepEqual(second.body(), first.body())
    assert.isTrue(second.body().data.changed)
  })

  test('concurrent updates of many hosts lose none', async ({ assert }) => {
    const hosts = Array.from({ length: 50 }, (_, index) => `h${index}.${scene.zone.name}`)
    const answers = await Promise.all(
      hosts.map((hostname, index) => as.post(PATH, { hostname, ipv4: `198.51.100.${index + 1}` }))
    )
    assert.deepEqual([...new Set(answers.map((answer) => answer.status()))], [200])
    const found = await Promise.all(hosts.map(addressesOf))
    assert.deepEqual(
      found,
      hosts.map((_, index) => [`A 198.51.100.${index + 1}`])
    )
  })
})
