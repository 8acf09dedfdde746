import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { pruneSessions } from '#accounts/sessions/sessions'
import { baseUrl, caller } from '#tests/support/app/api'
import { administrator, person, type Person } from '#tests/support/app/people/people'
import { WebClient } from '#tests/support/web/client'

let admin: Person
let user: Person

const sessionsOf = (userId: number) => db.from('zw_sessions').where('user_id', userId)

async function inside(account: Person, overrides: object = {}): Promise<WebClient> {
  const client = new WebClient()
  const answer = await client.signIn(account, overrides)
  if (answer.status !== 303) throw new Error(`not signed in: ${answer.status}`)
  return client
}

test.group('Sessions of the web interface', (group) => {
  group.setup(async () => {
    admin = await administrator()
  })

  group.each.setup(async () => {
    user = await person({ template: 'Viewer' })
  })

  test('a visitor is redirected to the sign-in, and then to the requested page', async ({
    assert,
  }) => {
    const client = new WebClient()
    const away = await client.get('/?some=thing')
    assert.deepEqual([away.status, away.location], [303, '/login'])
    const returnPage = await client.signIn(user)
    assert.deepEqual([returnPage.status, returnPage.location], [303, '/?some=thing'])
    assert.equal(await client.statusOf('/'), 200)
  })

  test('no row is stored for visitors without a session', async ({ assert }) => {
    const [{ total: before }] = await db.from('zw_sessions').count('* as total')
    await new WebClient().get('/login')
    await new WebClient().signIn({ ...user, password: 'wrong' })
    const [{ total: after }] = await db.from('zw_sessions').count('* as total')
    assert.equal(Number(after), Number(before))
  })

  test('the database contains no token of a cookie', async ({ assert }) => {
    const client = new WebClient()
    const answer = await client.signIn(user)
    const cookie = decodeURIComponent(answer.setCookies.join(' '))
    const [row] = await sessionsOf(user.id)
    const encoded = /s:([A-Za-z0-9_-]+)\./.exec(cookie)?.[1] ?? ''
    const { message } = JSON.parse(Buffer.from(encoded, 'base64url').toString()) as {
      message: string
    }
    assert.isAbove(message.length, 20)
    assert.notInclude(JSON.stringify(row), message)
  })

  test('signing in changes the token, and the old one is invalid', async ({ assert }) => {
    const client = new WebClient()
    await client.get('/login')
    const before = client.twin()
    await client.signIn(user)
    assert.equal(await client.statusOf('/'), 200)
    assert.equal(await before.statusOf('/'), 303)
  })

  test('signing out ends the session in each window', async ({ assert }) => {
    const client = await inside(user)
    const otherVisitor = client.twin()
    const out = await client.post('/logout', {}, { from: '/' })
    assert.deepEqual([out.status, out.location], [303, '/login'])
    assert.equal(await client.statusOf('/'), 303)
    assert.equal(await otherVisitor.statusOf('/'), 303)
    assert.lengthOf(await sessionsOf(user.id), 0)
  })

  test('every failed sign-in gets the same response', async ({ assert }) => {
    const inactive = await person()
    await db.from('zw_users').where('id', inactive.id).update({ active: false })
    const texts = new Set<string>()
    for (const who of [
      { username: user.username, password: 'wrong' },
      { username: 'nobody-at-all', password: 'wrong' },
      inactive,
      { username: '', password: '' },
      { username: 'x'.repeat(200), password: 'y'.repeat(2000) },
    ]) {
      const answer = await new WebClient().signIn(who)
      assert.equal(answer.status, 422)
      texts.add(/role="alert">\s*<p>(.*?)<\/p>/s.exec(answer.html)?.[1] ?? answer.html)
    }
    assert.lengthOf([...texts], 1)
  })

  test('visitors may only send small forms', async ({ assert }) => {
    const post = (body: string, headers: Record<string, string> = {}) =>
      fetch(new URL('/login', baseUrl()), {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
        body,
        redirect: 'manual',
      })
    const large = await post('a=1&'.repeat(10_000))
    assert.equal(large.status, 413)
  })

  test('a form without its token, with a wrong one or from another origin is refused', async ({
    assert,
  }) => {
    const client = await inside(user)
    for (const token of [null, 'wrong', await new WebClient().tokenOn('/login')]) {
      assert.equal(await client.statusOf('/logout', { token }), 403)
    }
    const fresh = new WebClient()
    const { token } = await fresh.get('/login')
    const foreign = await fetch(new URL('/login', baseUrl()), {
      method: 'POST',
      headers: { 'origin': 'https://elsewhere.example', 'sec-fetch-site': 'cross-site' },
      body: new URLSearchParams({ _csrf: token ?? '' }),
    })
    assert.equal(foreign.status, 403)
    assert.equal(await client.statusOf('/'), 200)
  })

  test('a session ends after a time without use, and at a maximum age', async ({ assert }) => {
    for (const column of ['idle_until', 'expires_at']) {
      const client = await inside(user)
      await sessionsOf(user.id).update({ [column]: new Date(Date.now() - 1000).toISOString() })
      assert.equal(await client.statusOf('/'), 303)
      assert.isAbove(await pruneSessions(), 0)
      assert.lengthOf(await sessionsOf(user.id), 0)
    }
  })

  test('a form sent after the session ended leads to the sign-in, and then to its page', async ({
    assert,
  }) => {
    const client = await inside(user)
    const form = { comment: 'x'.repeat(20_000) }
    const cases: [sent: string, from: string, back: string][] = [
      ['/account/preferences', '/account/preferences?x=1', '/account/preferences?x=1'],
      ['/requests/1/comments', '/requests/1', '/requests/1'],
      ['/zones/1/import/apply', '/zones/1/import/plan', '/zones/1/import'],
      ['/zones/bulk/apply', 'https://elsewhere.example/', '/zones/bulk'],
    ]
    for (const [sent, from, back] of cases) {
      await sessionsOf(user.id).delete()
      const referer = new URL(from, baseUrl()).href
      const away = await client.post(sent, form, { token: 'old', headers: { referer } })
      assert.deepEqual([away.status, away.location], [303, '/login'], sent)
      const page = await client.get('/login')
      assert.include(page.html, 'Your session has ended')
      const signed = await client.signIn(user)
      assert.deepEqual([signed.status, signed.location], [303, back.replace('/bulk', '')], sent)
    }
    const login = await client.twin().get('/login')
    assert.notInclude(login.html, 'Your session has ended')
    await sessionsOf(user.id).delete()
    const headers = { 'x-fragment': 'plan' }
    const part = await client.post('/zones/1/apply', {}, { token: 'old', headers })
    assert.equal(part.status, 401)
  })

  test('a path that is too long to store does not leave an earlier path as the target', async ({
    assert,
  }) => {
    const client = new WebClient()
    await client.get('/zones')
    await client.get(`/zones?q=${'x'.repeat(1_600)}`)
    const signed = await client.signIn(user)
    assert.deepEqual([signed.status, signed.location], [303, '/'])
  })

  test('a form of another session is refused with its submitted text', async ({ assert }) => {
    const client = await inside(user)
    const form = { text: 'my <b>words', privatekey: 'no secret', password: 'nor this' }
    const headers = { referer: new URL('/requests/1', baseUrl()).href }
    const page = await client.post('/requests/1/comments', form, { token: 'old', headers })
    assert.equal(page.status, 403)
    assert.include(page.html, 'belongs to another session')
    assert.include(page.html, 'my &lt;b&gt;words')
    assert.include(page.html, 'href="/requests/1"')
    for (const secret of ['no secret', 'nor this']) assert.notInclude(page.html, secret)
  })

  test('a form without a page of its own shows the submitted text on the error page', async ({
    assert,
  }) => {
    const client = await inside(user)
    const form = { text: 'my <b>words', password: 'nor this' }
    const headers = { referer: new URL('/requests', baseUrl()).href }
    const page = await client.post('/requests/999999999/comments', form, {
      from: '/requests',
      headers,
    })
    assert.equal(page.status, 404)
    assert.include(page.html, 'my &lt;b&gt;words')
    assert.include(page.html, 'href="/requests"')
    assert.notInclude(page.html, 'nor this')
  })

  test('use extends a session up to its maximum age', async ({ assert }) => {
    const client = await inside(user)
    const long = new Date(Date.now() - 600_000).toISOString()
    const soon = new Date(Date.now() + 30_000).toISOString()
    await sessionsOf(user.id).update({ seen_at: long, idle_until: soon })
    const [{ expires_at: end }] = await sessionsOf(user.id)
    await client.get('/')
    const [row] = await sessionsOf(user.id)
    assert.isAbove(Date.parse(row.idle_until), Date.parse(soon))
    assert.equal(row.expires_at, end)
  })

  test('"stay signed in" keeps the session after the browser ends', async ({ assert }) => {
    const plain = await new WebClient().signIn(user)
    assert.notMatch(plain.setCookies.join('\n'), /zonewright=[^\n]*Max-Age/)
    const kept = await new WebClient().signIn(user, { remember: 'on' })
    assert.match(kept.setCookies.join('\n'), /zonewright=[^\n]*Max-Age=2592000/)
  })

  test('rights and accounts are read at each request', async ({ client: api, assert }) => {
    const client = await inside(user)
    const putResponse = await caller(api, admin).put(`/users/${user.id}`, { active: false })
    putResponse.assertStatus(200)
    assert.equal(await client.statusOf('/'), 303)
  })

  test('cookies are HttpOnly and SameSite', async ({ assert }) => {
    const answer = await new WebClient().signIn(user)
    assert.isNotEmpty(answer.setCookies)
    for (const cookie of answer.setCookies) {
      assert.match(cookie, /; Path=\/(;|$)/)
      assert.match(cookie, /; HttpOnly/)
      assert.match(cookie, /; SameSite=Lax/)
    }
  })

  test('the sign-in never redirects to another host', async ({ assert }) => {
    for (const path of ['//elsewhere.example/x', '/%5Celsewhere.example']) {
      const client = new WebClient()
      await client.get(path)
      const returnPage = await client.signIn(user)
      assert.isTrue(
        returnPage.location === '/' || !/^\/[/\\]/.test(returnPage.location ?? ''),
        `${path}`
      )
    }
  })

  test('pages have a content security policy with a nonce', async ({ assert }) => {
    const [one, otherPage] = [
      await new WebClient().get('/login'),
      await new WebClient().get('/login'),
    ]
    const nonceOf = (text: string | null) => /'nonce-([^']+)'/.exec(text ?? '')?.[1]
    const nonce = nonceOf(one.headers.get('content-security-policy'))
    assert.isString(nonce)
    assert.notEqual(nonce, nonceOf(otherPage.headers.get('content-security-policy')))
    assert.include(one.html, `nonce="${nonce}"`)
    assert.notMatch(one.html, /\sstyle=|\son\w+=|<style|<script(?![^>]*nonce=)/)
    assert.equal(one.headers.get('cache-control'), 'no-store')
  })

  test('a missing path gets a page for browsers and one line for others', async ({ assert }) => {
    const page = await new WebClient().get('/nothing/here')
    assert.equal(page.status, 404)
    assert.include(page.html, '<main')
    const line = await fetch(new URL('/nothing/here', baseUrl()))
    assert.equal(await line.text(), 'Not Found')
    assert.isNull(line.headers.get('set-cookie'))
  })

  test('other channels set no cookie', async ({ assert }) => {
    for (const path of ['/ping', '/api/health', '/api/v2/zones', '/nic/update']) {
      const answer = await fetch(new URL(path, baseUrl()))
      assert.isNull(answer.headers.get('set-cookie'), path)
    }
  })

  test('assets are cached forever under the hash of their content', async ({ assert }) => {
    const page = await new WebClient().get('/login')
    const paths = [...page.html.matchAll(/(?:src|href)="(\/assets\/[^"]+)"/g)].map(
      ([, path]) => path
    )
    assert.isAbove(paths.length, 2)
    for (const path of paths) {
      const file = await fetch(new URL(path, baseUrl()))
      assert.equal(file.status, 200)
      assert.include(file.headers.get('cache-control'), 'immutable')
      const old = await fetch(new URL(path.replace(/[0-9a-f]{16}/, '0'.repeat(16)), baseUrl()))
      assert.equal(old.headers.get('cache-control'), 'no-cache')
    }
    const none = await fetch(new URL(`/assets/${'0'.repeat(16)}/../../package.json`, baseUrl()))
    assert.equal(none.status, 404)
  })

  test('sign-ins and sign-outs create audit events', async ({ assert }) => {
    const client = await inside(user)
    await client.post('/logout', {}, { from: '/' })
    const events: { action: string; channel: string; username: string }[] = await db
      .from('zw_audit')
      .where('user_id', user.id)
      .whereIn('action', ['login.succeeded', 'login.ended'])
      .orderBy('id')
    assert.deepEqual(
      events.map(({ action, channel, username }) => [action, channel, username]),
      [
        ['login.succeeded', 'web', user.username],
        ['login.ended', 'web', user.username],
      ]
    )
  })
})
