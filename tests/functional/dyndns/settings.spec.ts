// @api-backend(all) @process
import { test } from '@japa/runner'
import { CalledServer, OtherServer } from '#tests/support/app/server'
import { changeSettings } from '#tests/support/app/settings'
import { basic } from '#tests/support/app/people/basic'
import { keyFor } from '#tests/support/app/people/people'
import { dyndnsCall, dyndnsClient, type DyndnsCall } from '#tests/support/dyndns/ask'
import { dyndnsScene, type DyndnsScene } from '#tests/support/dyndns/scene'

let scene: DyndnsScene

test.group('Dynamic DNS with strict statuses and no credentials in addresses', (group) => {
  let server: OtherServer
  group.setup(async () => {
    server = await OtherServer.start({
      DYNDNS_STATUS_CODES: 'strict',
      DYNDNS_QUERY_CREDENTIALS: 'false',
      DYNDNS_TTL: '300',
      DYNDNS_CHANGES_PER_HOST: '3',
      DYNDNS_MAX_HOSTS: '2',
    })
    return () => server.stop()
  })
  group.each.setup(async (t) => {
    scene = await dyndnsScene(t.context.client)
  })

  test('a password in the address is refused with an error status', async ({ assert }) => {
    const { username, password } = scene.owner
    const query = `hostname=${scene.host}&myip=192.0.2.1`
    const shown = await dyndnsCall(`username=${username}&password=${password}&${query}`, {
      url: server.url,
    })
    assert.deepEqual([shown.status, shown.text], [401, 'badauth\n'])
    const compat = await dyndnsCall(`${query}&status=compat`, { url: server.url })
    assert.deepEqual([compat.status, compat.text], [200, 'badauth\n'])
    const headers = { authorization: basic(username, password) }
    const done = await dyndnsCall(query, { url: server.url, headers })
    assert.deepEqual([done.status, done.text], [200, 'good 192.0.2.1\n'])
    const other = await dyndnsCall(`hostname=nowhere.test&myip=192.0.2.1`, {
      url: server.url,
      headers,
    })
    assert.deepEqual([other.status, other.text], [200, 'nohost\n'])
  })

  test('a host with too many changes gets abuse, equal updates do not count', async ({
    assert,
  }) => {
    const { username, password } = scene.owner
    const headers = { authorization: basic(username, password) }
    const call = async (address: string, host = scene.host) => {
      const { status, text } = await dyndnsCall(`hostname=${host}&myip=${address}`, {
        url: server.url,
        headers,
      })
      return [status, text]
    }
    for (const last of [1, 2, 3]) {
      assert.deepEqual(await call(`192.0.2.${last}`), [200, `good 192.0.2.${last}\n`])
      assert.deepEqual(await call(`192.0.2.${last}`), [200, `nochg 192.0.2.${last}\n`])
    }
    assert.deepEqual(await call('192.0.2.4'), [503, 'abuse\n'])
    assert.deepEqual(await call('192.0.2.3'), [200, 'nochg 192.0.2.3\n'])
    const both = `${scene.host},other.${scene.zone.name}`
    assert.deepEqual(await call('192.0.2.5', both), [503, 'abuse\ngood 192.0.2.5\n'])
    // All processes share the counters.
    const elsewhere = dyndnsClient(scene.owner)
    assert.equal(await elsewhere(`hostname=${scene.host}&myip=192.0.2.6`), 'good 192.0.2.6\n')
  })

  test('the TTL and the number of hosts are settings', async ({ client, assert }) => {
    const { key } = await keyFor(scene.owner)
    const headers = { 'x-api-key': key }
    const query = `hostname=${scene.host}&myip=192.0.2.1`
    await dyndnsCall(query, { url: server.url, headers })
    const rrset = await client
      .get(`/api/v2/zones/${scene.zone.id}/rrsets/home/A`)
      .header('x-api-key', key)
    assert.equal(rrset.body().data.rrset.ttl, 300)
    const three = `hostname=a.test,b.test,c.test&myip=192.0.2.1`
    const many = await dyndnsCall(three, { url: server.url, headers })
    assert.equal(many.text, 'numhost\n')
  })
})

test.group('Disabled dynamic DNS', (group) => {
  let server: OtherServer
  group.setup(async () => {
    server = await OtherServer.start({ DYNDNS_ENABLED: 'false' })
    return () => server.stop()
  })

  test('the endpoint gets 404', async ({ assert }) => {
    for (const path of ['/nic/update', '/dynamic_update.php', '/dynamic_update', '/nic/update%h']) {
      const { status } = await dyndnsCall('hostname=a.test', { url: server.url, path })
      assert.equal(status, 404, path)
    }
  })
})

