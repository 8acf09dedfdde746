import hash from '@adonisjs/core/services/hash'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { isOutdated } from '#accounts/passwords/hashes'
import { setActive, setPassword } from '#tests/support/app/people/account_state'
import { ask, basic } from '#tests/support/app/people/basic'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, person } from '#tests/support/app/people/people'
import { CalledServer } from '#tests/support/app/server'
import { changeSettings } from '#tests/support/app/settings'
import { WebClient } from '#tests/support/web/client'
import { secondFactor } from '#tests/support/web/second_factor'

const REFUSED = '{"success":false,"data":null,"message":"Unauthorized: Invalid credentials"}'
const ZONES = '/api/v2/zones'

const encoded = (text: string | Buffer) => `Basic ${Buffer.from(text).toString('base64')}`

const server = CalledServer.ofThisProcess()

test.group('HTTP Basic', (group) => {
  group.setup(() => changeSettings({ api: { basic_auth_enabled: true } }))

  const status = async (headers: Record<string, string>, path = ZONES) => {
    const answer = await ask(`${server.url}${path}`, headers)
    return answer.status
  }
  const signIn = (username: string, password: string) =>
    status({ authorization: basic(username, password) })

  test('a user signs in and acts with their rights', async ({ assert }) => {
    const admin = await administrator()
    const guest = await person()
    const name = zoneNamed()
    const created = await fetch(`${server.url}${ZONES}`, {
      method: 'POST',
      headers: {
        'authorization': basic(admin.username, admin.password),
        'content-type': 'application/json',
      },
      body: JSON.stringify({ name }),
    })
    assert.equal(created.status, 201)
    const body = (await created.json()) as { data: { zone_id: number } }
    const path = `${ZONES}/${body.data.zone_id}`
    const entry = await db
      .from('zw_journal')
      .where('zone_name', name)
      .select('user_id', 'username', 'api_key_id')
      .firstOrFail()
    assert.deepEqual(
      { ...entry },
      { user_id: admin.id, username: admin.username, api_key_id: null }
    )
    assert.equal(await status({ authorization: basic(admin.username, admin.password) }, path), 200)
    assert.equal(await status({ authorization: basic(guest.username, guest.password) }, path), 404)
  })

  for (const password of ['with:colons:in:it', 'pässwörd ключ 鍵', ' blanks ', ':']) {
    test(`the password "${password}" is accepted unchanged`, async ({ assert }) => {
      const { username } = await person()
      await setPassword(username, password)
      assert.equal(await signIn(username, password), 200)
      assert.equal(await signIn(username, `${password}x`), 401)
    })
  }

  test('a user name may be UTF-8, and the scheme is case-insensitive', async ({ assert }) => {
    const { id, password, username } = await person()
    const name = `ünï-${username}`
    await db.from('zw_users').where('id', id).update({ username: name })
    assert.equal(await signIn(name, password), 200)
    const header = basic(name, password).replace('Basic', 'BASIC ')
    assert.equal(await status({ authorization: header }), 200)
  })

  for (const [what, value] of [
    ['no colon', encoded('admin')],
    ['nothing', 'Basic '],
    ['no base64', 'Basic !!!!'],
    ['base64 that is cut off', 'Basic YWRta'],
    ['base64 for URLs', 'Basic w7_DvzpwYXNz'],
    ['no UTF-8', encoded(Buffer.from([0x75, 0xfc, 0x3a, 0x70]))],
    ['a NUL', encoded('admin\0:password')],
    ['a line feed', encoded('admin:pass\nword')],
    ['an empty name', encoded(':password')],
    ['an empty password', encoded('admin:')],
    ['a long name', encoded(`${'x'.repeat(5000)}:password`)],
    ['no user of that name', encoded('nobody-of-that-name:password')],
  ]) {
    test(`${what}: 401 with the same message and a challenge`, async ({ assert }) => {
      const answer = await ask(`${server.url}${ZONES}`, { authorization: value })
      assert.equal(answer.status, 401)
      assert.equal(answer.text, REFUSED)
      assert.equal(answer.challenge, 'Basic realm="Zonewright API"')
    })
  }

  test('wrong passwords and users who cannot sign in get the same message', async ({ assert }) => {
    const [wrong, inactive, without, otherUser] = [
      await person(),
      await person(),
      await person(),
      await person(),
    ]
    await setActive(inactive.username, false)
    await db.from('zw_users').where('id', without.id).update({ password: null })
    await db.from('zw_users').where('id', otherUser.id).update({ auth_method: 'ldap' })
    for (const [username, password] of [
      [wrong.username, 'wrong'],
      [wrong.username.toUpperCase(), wrong.password],
      [inactive.username, inactive.password],
      [without.username, without.password],
      [without.username, ''],
      [otherUser.username, otherUser.password],
    ]) {
      const answer = await ask(`${server.url}${ZONES}`, {
        authorization: basic(username, password),
      })
      assert.equal(answer.status, 401, username)
      assert.equal(answer.text, REFUSED)
    }
  })

  test('a key has priority: a valid password does not help with an invalid key', async ({
    assert,
  }) => {
    const { key, username, password } = await person()
    const authorization = basic(username, password)
    assert.equal(await status({ 'x-api-key': 'wrong', authorization }), 401)
    assert.equal(await status({ 'x-api-key': key, 'authorization': basic(username, 'wrong') }), 200)
  })

  test('no second factor is required, as in the specification', async ({ assert }) => {
    const { username, password } = await person()
    const client = new WebClient()
    await client.signIn({ username, password })
    await secondFactor(client, password)
    assert.equal(await signIn(username, password), 200)
  })

  test('a key in the query is ignored', async ({ assert }) => {
    const { key } = await person()
    assert.equal(await status({}, `${ZONES}?api_key=${key}`), 401)
  })

  test('cached verifications are dropped with the password, the account and its sign-in methods', async ({
    assert,
  }) => {
    const { id, username, password } = await person()
    assert.equal(await signIn(username, password), 200)
    assert.equal(await signIn(username, password), 200)
    await setPassword(username, 'another')
    assert.equal(await signIn(username, password), 401)
    assert.equal(await signIn(username, 'another'), 200)
    await setActive(username, false)
    assert.equal(await signIn(username, 'another'), 401)
    await setActive(username, true)
    assert.equal(await signIn(username, 'another'), 200)
    await db.from('zw_users').where('id', id).update({ auth_method: 'ldap' })
    assert.equal(await signIn(username, 'another'), 401)
    await db.from('zw_users').where('id', id).delete()
    assert.equal(await signIn(username, 'another'), 401)
  })

  for (const [what, stored, password] of [
    ['bcrypt', '$2y$07$BCryptRequires22Chrcte/VlQH0piJtjXl.0t1XkA8pw9dMXTpOq', 'rasmuslerdorf'],
    [
      'Argon2i',
      '$argon2i$v=19$m=256,t=2,p=1$c29tZXNhbHQ$iekCn0Y3spW+sCcFanM2xBT63UP2sghkUoHLIUpWRS8',
      'password',
    ],
  ]) {
    test(`an imported ${what} hash is accepted, and only the right password renews it`, async ({
      assert,
    }) => {
      const { id, username } = await person()
      const user = () => db.from('zw_users').where('id', id)
      await user().update({ password: stored })
      assert.equal(await signIn(username, `${password}x`), 401)
      const untouched = await user().firstOrFail()
      assert.equal(untouched.password, stored)
      assert.equal(await signIn(username, password), 200)
      const renewed = await user().firstOrFail()
      assert.match(renewed.password, /^\$argon2id\$/)
      assert.isFalse(isOutdated(renewed.password))
      assert.isTrue(await hash.verify(renewed.password, password))
      assert.equal(await signIn(username, password), 200)
    })
  }

  test('a bcrypt hash of a password above 72 bytes is not renewed', async ({ assert }) => {
    const { id, username } = await person()
    const stored = '$2y$05$BCryptRequires22ChrcteQmspZ2GYtKKa1ZGXt72kUZKnkg1aXeW'
    await db.from('zw_users').where('id', id).update({ password: stored })
    assert.equal(await signIn(username, 'x'.repeat(80)), 200)
    const user = await db.from('zw_users').where('id', id).firstOrFail()
    assert.equal(user.password, stored)
  })

  for (const [headers, expected] of [
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ 'sec-fetch-site': 'same-origin', 'origin': 'http://elsewhere.example' }, 200],
    [{ 'sec-fetch-site': 'none' }, 200],
    [{ origin: 'http://elsewhere.example' }, 403],
    [{ origin: 'null' }, 403],
  ] as [Record<string, string>, number][]) {
    test(`a browser request with ${JSON.stringify(headers)} gets ${expected}`, async ({
      assert,
    }) => {
      const { key, username, password } = await person()
      assert.equal(await status({ ...headers, authorization: basic(username, password) }), expected)
      assert.equal(await status({ ...headers, 'x-api-key': key }), 200)
    })
  }

  test('the own origin counts as same-site', async ({ assert }) => {
    const { username, password } = await person()
    const authorization = basic(username, password)
    assert.equal(await status({ authorization, origin: server.url }), 200)
  })

  test('many concurrent requests with the same password are accepted', async ({ assert }) => {
    const { username, password } = await person()
    const answers = await Promise.all(Array.from({ length: 20 }, () => signIn(username, password)))
    assert.deepEqual(new Set(answers), new Set([200]))
  })
})

test.group('HTTP Basic disabled', () => {
  test('passwords are refused without a challenge', async ({ client, assert }) => {
    const { username, password } = await person()
    const response = await client.get(ZONES).header('authorization', basic(username, password))
    response.assertStatus(401)
    response.assertBody(JSON.parse(REFUSED))
    assert.isUndefined(response.header('www-authenticate'))
  })

  test('the realm comes from the settings', async ({ assert, cleanup }) => {
    const basicAuth = { basic_auth_enabled: true, basic_auth_realm: 'DNS of Example' }
    cleanup(changeSettings({ api: basicAuth }))
    const answer = await ask(`${server.url}${ZONES}`, {})
    assert.equal(answer.status, 401)
    assert.equal(answer.challenge, 'Basic realm="DNS of Example"')
  })
})
