// @databases @api-backend(all)
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { basic } from '#tests/support/app/people/basic'
import { caller, dataOf, expectStatus, createZone, type Caller } from '#tests/support/app/api'
import { eventsBy } from '#tests/support/app/audit'
import { ace } from '#tests/support/app/commands'
import { unique, zoneNamed } from '#tests/support/app/names'
import { CalledServer } from '#tests/support/app/server'
import { changeSettings } from '#tests/support/app/settings'
import { keyFor, person } from '#tests/support/app/people/people'
import { dyndnsCall, type DyndnsCall } from '#tests/support/dyndns/ask'
import { addressesOf, dyndnsScene, type DyndnsScene } from '#tests/support/dyndns/scene'

const PATH = '/dynamic-dns/tokens'

let scene: DyndnsScene
let as: Caller

/** Returns the answer to an update of a host with a token, by default as a bearer token. */
async function update(token: string, hostname: string, call: DyndnsCall = {}): Promise<string> {
  const headers = { authorization: `Bearer ${token}` }
  const { text } = await dyndnsCall(`hostname=${hostname}&myip=192.0.2.1`, { headers, ...call })
  return text
}

test.group('Tokens of hosts', (group) => {
  group.each.setup(async (t) => {
    scene = await dyndnsScene(t.context.client)
    as = caller(t.context.client, scene.owner)
  })

  test('an owner creates a token without a permission for keys, and it is returned once', async ({
    assert,
  }) => {
    const { host, owner } = scene
    const events = await eventsBy(owner, () => as.post(PATH, { hostname: host.toUpperCase() }))
    assert.deepEqual(
      events.map(([action]) => action),
      ['key.created']
    )
    const response = await as.post(PATH, { hostnames: [host, `www.${host}`], name: 'router' })
    response.assertStatus(201)
    const { token, secret, recipes } = response.body().data
    assert.match(secret, /^dy[a-z2-7]{30}$/)
    assert.containsSubset(token, {
      name: 'router',
      hostnames: [host, `www.${host}`],
      txt: false,
      owner: { username: owner.username },
      enabled: true,
    })
    assert.isNotEmpty(recipes)
    const listed = await dataOf(as.get(PATH), 'tokens')
    assert.lengthOf(listed, 2)
    assert.notInclude(JSON.stringify(listed), secret)
    const stored = await db.from('zw_api_keys').where('id', token.id).firstOrFail()
    assert.notInclude(JSON.stringify(stored), secret)
  })

  test('a token works as bearer token, password, parameter and part of the path', async ({
    assert,
  }) => {
    const { host } = scene
    const { secret } = await dataOf(as.post(PATH, { hostname: host }))
    assert.equal(await update(secret, host), 'good 192.0.2.1\n')
    const calls: DyndnsCall[] = [
      { headers: { authorization: basic('token', secret) } },
      { headers: { authorization: basic(host, secret) } },
      { headers: {}, path: `/nic/update/${secret}` },
      { headers: {}, path: `/dynamic_update.php/${secret}/` },
    ]
    for (const call of calls) {
      assert.equal(await update(secret, host, call), 'nochg 192.0.2.1\n')
    }
    const query = `username=token&password=${secret}&hostname=${host}&myip=192.0.2.1`
    const inQuery = await dyndnsCall(query)
    assert.equal(inQuery.text, 'nochg 192.0.2.1\n')
    const byApi = await dyndnsCall('', { path: '/api/v2/zones', headers: { 'x-api-key': secret } })
    assert.equal(byApi.status, 403)
  })

  test('a token only sets the addresses of its names', async ({ client, assert }) => {
    const { host, zone, owner } = scene
    const { secret } = await dataOf(as.post(PATH, { hostname: host }))
    const holder = caller(client, { key: secret })
    assert.equal(await update(secret, `other.${zone.name}`), '!yours\n')
    const doneResponse = await holder.post('/dynamic-dns', { hostname: host, ipv4: '192.0.2.7' })
    doneResponse.assertStatus(200)
    for (const call of [
      holder.get('/zones'),
      holder.get(`/zones/${zone.id}`),
      holder.get(`/zones/${zone.id}/records`),
      holder.get(PATH),
      holder.post(PATH, { hostname: host }),
      holder.post(`/zones/${zone.id}/records`, { name: host, type: 'TXT', content: '"x"' }),
      holder.post(`/zones/${zone.id}/records`, { name: 'other', type: 'A', content: '192.0.2.1' }),
    ]) {
      await expectStatus(call, 403)
    }
    const withTxt = await dataOf(as.post(PATH, { hostname: host, txt: true }))
    const acme = caller(client, { key: withTxt.secret })
    const txt = { op: 'set', name: host, type: 'TXT', records: [{ content: '"x"' }] }
    await expectStatus(acme.post('/changes', { actions: [txt] }), 201)
    await expectStatus(holder.post('/changes', { actions: [txt] }), 403)
    await db.from('zw_users').where('id', owner.id).update({ active: false })
    assert.equal(await update(secret, host), 'badauth\n')
  })

  test('both users must be allowed to edit the hosts, and administrators create tokens for others', async ({
    client,
    assert,
  }) => {
    const { host, owner, admin } = scene
    const stranger = caller(client, await person({ template: 'Zone Manager' }))
    await expectStatus(stranger.post(PATH, { hostname: host }), 404)
    await expectStatus(as.post(PATH, { hostname: 'home.nowhere.test' }), 404)
    await expectStatus(as.post(PATH, { hostname: 'a..b' }), 400)
    await expectStatus(as.post(PATH, { hostnames: [] }), 400)
    const viewer = await person({ template: 'Viewer' })
    await expectStatus(admin.post(PATH, { hostname: host, user_id: viewer.id }), 404)
    await expectStatus(as.post(PATH, { hostname: host, user_id: viewer.id }), 404)
    const theirs = await dataOf(admin.post(PATH, { hostname: host, user_id: owner.id }))
    assert.equal(theirs.token.owner.username, owner.username)
    const own = await dataOf(admin.post(PATH, { hostname: host }))
    assert.equal(await update(own.secret, host), 'good 192.0.2.1\n')
    assert.deepEqual(await addressesOf(host), ['A 192.0.2.1'])
  })

  test('a key for one zone only creates tokens of this zone', async ({ client, assert }) => {
    const { host, owner, zone } = scene
    const otherZone = await createZone(scene.admin, {
      name: zoneNamed('dyn'),
      owner_user_id: owner.id,
    })
    const { key } = await keyFor(owner, { zones: [zone] })
    const narrowed = caller(client, { key })
    await expectStatus(narrowed.post(PATH, { hostname: `home.${otherZone.name}` }), 404)
    const { token } = await dataOf(narrowed.post(PATH, { hostname: host }))
    const stored = await db.from('zw_api_keys').where('id', token.id).firstOrFail()
    assert.isTrue(Boolean(stored.zone_restricted))
  })

  test('a deleted token stops working, and never becomes a wider key', async ({
    client,
    assert,
  }) => {
    const { host, owner } = scene
    const { token, secret } = await dataOf(as.post(PATH, { hostname: host }))
    const path = `/api-keys/${token.id}`
    for (const body of [
      { patterns: [] },
      { operations: [] },
      { operations: ['view', 'update'] },
      { patterns: [{ name: host }] },
      { patterns: [{ name: `**.${scene.zone.name}`, types: ['A'] }] },
      { patterns: [{ name: host, types: ['MX'] }] },
    ]) {
      await expectStatus(as.put(path, body), 400)
    }
    await expectStatus(as.put(path, { name: 'fridge' }), 200)
    const renewed: string = await dataOf(as.post(`${path}/regenerate`, {}), 'key')
    assert.match(renewed, /^dy[a-z2-7]{30}$/)
    assert.equal(await update(secret, host), 'badauth\n')
    assert.equal(await update(renewed, host), 'good 192.0.2.1\n')
    await expectStatus(as.delete(`${PATH}/${owner.keyId}`), 404)
    const stranger = caller(client, await person({ template: 'Zone Manager' }))
    await expectStatus(stranger.delete(`${PATH}/${token.id}`), 404)
    await expectStatus(as.delete(`${PATH}/${token.id}`), 204)
    assert.equal(await update(renewed, host), 'badauth\n')
  })

  test('recipes contain host and endpoint', async ({ assert }) => {
    const recipes: { client: string; text: string }[] = await dataOf(
      as.get(`/dynamic-dns/recipes?hostname=${scene.host}`),
      'recipes'
    )
    assert.includeMembers(
      recipes.map(({ client }) => client),
      [
        'ddclient',
        'inadyn',
        'fritzbox',
        'unifi',
        'opnsense',
        'pfsense',
        'synology',
        'mikrotik',
        'openwrt',
      ]
    )
    for (const { client, text } of recipes) {
      assert.include(text, scene.host, client)
      assert.include(text, '/nic/update', client)
      assert.include(text, 'TOKEN', client)
    }
    await expectStatus(as.get('/dynamic-dns/recipes'), 400)
    await expectStatus(as.get('/dynamic-dns/recipes?hostname=a..b'), 400)
  })

  test('the command prints a working token', async ({ assert }) => {
    const { owner, host } = scene
    const { code, stdout } = await ace(['dyndns:token', owner.username, host])
    assert.equal(code, 0)
    const { token } = JSON.parse(stdout)
    assert.equal(await update(token, host), 'good 192.0.2.1\n')
    const unknown = await ace(['dyndns:token', unique('nobody'), host])
    assert.notEqual(unknown.code, 0)
    const foreign = await ace(['dyndns:token', owner.username, 'home.nowhere.test'])
    assert.notEqual(foreign.code, 0)
  })
})

test.group('Limits of host tokens', (group) => {
  const server = CalledServer.ofThisProcess()
  group.setup(() =>
    changeSettings({ api: { max_keys_per_user: 2 }, dyndns: { max_tokens_per_user: 2 } })
  )

  test('tokens do not count as keys, nor keys as tokens', async ({ client, assert }) => {
    const { admin } = await dyndnsScene(client)
    const holder = await person({
      permissions: ['api_manage_keys', 'zone_content_view_own', 'zone_content_edit_own'],
    })
    const zone = await createZone(admin, { name: zoneNamed('dyn'), owner_user_id: holder.id })
    const createAt = async (path: string, body: object) => {
      const response = await fetch(`${server.url}/api/v2${path}`, {
        method: 'POST',
        headers: { 'x-api-key': holder.key },
        body: JSON.stringify(body),
      })
      return response.status
    }
    const statuses: number[] = []
    for (const count of [1, 2, 3]) {
      statuses.push(await createAt(PATH, { hostname: `h${count}.${zone.name}` }))
      statuses.push(await createAt('/api-keys', { name: 'one more' }))
    }
    // The users already have a key.
    assert.deepEqual(statuses, [201, 201, 201, 409, 409, 409])
  })
})