test.group('Dynamic DNS behind a trusted proxy', (group) => {
  let server: OtherServer
  group.setup(async () => {
    server = await OtherServer.start({
      SERVER_TRUSTED_PROXIES: '127.0.0.1',
      APP_URL: '',
      DYNDNS_CHANGES_PER_ADDRESS: '3',
    })
    return () => server.stop()
  })

  test('whatismyip uses the header of a trusted proxy only', async ({ client, assert }) => {
    const { owner, host } = await dyndnsScene(client)
    const headers = {
      'authorization': basic(owner.username, owner.password),
      'x-forwarded-for': '192.0.2.66, 198.51.100.7',
    }
    const query = `hostname=${host}&myip=whatismyip`
    const behind = await dyndnsCall(query, { url: server.url, headers })
    assert.equal(behind.text, 'good 198.51.100.7\n')
    const bare = await dyndnsCall(`hostname=${host}`, {
      url: server.url,
      headers: { ...headers, 'x-forwarded-for': '198.51.100.8:4711' },
    })
    assert.equal(bare.text, 'good 198.51.100.8\n')
    // The header of an untrusted client is ignored, and a loopback address is not valid for a host (RFC 1122, section
    // 3.2.1.3).
    const direct = await dyndnsCall(query, { url: server.url, headers, from: '127.0.0.2' })
    assert.equal(direct.text, 'dnserr\n')
    const untrusting = await dyndnsCall(query, { headers })
    assert.equal(untrusting.text, 'dnserr\n')
    const { authorization } = headers
    const silent = { authorization, 'x-real-ip': '198.51.100.9' }
    const unsaid = await dyndnsCall(query, { url: server.url, headers: silent })
    assert.equal(unsaid.text, 'dnserr\n')
  })

  test('too many changes from one address get abuse, for any host', async ({ client, assert }) => {
    const { owner, zone } = await dyndnsScene(client)
    const call = async (host: string, address: string, from: string) => {
      const headers = {
        'authorization': basic(owner.username, owner.password),
        'x-forwarded-for': from,
      }
      const query = `hostname=${host}.${zone.name}&myip=${address}`
      const { text } = await dyndnsCall(query, { url: server.url, headers })
      return text
    }
    for (const host of ['a', 'b', 'c']) {
      assert.equal(await call(host, '192.0.2.1', '203.0.113.9'), 'good 192.0.2.1\n')
      assert.equal(await call(host, '192.0.2.1', '203.0.113.9'), 'nochg 192.0.2.1\n')
    }
    assert.equal(await call('d', '192.0.2.1', '203.0.113.9'), 'abuse\n')
    assert.equal(await call('d', '192.0.2.1', '203.0.113.10'), 'good 192.0.2.1\n')
  })

  test('recipes contain the address that the client requested from the proxy', async ({
    client,
    assert,
  }) => {
    const { owner, host } = await dyndnsScene(client)
    const headers = {
      'x-api-key': owner.key,
      'x-forwarded-for': '198.51.100.7',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'dns.example.net',
    }
    const recipeOf = async (call: DyndnsCall) => {
      const path = `/api/v2/dynamic-dns/recipes?hostname=${host}`
      const { text } = await dyndnsCall('', { path, headers, ...call })
      const { recipes } = JSON.parse(text).data
      return recipes.find((it: { client: string }) => it.client === 'curl').text
    }
    assert.include(await recipeOf({ url: server.url }), '"https://dns.example.net/nic/update?')
    const { host: port } = new URL(server.url)
    for (const [call, endpoint] of [
      // Only a trusted proxy may set the requested host and protocol.
      [{ url: server.url, from: '127.0.0.2' }, `http://${port}`],
      [{ url: server.url, headers: { ...headers, 'x-forwarded-host': '/' } }, `https://${port}`],
      [{ url: server.url, headers: { 'x-api-key': owner.key } }, `http://${port}`],
    ] as [DyndnsCall, string][]) {
      assert.include(await recipeOf(call), `"${endpoint}/nic/update?`)
    }
  })
})

test.group('Dynamic DNS with lockout', (group) => {
  const server = CalledServer.ofThisProcess()
  group.setup(() =>
    changeSettings({ security: { account_lockout: { enable_lockout: true, lockout_attempts: 2 } } })
  )

  test('too many wrong passwords get badauth for the right one too, but tokens work', async ({
    client,
    assert,
  }) => {
    const { owner, host } = await dyndnsScene(client)
    const { key } = await keyFor(owner, { patterns: [{ name: host, types: ['A'] }] })
    const call = async (password: string) => {
      const headers = { authorization: basic(owner.username, password) }
      const query = `hostname=${host}&myip=192.0.2.1`
      const { text } = await dyndnsCall(query, { url: server.url, headers })
      return text
    }
    assert.equal(await call(owner.password), 'good 192.0.2.1\n')
    assert.equal(await call('one'), 'badauth\n')
    assert.equal(await call('two'), 'badauth\n')
    assert.equal(await call(owner.password), 'badauth\n')
    assert.equal(await call(key), 'nochg 192.0.2.1\n')
  })
})
