import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { maintainer } from '#access/actor'
import { changeOwnPassword } from '#accounts/users/own_password'
import { stepAt, totpCode } from '#accounts/second_factor/totp'
import { person, type Person } from '#tests/support/app/people/people'
import { setActive, setPassword } from '#tests/support/app/people/account_state'
import { signedIn, WebClient } from '#tests/support/web/client'
import { secondFactor, secretOn } from '#tests/support/web/second_factor'

let user: Person

const WRONG_PREFERENCES = [
  ['rows_per_page', '9'],
  ['rows_per_page', 'x'],
  ['time_zone', 'Nowhere'],
]

const LOGIN_CODE = { from: '/login/code' }

test.group('The account page', (group) => {
  group.each.setup(async () => {
    user = await person({ template: 'Viewer' })
  })

  test('preferences are stored and applied', async ({ assert }) => {
    const client = await signedIn(user)
    const path = '/account/preferences'
    const inputs = { theme: 'dark', time_zone: 'Asia/Tokyo', rows_per_page: '25', language: '' }
    const saved = await client.post(path, inputs)
    assert.equal(saved.status, 303)
    const page = await client.get(path)
    assert.include(page.html, 'data-theme="dark"')
    assert.match(page.html, /value="Asia\/Tokyo" selected/)
    for (const [name, value] of WRONG_PREFERENCES) {
      const refused = await client.post(path, { [name]: value })
      assert.equal(refused.status, 422)
    }
    assert.equal(await client.statusOf(path), 200)
    const row = await db.from('zw_preferences').where('user_id', user.id).first()
    assert.equal(row.rows_per_page, 25)
  })

  test('a new password ends all other sessions and the old password', async ({ assert }) => {
    const [client, otherVisitor] = [await signedIn(user), await signedIn(user)]
    const path = '/account/password'
    for (const fields of [
      { current: 'wrong', wanted: 'Another1word', repeated: 'Another1word' },
      { current: user.password, wanted: 'Another1word', repeated: 'Different1' },
      { current: user.password, wanted: '', repeated: '' },
      { current: user.password, wanted: 'x'.repeat(2000), repeated: 'x'.repeat(2000) },
    ]) {
      const refused = await client.post(path, fields)
      assert.equal(refused.status, 422)
    }
    assert.equal(await otherVisitor.statusOf('/'), 200)
    const before = client.twin()
    const wanted = 'Another1word'
    const changed = await client.post(path, { current: user.password, wanted, repeated: wanted })
    assert.equal(changed.status, 303)
    assert.equal(await client.statusOf('/'), 200)
    assert.equal(await otherVisitor.statusOf('/'), 303)
    assert.equal(await before.statusOf('/'), 303)
    const oldPage = await new WebClient().signIn(user)
    assert.equal(oldPage.status, 422)
    const freshPage = await new WebClient().signIn({ ...user, password: wanted })
    assert.equal(freshPage.status, 303)
    const events = await db
      .from('zw_audit')
      .where({ user_id: user.id, action: 'user.password', channel: 'web' })
    assert.lengthOf(events, 1)
  })

  test('sessions are listed, and ended one by one or all others at once', async ({ assert }) => {
    const [client, otherVisitor, third] = [
      await signedIn(user),
      await signedIn(user),
      await signedIn(user),
    ]
    const page = await client.get('/account/sessions')
    const paths = [...page.html.matchAll(/action="(\/account\/sessions\/\d+\/end)"/g)]
    assert.lengthOf(paths, 2)
    // The newest session is the first row.
    const endedPage = await client.post(paths[0][1], {}, { from: '/account/sessions' })
    assert.equal(endedPage.status, 303)
    assert.equal(await third.statusOf('/'), 303)
    assert.equal(await otherVisitor.statusOf('/'), 200)
    await client.post('/account/sessions/end-others', {}, { from: '/account/sessions' })
    assert.equal(await otherVisitor.statusOf('/'), 303)
    assert.equal(await client.statusOf('/'), 200)
    const events = await db.from('zw_audit').where({ user_id: user.id, action: 'login.ended' })
    assert.lengthOf(events, 2)
  })

  test('a user cannot end a foreign session', async ({ assert }) => {
    const otherUser = await person({ template: 'Viewer' })
    const [client, theirs] = [await signedIn(user), await signedIn(otherUser)]
    const { id } = await db.from('zw_sessions').where('user_id', otherUser.id).firstOrFail()
    await client.post(`/account/sessions/${id}/end`, {}, { from: '/account/sessions' })
    assert.equal(await theirs.statusOf('/'), 200)
  })

  test('of several concurrent password changes one succeeds', async ({ assert }) => {
    const { id: userId, username, password } = user
    const actor = { ...maintainer(), userId, username, address: '192.0.2.1' }
    const wanted = ['First1word', 'Second1word', 'Third1word', 'Fourth1word']
    const taken = await Promise.all(wanted.map((one) => changeOwnPassword(actor, password, one)))
    assert.lengthOf(
      taken.filter((isTaken) => isTaken),
      1
    )
    const now = wanted[taken.indexOf(true)]
    const answer = await new WebClient().signIn({ username, password: now })
    assert.equal(answer.status, 303)
  })

  test('with a second factor the password alone grants no access', async ({ assert }) => {
    const { secret } = await secondFactor(await signedIn(user), user.password)
    const client = new WebClient()
    const half = await client.signIn(user)
    assert.deepEqual([half.status, half.location], [303, '/login/code'])
    assert.equal(await client.statusOf('/'), 303)
    const errorPage = await client.post('/login/code', { code: '000000' }, LOGIN_CODE)
    assert.equal(errorPage.status, 422)
    // The code of this time step was used to enable the second factor.
    const used = totpCode(secret, stepAt(Date.now()))
    const replayed = await client.post('/login/code', { code: used }, LOGIN_CODE)
    assert.equal(replayed.status, 422)
    const next = totpCode(secret, stepAt(Date.now()) + 1)
    const right = await client.post('/login/code', { code: next }, LOGIN_CODE)
    assert.equal(right.status, 303)
    assert.equal(await client.statusOf('/'), 200)
  })

  test('the code step ends when the password is no longer valid', async ({ assert }) => {
    const { codes } = await secondFactor(await signedIn(user), user.password)
    const pendingSecondFactor = async () => {
      const client = new WebClient()
      await client.signIn(user)
      return client
    }
    const [first, second] = [await pendingSecondFactor(), await pendingSecondFactor()]
    await setActive(user.username, false)
    const inactive = await first.post('/login/code', { code: codes[0] }, { from: '/login' })
    assert.deepEqual([inactive.status, inactive.location], [303, '/login'])
    await setActive(user.username, true)
    await setPassword(user.username, 'Another1word')
    const outdated = await second.post('/login/code', { code: codes[0] }, { from: '/login' })
    assert.deepEqual([outdated.status, outdated.location], [303, '/login'])
    assert.equal(await second.statusOf('/'), 303)
  })

  test('enabling the second factor ends older sessions', async ({ assert }) => {
    const [client, otherVisitor] = [await signedIn(user), await signedIn(user)]
    await secondFactor(client, user.password)
    assert.equal(await client.statusOf('/'), 200)
    assert.equal(await otherVisitor.statusOf('/'), 303)
  })

  test('a recovery code works once', async ({ assert }) => {
    const { codes } = await secondFactor(await signedIn(user), user.password)
    assert.lengthOf(codes, 10)
    for (const status of [303, 422]) {
      const client = new WebClient()
      await client.signIn(user)
      const answer = await client.post('/login/code', { code: codes[0].toLowerCase() }, LOGIN_CODE)
      assert.equal(answer.status, status)
    }
  })

  test('codes cannot be guessed', async ({ assert }) => {
    const { secret, codes } = await secondFactor(await signedIn(user), user.password)
    const client = new WebClient()
    await client.signIn(user)
    const statuses: number[] = []
    for (let i = 0; i < 6; i++) {
      const { status } = await client.post('/login/code', { code: '111111' }, LOGIN_CODE)
      statuses.push(status)
    }
    assert.deepEqual(statuses, [422, 422, 422, 422, 429, 429])
    const next = totpCode(secret, stepAt(Date.now()) + 1)
    const right = await client.post('/login/code', { code: next }, LOGIN_CODE)
    assert.equal(right.status, 429)
    const row = () => db.from('zw_second_factors').where('user_id', user.id)
    const { locked_until: first } = await row().firstOrFail()
    // Each five further failures double the lock time.
    await row().update({ locked_until: new Date(0).toISOString() })
    for (let i = 0; i < 5; i++) await client.post('/login/code', { code: '111111' }, LOGIN_CODE)
    const { locked_until: second } = await row().firstOrFail()
    assert.isAbove(Date.parse(second) - Date.parse(first), 10 * 60_000)
    // A lock also refuses valid recovery codes.
    const early = await client.post('/login/code', { code: codes[0] }, LOGIN_CODE)
    assert.equal(early.status, 429)
    await row().update({ locked_until: new Date(0).toISOString() })
    for (const code of ['', '0189', `${codes[0]}!`]) {
      const emptyPage = await client.post('/login/code', { code }, LOGIN_CODE)
      assert.equal(emptyPage.status, 422)
    }
    const owner = await client.post('/login/code', { code: codes[0] }, LOGIN_CODE)
    assert.equal(owner.status, 303)
  })

  test('enabling a second factor requires the password and the secret of the page, and ends other sessions', async ({
    assert,
  }) => {
    const [client, otherVisitor] = [await signedIn(user), await signedIn(user)]
    const path = '/account/second-factor'
    const seen = secretOn(await otherVisitor.get(path))
    const page = await client.get(path)
    const secret = secretOn(page)
    assert.notDeepEqual(seen, secret)
    const send = (code: string, password: string) =>
      client.post(path, { code, password }, { token: page.token })
    const now = stepAt(Date.now())
    const refused = await send(totpCode(secret, now), 'wrong')
    assert.equal(refused.status, 422)
    assert.deepEqual(secretOn(refused), secret)
    const errorPage = await send(totpCode(seen, now), user.password)
    assert.equal(errorPage.status, 422)
    const resultPage = await send(totpCode(secret, now), user.password)
    assert.equal(resultPage.status, 200)
    const codes = [...resultPage.html.matchAll(/<li>([A-Z2-7-]{19})<\/li>/g)].map(([, one]) => one)
    assert.include(resultPage.html, `data-copy="${codes.join('\n')}"`)
    assert.equal(await client.statusOf('/'), 200)
    assert.equal(await otherVisitor.statusOf('/'), 303)
  })

  test('a user who must have a second factor can do nothing before', async ({ assert }) => {
    user = await person({ permissions: ['user_enforce_mfa', 'zone_content_view_own'] })
    const client = await signedIn(user)
    for (const path of ['/', '/zones', '/account/password']) {
      const away = await client.get(path)
      assert.deepEqual([away.status, away.location], [303, '/account/second-factor'])
    }
    await secondFactor(client, user.password)
    assert.equal(await client.statusOf('/zones'), 200)
  })

  test('unknown session numbers end no session', async ({ assert }) => {
    const client = await signedIn(user)
    const from = { from: '/account/sessions' }
    const answer = await client.post(`/account/sessions/${'9'.repeat(30)}/end`, {}, from)
    assert.equal(answer.status, 303)
  })

  test('the secret is stored encrypted, and a code disables the factor', async ({ assert }) => {
    const client = await signedIn(user)
    const { secret, codes } = await secondFactor(client, user.password)
    const row = await db.from('zw_second_factors').where('user_id', user.id).firstOrFail()
    assert.notInclude(row.secret, secret.toString('base64'))
    const path = '/account/second-factor'
    const refused = await client.post(`${path}/off`, { code: '123456' }, { from: path })
    assert.equal(refused.status, 422)
    const disabledPage = await client.post(`${path}/off`, { code: codes[0] }, { from: path })
    assert.equal(disabledPage.status, 303)
    const plain = await new WebClient().signIn(user)
    assert.equal(plain.location, '/')
  })
})
