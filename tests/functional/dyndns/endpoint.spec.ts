// @api-backend
import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { maintainer } from '#access/actor'
import { confirmSecondFactor, prepareSecret } from '#accounts/second_factor/second_factor'
import { stepAt, totpCode } from '#accounts/second_factor/totp'
import { eventsWith } from '#tests/support/app/audit'
import { basic } from '#tests/support/app/people/basic'
import { createRecord, createZone } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { keyFor, person } from '#tests/support/app/people/people'
import { journalOf, stateOf } from '#tests/support/app/zones/zones'
import { dyndnsCall, dyndnsClient, type DyndnsCall } from '#tests/support/dyndns/ask'
import { addressesOf, dyndnsScene, entriesOf, type DyndnsScene } from '#tests/support/dyndns/scene'

let scene: DyndnsScene
let update: ReturnType<typeof dyndnsClient>

/** Returns the answer to a request with these credentials instead of the owner's password in HTTP Basic. */
async function answer(query: string, call: DyndnsCall = {}): Promise<string> {
  const { text } = await dyndnsCall(query, call)
  return text
}

test.group('Dynamic DNS endpoint', (group) => {
  group.each.setup(async (t) => {
    scene = await dyndnsScene(t.context.client)
    update = dyndnsClient(scene.owner)
  })

  test('the recorded exchanges get the same codes', async ({ assert }) => {
    const { host, zone } = scene
    const script = { path: '/dynamic_update.php' }
    const mine = (query: string) => update(query.replace('{host}', host), script)
    const nobody = await person()
    const { username, password } = scene.owner
    const wrong = { ...script, headers: { authorization: basic(username, 'bad') } }
    const first = `hostname=${host}&myip=198.51.100.20`
    assert.equal(await answer(first, script), 'badauth\n')
    assert.equal(await answer(first, wrong), 'badauth\n')
    assert.equal(await answer(`username=${username}&password=bad&${first}`, script), 'badauth\n')
    assert.equal(
      await answer(`username=${username}&password=${password}&${first}`, script),
      'good 198.51.100.20\n'
    )
    for (const [query, expected] of [
      ['hostname={host}&myip=198.51.100.21', 'good 198.51.100.21'],
      ['hostname={host}&myip=198.51.100.21', 'nochg 198.51.100.21'],
      ['hostname={host}&myip=198.51.100.22&verbose=1', 'Your hostname has been updated.'],
      [
        'hostname={host}&myip=198.51.100.22&verbose=1',
        'This update was identical to your last update, so no changes were made to your hostname configuration.',
      ],
      // The caller's address is a loopback address, which no host can have (RFC 1122, section 3.2.1.3).
      ['hostname={host}', 'dnserr'],
      ['hostname={host}&myip=whatismyip', 'dnserr'],
      ['hostname={host}&myip=fe80::1,0.0.0.0', 'dnserr'],
      ['hostname={host}&myip6=2001:db8::9', 'good 2001:db8::9'],
      ['hostname={host}&myip=198.51.100.30&myip6=2001:db8::10', 'good 198.51.100.30'],
      ['hostname={host}&myip=198.51.100.31&dualstack_update=1', 'good 198.51.100.31'],
      ['hostname={host}&myip=198.51.100.32,198.51.100.33', 'good 198.51.100.32'],
      ['hostname={host}&myip=198.51.100.6,invalid.ip,+198.51.100.7', 'good 198.51.100.6'],
      ['hostname={host}&myip=198.51.100.34,2001:db8::11', 'good 198.51.100.34'],
      ['myip=198.51.100.20', 'notfqdn'],
      ['hostname=home&myip=198.51.100.20', 'nohost'],
      ['hostname=home.nowhere.test&myip=198.51.100.20', 'nohost'],
      [`hostname=neverseen.${zone.name}&myip=198.51.100.20`, 'good 198.51.100.20'],
      ['hostname={host}&myip=bad', 'dnserr'],
    ]) {
      assert.equal(await mine(query), `${expected}\n`, query)
    }
    assert.equal(await dyndnsClient(nobody)(first, script), 'badauth\n')
    const form = { 'content-type': 'application/x-www-form-urlencoded' }
    assert.equal(await update('', { ...script, method: 'POST', headers: form }), 'notfqdn\n')
    assert.equal(await update(first, { ...script, headers: { 'user-agent': '' } }), 'badagent\n')
    assert.deepEqual(await addressesOf(host), ['A 198.51.100.34', 'AAAA 2001:db8::11'])
  })

  test('the order of the checks matches the recordings', async ({ assert }) => {
    const { host } = scene
    const wrong = { headers: { authorization: basic(scene.owner.username, 'bad') } }
    assert.equal(await answer(`hostname=${host}&myip=bad`, wrong), 'dnserr\n')
    assert.equal(await answer('myip=bad', wrong), 'notfqdn\n')
    assert.equal(await answer('myip=bad'), 'badauth\n')
    assert.equal(await answer('', { headers: { 'user-agent': ' ' } }), 'badagent\n')
  })

  test('a response is plain text with its length, never cached, with status 200', async ({
    assert,
  }) => {
    const url = `http://${process.env.HOST}:${process.env.PORT}/nic/update?hostname=${scene.host}`
    const response = await fetch(url, { headers: { 'user-agent': 'x' } })
    assert.equal(response.status, 200)
    assert.equal(response.headers.get('content-type'), 'text/plain; charset=utf-8')
    assert.equal(response.headers.get('content-length'), '8')
    assert.equal(response.headers.get('cache-control'), 'no-store')
    assert.isNull(response.headers.get('www-authenticate'))
    assert.equal(await response.text(), 'badauth\n')
  })

  test('a client that does not read bodies can request statuses', async ({ assert }) => {
    const refused = await dyndnsCall(`hostname=${scene.host}&myip=192.0.2.1&status=strict`)
    assert.equal(refused.status, 401)
    assert.equal(refused.challenge, 'Basic realm="dynamic DNS"')
    assert.equal(refused.text, 'badauth\n')
    const { username, password } = scene.owner
    const done = await dyndnsCall(`hostname=${scene.host}&myip=192.0.2.1&status=strict`, {
      headers: { authorization: basic(username, password) },
    })
    assert.deepEqual([done.status, done.text], [200, 'good 192.0.2.1\n'])
  })

  test('several hosts get a line each in order, with one change', async ({ assert }) => {
    const { zone } = scene
    const before = await entriesOf(zone)
    const hosts = `b.${zone.name},nowhere.test,a..x,a.${zone.name}`
    const text = await update(`hostname=${hosts}&myip=198.51.100.1,2001:db8::1`)
    assert.equal(text, 'good 198.51.100.1\nnohost\nnotfqdn\ngood 198.51.100.1\n')
    assert.equal(await entriesOf(zone), before + 1)
    assert.deepEqual(await addressesOf(`a.${zone.name}`), ['A 198.51.100.1', 'AAAA 2001:db8::1'])
    const again = await update(`hostname=${hosts}&myip=198.51.100.1`)
    assert.equal(again, 'nochg 198.51.100.1\nnohost\nnotfqdn\nnochg 198.51.100.1\n')
    const many = Array.from({ length: 21 }, (_, index) => `h${index}.${zone.name}`).join(',')
    assert.equal(await update(`hostname=${many}&myip=192.0.2.1`), 'numhost\n')
    assert.equal(await update('hostname=a..x,b..x&myip=192.0.2.1'), 'notfqdn\nnotfqdn\n')
  })

  test('hosts of several zones are one change, and a refused host does not affect others', async ({
    assert,
  }) => {
    const second = await createZone(scene.admin, {
      name: zoneNamed('dyn'),
      owner_user_id: scene.owner.id,
    })
    await createRecord(scene.admin, scene.zone, {
      name: 'alias',
      type: 'CNAME',
      content: 'www.example.net',
    })
    const hosts = [`a.${second.name}`, `alias.${scene.zone.name}`, scene.host].join(',')
    const text = await update(`hostname=${hosts}&myip=198.51.100.1`)
    assert.equal(text, 'good 198.51.100.1\ndnserr\ngood 198.51.100.1\n')
    assert.deepEqual(await addressesOf(`a.${second.name}`), ['A 198.51.100.1'])
    assert.deepEqual(await addressesOf(scene.host), ['A 198.51.100.1'])
  })

  test('nochg writes nothing', async ({ assert }) => {
    await update(`hostname=${scene.host}&myip=198.51.100.1`)
    const before = await stateOf(scene.zone.id)
    assert.equal(await update(`hostname=${scene.host}&myip=198.51.100.1`), 'nochg 198.51.100.1\n')
    assert.deepEqual(await stateOf(scene.zone.id), before)
    const entries = await journalOf(scene.zone.id)
    assert.deepInclude(entries.at(-1), {
      channel: 'dyndns',
      username: scene.owner.username,
      address: '127.0.0.1',
    })
  })

  test('the prefix of a LAN moves its hosts', async ({ assert }) => {
    const { host, zone } = scene
    assert.equal(await update(`hostname=${host}&ip6lanprefix=2001:db8:2::/64`), '!yours\n')
    await update(`hostname=${host},nas.${zone.name}&myip6=2001:db8:1::a:b:c:d`)
    const text = await update(`hostname=${host}&ip6lanprefix=2001:db8:2:3::/64`)
    assert.equal(text, 'good 2001:db8:2:3:a:b:c:d\n')
    assert.equal(
      await update(`hostname=${host}&ip6lanprefix=2001:db8:2:3::/64`),
      'nochg 2001:db8:2:3:a:b:c:d\n'
    )
    assert.deepEqual(await addressesOf(host), ['AAAA 2001:db8:2:3:a:b:c:d'])
  })

  test('an administrator only updates own zones', async ({ assert }) => {
    const chief = await person({ template: 'Administrator' })
    const query = `hostname=${scene.host}&myip=198.51.100.1`
    assert.equal(await dyndnsClient(chief)(query), 'nohost\n')
    await db.table('zw_zone_owners').insert({
      zone_id: scene.zone.id,
      user_id: chief.id,
      created_at: new Date().toISOString(),
    })
    assert.equal(await dyndnsClient(chief)(query), 'good 198.51.100.1\n')
  })

  test('replicas are refused', async ({ assert }) => {
    const slave = await createZone(scene.admin, {
      name: zoneNamed('slave'),
      type: 'SLAVE',
      master: '192.0.2.1',
      owner_user_id: scene.owner.id,
    })
    assert.equal(await update(`hostname=home.${slave.name}&myip=192.0.2.1`), '!yours\n')
  })

  test('the password of a user with a second factor is refused', async ({ assert }) => {
    const { owner, host } = scene
    const query = `hostname=${host}&myip=192.0.2.1`
    assert.equal(await update(query), 'good 192.0.2.1\n')
    const secret = await prepareSecret(owner.id)
    const actor = { ...maintainer(), userId: owner.id, username: owner.username }
    assert.isNotNull(await confirmSecondFactor(actor, totpCode(secret, stepAt(Date.now())), 0))
    assert.equal(await update(query), 'badauth\n')
    const { key } = await keyFor(owner)
    assert.equal(await answer(query, { headers: { 'x-api-key': key } }), 'nochg 192.0.2.1\n')
  })

  test('keys are accepted as header, bearer token and password', async ({ assert }) => {
    const { owner, host } = scene
    const { key } = await keyFor(owner, { patterns: [{ name: host, types: ['A', 'AAAA'] }] })
    const query = `hostname=${host}&myip=192.0.2.1`
    for (const headers of [
      { 'x-api-key': key },
      { authorization: `Bearer ${key}` },
      { authorization: basic('whoever', key) },
      { authorization: basic('', key) },
    ] as Record<string, string>[]) {
      assert.match(await answer(query, { headers }), /^(good|nochg) 192\.0\.2\.1\n$/)
    }
    assert.equal(await answer(`username=x&password=${key}&${query}`), 'nochg 192.0.2.1\n')
    const other = `hostname=other.${scene.zone.name}&myip=192.0.2.1`
    assert.equal(await answer(other, { headers: { 'x-api-key': key } }), '!yours\n')
    const reading = await keyFor(owner, { readOnly: true })
    assert.equal(await answer(query, { headers: { 'x-api-key': reading.key } }), '!yours\n')
  })

  test('wrong credentials write an audit event without the credentials', async ({ assert }) => {
    const { owner, host } = scene
    const secret = `wrong-${host}`
    const query = `hostname=${host}&myip=192.0.2.1`
    await answer(`username=${owner.username}&password=${secret}&${query}`)
    await answer(query, { headers: { authorization: basic(owner.username, secret) } })
    await answer(query)
    const events = await eventsWith({ action: 'login.failed', channel: 'dyndns' })
    // One event per address and minute is written, with the number of requests.
    assert.isNotEmpty(events)
    assert.oneOf(events[0].detail.method, ['basic', 'query', 'bearer'])
    assert.notInclude(JSON.stringify(events), secret)
  })

  test('link previews and HEAD requests change nothing', async ({ assert }) => {
    const { owner, host, zone } = scene
    const before = await stateOf(zone.id)
    const link = `username=${owner.username}&password=${owner.password}&hostname=${host}&myip=192.0.2.9`
    const head = await dyndnsCall(link, { method: 'HEAD' })
    assert.deepEqual([head.status, head.text], [200, ''])
    for (const headers of [
      { 'sec-purpose': 'prefetch;prerender' },
      { purpose: 'prefetch' },
      { 'x-moz': 'prefetch' },
      { 'user-agent': 'Slackbot-LinkExpanding 1.0 (+https://api.slack.com/robots)' },
      { 'user-agent': 'facebookexternalhit/1.1' },
      { 'user-agent': 'Mozilla/5.0 (compatible; bingpreview/2.0)' },
    ] as Record<string, string>[]) {
      assert.equal(await answer(link, { headers }), 'badagent\n')
    }
    const foreign = { 'sec-fetch-site': 'cross-site' }
    assert.equal(await update(`hostname=${host}&myip=192.0.2.9`, { headers: foreign }), 'badauth\n')
    assert.deepEqual(await stateOf(zone.id), before)
  })

  test('every path responds, with any suffix that devices append', async ({ assert }) => {
    const { host } = scene
    const query = `hostname=${host}&myip=192.0.2.1`
    await update(query)
    for (const path of [
      '/nic/update',
      '/nic/update/',
      '//nic/update',
      '/nic/update/index.html',
      '/nic/update/nic/update',
      '/nic/update%h',
      '/%h/nic/update',
      '/nic/update/%zz/%',
      `/${host}/nic/update`,
      '/dynamic_update.php',
      '/dynamic_update',
      '/dynamic_update/x',
    ]) {
      assert.equal(await update(query, { path }), 'nochg 192.0.2.1\n', path)
    }
  })
})
