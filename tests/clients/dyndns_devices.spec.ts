import { test } from '@japa/runner'
import { basic } from '#tests/support/app/people/basic'
import { caller, dataOf } from '#tests/support/app/api'
import { setPassword } from '#tests/support/app/people/account_state'
import { request } from '#tests/support/dyndns/raw'
import { addressesOf, dyndnsScene, entriesOf, type DyndnsScene } from '#tests/support/dyndns/scene'

/*
 * Real devices: the bytes that each one sends, and how it parses the response. If a device reads only the status, or searches
 * the whole body for words, the test does the same.
 */

let scene: DyndnsScene
/** Token of the scene's host. */
let token: string
let authorization: string

/** The result as inadyn reports it, which many routers contain. */
function asInadyn({ status, body }: { status: number; body: string }): string {
  if (status === 401 || status === 403) return 'authentication failure'
  if (status >= 500) return 'later'
  if (status !== 200) return 'fatal'
  if (['good', 'nochg', 'OK', 'true', 'updated', 'success'].some((word) => body.includes(word))) {
    return 'success'
  }
  return ['dnserr', '911', 'abuse'].some((word) => body.includes(word)) ? 'later' : 'fatal'
}

/** The result as ddclient reports it: the first word of each line, one line per host. */
function asDdclient({ body }: { body: string }, hosts: number): string[] {
  const words = body
    .trim()
    .split('\n')
    .map((line) => line.split(' ')[0])
  return words.length === hosts ? words : [`${words.length} lines`]
}

