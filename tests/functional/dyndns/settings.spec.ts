import { test } from '@japa/runner'
import { OtherServer } from '#tests/support/app/server'
import { basic } from '#tests/support/app/basic'
import { keyFor } from '#tests/support/app/people'
import { dyndnsCall, dyndnsClient } from '#tests/support/dyndns/ask'
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

  test('a password in the address is none, and the status says so', async ({ assert }) => {
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

  test('a host that changes too often is abuse; saying the same is not', async ({ assert }) => {
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
    // All processes count together.
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

test.group('Dynamic DNS that is switched off', (group) => {
  let server: OtherServer
  group.setup(async () => {
    server = await OtherServer.start({ DYNDNS_ENABLED: 'false' })
    return () => server.stop()
  })

  test('the endpoint is not there', async ({ assert }) => {
    for (const path of ['/nic/update', '/dynamic_update.php', '/dynamic_update', '/nic/update%h']) {
      const { status } = await dyndnsCall('hostname=a.test', { url: server.url, path })
      assert.equal(status, 404, path)
    }
  })
})