test.group('Devices that update hosts', (group) => {
  group.each.setup(async (t) => {
    scene = await dyndnsScene(t.context.client)
    const as = caller(t.context.client, scene.owner)
    const made = await dataOf(as.post('/dynamic-dns/tokens', { hostname: scene.host }))
    token = made.secret
    authorization = `Authorization: ${basic('token', token)}`
  })

  test('ddclient from 3.11 on sends both families at once and reads a line for each host', async ({
    assert,
  }) => {
    const hosts = [scene.host, `nas.${scene.zone.name}`, 'home.nowhere.test']
    const owner = basic(scene.owner.username, scene.owner.password)
    const call = () =>
      request([
        `GET /nic/update?system=dyndns&hostname=${hosts.join(',')}&myip=198.51.100.1,2001:db8::1 HTTP/1.1`,
        'Host: 127.0.0.1',
        `Authorization: ${owner}`,
        'User-Agent: ddclient/3.11.2',
        'Connection: close',
      ])
    assert.deepEqual(asDdclient(await call(), 3), ['good', 'good', 'nohost'])
    assert.deepEqual(asDdclient(await call(), 3), ['nochg', 'nochg', 'nohost'])
    assert.deepEqual(await addressesOf(hosts[1]), ['A 198.51.100.1', 'AAAA 2001:db8::1'])
  })

  test('ddclient 3.9 on a USG appends its own path to the configured one', async ({ assert }) => {
    for (const path of [
      `/nic/update?hostname=%h&myip=%i/nic/update?system=dyndns&hostname=${scene.host}&myip=198.51.100.1`,
      `/nic/update/nic/update?system=dyndns&hostname=${scene.host}&myip=198.51.100.1`,
      `/%h/nic/update?system=dyndns&hostname=${scene.host}&myip=198.51.100.1`,
      `/nic/update%h?system=dyndns&hostname=${scene.host}&myip=198.51.100.1`,
    ]) {
      const answer = await request([
        `GET ${path} HTTP/1.0`,
        'Host: 127.0.0.1',
        authorization,
        'User-Agent: ddclient/3.9.0',
      ])
      assert.match(answer.body, /^(good|nochg) 198\.51\.100\.1\n$/, path)
    }
  })

  test('inadyn sends HTTP/1.0 without a port in Host and finds words anywhere in the body', async ({
    assert,
  }) => {
    const call = (query: string, header = authorization) =>
      request([
        `GET /nic/update?${query} HTTP/1.0`,
        'Host: 127.0.0.1',
        header,
        'User-Agent: inadyn/2.10.0 https://github.com/troglobit/inadyn/issues',
      ])
    const host = scene.host
    assert.equal(asInadyn(await call(`hostname=${host}&myip=198.51.100.1`)), 'success')
    assert.equal(asInadyn(await call(`hostname=${host}&myip=198.51.100.1`)), 'success')
    const wrong = `Authorization: ${basic('token', 'bad')}`
    const strict = `hostname=${host}&myip=198.51.100.1&status=strict`
    assert.equal(asInadyn(await call(strict, wrong)), 'authentication failure')
    assert.equal(asInadyn(await call(`hostname=${host}&myip=198.51.100.1`, wrong)), 'fatal')
    assert.equal(asInadyn(await call('hostname=home.nowhere.test&myip=198.51.100.1')), 'fatal')
    assert.equal(asInadyn(await call(`hostname=${host}&myip=bad`)), 'later')
    const verbose = await call(`hostname=home.nowhere.test&myip=198.51.100.1&verbose`)
    assert.equal(asInadyn(verbose), 'fatal')
  })

  test('UniFi calls inadyn with the path of its server field', async ({ assert }) => {
    const lines = (host: string) => [
      `GET /nic/update?hostname=${host}&myip=198.51.100.1 HTTP/1.0`,
      'Host: 127.0.0.1',
      authorization,
      'User-Agent: inadyn/2.9.1 https://github.com/troglobit/inadyn/issues',
    ]
    assert.equal(asInadyn(await request(lines(scene.host))), 'success')
    // inadyn 2.5 also sends the separators around the second host of a list.
    assert.equal(asInadyn(await request(lines(`,${scene.host},`))), 'success')
  })

  test('OPNsense treats every 2xx status as a success', async ({ assert }) => {
    const call = (query: string, header: string) =>
      request([
        `GET /nic/update?system=dyndns&wildcard=NOCHG&${query}&status=strict HTTP/1.1`,
        `Host: 127.0.0.1:${process.env.PORT}`,
        header,
        'User-Agent: OPNsense-dyndns/1.0',
        'Connection: close',
      ])
    const query = `hostname=${scene.host}&myip=198.51.100.1`
    const done = await call(query, authorization)
    assert.deepEqual([done.status, done.body.split(' ')[0]], [200, 'good'])
    const wrong = await call(query, `Authorization: ${basic('token', 'bad')}`)
    assert.deepEqual(wrong, { status: 401, body: 'badauth\n' })
  })

  test('FRITZ!Box sends unescaped values, a LAN prefix, empty families and two addresses at once', async ({
    assert,
  }) => {
    const { owner, host } = scene
    const password = 'a+b/c==d=e?f'
    await setPassword(owner.username, password)
    const call = (query: string, secret = password) =>
      request([
        `GET /nic/update?username=${owner.username}&password=${secret}&hostname=${host}&${query} HTTP/1.1`,
        'Host: 127.0.0.1',
        'User-Agent: Fritz!Box DDNS/1.0.1',
        'Connection: close',
      ])
    const [four, six] = await Promise.all([
      call('myip=198.51.100.1&myip6='),
      call('myip=&myip6=2001:db8:1:2::abcd'),
    ])
    assert.equal(four.body, 'good 198.51.100.1\n')
    assert.equal(six.body, 'good 2001:db8:1:2::abcd\n')
    const moved = await call('myip=198.51.100.1&ip6lanprefix=2001:db8:9:9::/64&dualstack=1')
    assert.equal(moved.body, 'good 198.51.100.1\n')
    assert.deepEqual(await addressesOf(host), ['A 198.51.100.1', 'AAAA 2001:db8:9:9::abcd'])
    const again = await call('myip=198.51.100.1&ip6lanprefix=2001:db8:9:9::/64')
    assert.equal(again.body, 'nochg 198.51.100.1\n')
    const escaped = await call('myip=198.51.100.1', encodeURIComponent(password))
    assert.equal(escaped.body, 'nochg 198.51.100.1\n')
    const wrong = await call('myip=198.51.100.1', 'a b/c==d=e?f')
    assert.notMatch(wrong.body, /good|nochg/)
  })

  test('a form encodes blanks as "+"', async ({ assert }) => {
    const { owner, host } = scene
    await setPassword(owner.username, 'two words')
    const { body } = await request([
      `GET /nic/update?username=${owner.username}&password=two+words&hostname=${host}&myip=192.0.2.1 HTTP/1.0`,
      'User-Agent: form/1',
    ])
    assert.equal(body, 'good 192.0.2.1\n')
  })

  test('Synology and OpenWrt send credentials in the URL or in the header', async ({ assert }) => {
    const synology = await request([
      `GET /nic/update?username=token&password=${token}&hostname=${scene.host}&myip=198.51.100.1 HTTP/1.1`,
      'Host: 127.0.0.1',
      'User-Agent: Synology DSM 7.2',
      'Connection: close',
    ])
    assert.equal(synology.body, 'good 198.51.100.1\n')
    const openwrt = await request([
      `GET /nic/update?hostname=${scene.host}&myip=198.51.100.1 HTTP/1.1`,
      'Host: 127.0.0.1',
      'User-Agent: uclient-fetch',
      authorization,
      'Connection: close',
    ])
    assert.equal(openwrt.body, 'nochg 198.51.100.1\n')
  })

  test('pfSense and MikroTik read the address after the code', async ({ assert }) => {
    for (const address of ['198.51.100.7', '2001:db8::7']) {
      for (const code of ['good', 'nochg']) {
        const { body } = await request([
          `GET /nic/update?hostname=${scene.host}&myip=${address} HTTP/1.1`,
          'Host: 127.0.0.1',
          authorization,
          'User-Agent: phpDynDNS/0.8.2',
          'Connection: close',
        ])
        assert.equal(body.trim(), `${code} ${address}`)
      }
    }
  })

  test('a first update creates the records, because devices cannot handle nohost', async ({
    assert,
  }) => {
    const answer = await request([
      `GET /dynamic_update.php?hostname=${scene.host}&myip=198.51.100.1 HTTP/1.0`,
      authorization,
      'User-Agent: Loopia/1',
    ])
    assert.deepEqual(answer, { status: 200, body: 'good 198.51.100.1\n' })
  })

  test('link scanners, previews and prefetching browsers change nothing', async ({ assert }) => {
    const target = `/nic/update/${token}?hostname=${scene.host}&myip=198.51.100.9`
    const lines = (method: string, ...headers: string[]) => [
      `${method} ${target} HTTP/1.1`,
      'Host: 127.0.0.1',
      ...headers,
      'Connection: close',
    ]
    const browser =
      'User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
    const entries = await entriesOf(scene.zone)
    for (const scan of [
      lines('HEAD', browser),
      lines('HEAD', 'User-Agent: curl/8.14.1'),
      lines('GET', browser, 'Sec-Purpose: prefetch'),
      lines('GET', browser, 'X-Moz: prefetch'),
      lines('GET', 'User-Agent: Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)'),
      lines('GET', 'User-Agent: WhatsApp/2.23.20.0'),
      lines('GET'),
    ]) {
      const { body } = await request(scan)
      assert.notMatch(body, /good|nochg/)
    }
    assert.equal(await entriesOf(scene.zone), entries)
    assert.deepEqual(await addressesOf(scene.host), [])
    const asked = await request(lines('GET', 'User-Agent: curl/8.14.1'))
    assert.equal(asked.body, 'good 198.51.100.9\n')
  })

  test('Basic authentication without padding, in Latin-1, and a client without HTTP/1.1 are accepted', async ({
    assert,
  }) => {
    const { owner, host } = scene
    await setPassword(owner.username, 'pässword')
    const latin1 = Buffer.from(`${owner.username}:pässword`, 'latin1').toString('base64')
    for (const encoded of [latin1, latin1.replace(/=+$/, '')]) {
      const { body } = await request([
        `GET /nic/update?hostname=${host}&myip=192.0.2.1 HTTP/1.0`,
        `Authorization: Basic ${encoded}`,
        'User-Agent: old/1',
      ])
      assert.match(body, /^(good|nochg) 192\.0\.2\.1\n$/)
    }
  })
})
