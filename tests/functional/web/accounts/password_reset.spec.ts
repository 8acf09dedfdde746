// @process
import { createHash } from 'node:crypto'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { OtherServer } from '#tests/support/app/server'
import { person, type Person } from '#tests/support/app/people/people'
import { unique } from '#tests/support/app/names'
import { eventually } from '#tests/support/eventually'
import { SmtpServer, textOf, type Mail } from '#tests/support/mail/smtp_server'
import { WebClient, type Page } from '#tests/support/web/client'
import { secondFactor } from '#tests/support/web/second_factor'

const FORGOTTEN = '/password/forgotten'
const RESET = '/password/reset'
const APP_URL = 'http://dns.example.test'
const WANTED = 'Another1word-of-mine'

let smtp: SmtpServer
let server: OtherServer
let user: Person
let address: string

const settings = (port: number) => ({
  APP_URL,
  SMTP_HOST: '127.0.0.1',
  SMTP_PORT: String(port),
  SMTP_SECURITY: 'none',
  SMTP_FROM: 'dns@example.test',
  // Exempts this address from the lockout, because many tests use it.
  SECURITY_ACCOUNT_LOCKOUT_WHITELIST_IP_ADDRESSES: '127.0.0.1',
})

async function someone(): Promise<void> {
  user = await person({ template: 'Viewer' })
  address = `${unique('mail')}@example.test`
  await db.from('zw_users').where('id', user.id).update({ email: address })
}

const ask = (who: string, client = new WebClient(server.url)) => client.post(FORGOTTEN, { who })

async function mailTo(to: string, count = 1): Promise<Mail> {
  await eventually(() => {
    if (smtp.to(to).length < count) throw new Error(`no mail to ${to}`)
  })
  return smtp.to(to)[count - 1]
}

/** Asserts that no mail is pending: a mail that was requested later has arrived. */
async function nothingElse(): Promise<void> {
  const otherUser = await person({ template: 'Viewer' })
  const email = `${unique('later')}@example.test`
  await db.from('zw_users').where('id', otherUser.id).update({ email })
  await ask(email)
  await mailTo(email)
}

function tokenIn(mail: Mail): string {
  return /token=([A-Za-z0-9_-]{43})\b/.exec(textOf(mail))?.[1] ?? ''
}

/** Opens the link of a mail and sets a password. */
async function follow(token: string, wanted = WANTED): Promise<Page> {
  const client = new WebClient(server.url)
  await client.get(`${RESET}?token=${token}`)
  // The page of an invalid link has no form.
  return client.post(RESET, { wanted, repeated: wanted }, { from: FORGOTTEN })
}

test.group('Password reset', (group) => {
  group.setup(async () => {
    smtp = await SmtpServer.start()
    server = await OtherServer.start(settings(smtp.port))
    return async () => {
      await server.stop()
      smtp.stop()
    }
  })

  group.each.setup(someone)

  test('a mailed link sets a password once, and ends all sessions', async ({ assert }) => {
    const signedIn = new WebClient(server.url)
    await signedIn.signIn(user)
    const requested = await ask(user.username)
    assert.deepEqual([requested.status, requested.location], [303, `${FORGOTTEN}/sent`])
    const mail = await mailTo(address)
    assert.equal(mail.from, 'dns@example.test')
    assert.include(textOf(mail), `${APP_URL}${RESET}?token=`)
    assert.include(textOf(mail), user.username)
    const token = tokenIn(mail)
    const client = new WebClient(server.url)
    const away = await client.get(`${RESET}?token=${token}`)
    assert.deepEqual([away.status, away.location], [303, RESET])
    const form = await client.get(RESET)
    assert.equal(form.status, 200)
    assert.include(form.html, user.username)
    const different = await client.post(RESET, { wanted: WANTED, repeated: 'Something-else1' })
    assert.equal(different.status, 422)
    assert.equal(await signedIn.statusOf('/'), 200)
    const set = await client.post(RESET, { wanted: WANTED, repeated: WANTED })
    assert.deepEqual([set.status, set.location], [303, '/login'])
    assert.equal(await signedIn.statusOf('/'), 303)
    const oldPage = await new WebClient(server.url).signIn(user)
    assert.equal(oldPage.status, 422)
    const freshPage = await new WebClient(server.url).signIn({ ...user, password: WANTED })
    assert.deepEqual([freshPage.status, freshPage.location], [303, '/'])
    const secondPage = await follow(token, 'Third1word-of-mine')
    assert.equal(secondPage.status, 410)
  })

  test('the token is stored as its hash, and events are written', async ({ assert }) => {
    await ask(address.toUpperCase())
    const token = tokenIn(await mailTo(address))
    const rows = await db.from('zw_password_resets').where('user_id', user.id)
    assert.deepEqual(
      rows.map(({ token_hash: hash }) => hash),
      [createHash('sha256').update(token).digest('hex')]
    )
    await follow(token)
    const events: { action: string; detail: string }[] = await db
      .from('zw_audit')
      .where({ object_kind: 'user', object_id: user.id })
      .whereIn('action', ['user.reset_asked', 'user.password'])
      .orderBy('id')
    assert.deepEqual(
      events.map(({ action }) => action),
      ['user.reset_asked', 'user.password']
    )
    assert.include(events[1].detail, 'mail')
    assert.notInclude(JSON.stringify(events), token)
    assert.isEmpty(await db.from('zw_password_resets').where('user_id', user.id))
  })

  test('every request gets one response, but mail only goes to accounts that may have it', async ({
    assert,
  }) => {
    const [inactive, elsewhere] = [await person(), await person()]
    const mails = { inactive: `${unique('i')}@example.test`, ldap: `${unique('l')}@example.test` }
    const users = (id: number) => db.from('zw_users').where({ id })
    await users(inactive.id).update({ active: false, email: mails.inactive })
    await users(elsewhere.id).update({ auth_method: 'ldap', password: null, email: mails.ldap })
    const homeless = await person()
    const answers = new Set<string>()
    for (const who of [
      user.username,
      inactive.username,
      mails.ldap,
      homeless.username,
      'nobody-at-all',
      '',
      'x'.repeat(1000),
    ]) {
      const answer = await ask(who)
      answers.add(JSON.stringify([answer.status, answer.location, answer.html]))
    }
    assert.lengthOf([...answers], 1)
    await mailTo(address)
    await nothingElse()
    assert.isEmpty([...smtp.to(mails.inactive), ...smtp.to(mails.ldap)])
  })

  test('a change of the password or address invalidates a link', async ({ assert }) => {
    for (const change of [{ email: `${unique('new')}@example.test` }, { password: 'x' }]) {
      await someone()
      await ask(user.username)
      const token = tokenIn(await mailTo(address))
      await db.from('zw_users').where('id', user.id).update(change)
      const answer = await follow(token)
      assert.equal(answer.status, 410)
    }
  })

  test('a user who may not set foreign passwords cannot redirect a link to an own address', async ({
    assert,
  }) => {
    const [clerk, helper] = [
      await person({ permissions: ['user_view_others', 'user_edit_others'] }),
      await person({
        permissions: ['user_view_others', 'user_edit_others', 'user_passwd_edit_others'],
      }),
    ]
    const put = async (editor: Person, id: number, body: object) => {
      const { status } = await fetch(`${server.url}/api/v2/users/${id}`, {
        method: 'PUT',
        headers: { 'x-api-key': editor.key, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      return status
    }
    const at = `/users/${user.id}`
    const emailOf = async (id: number) => {
      const row = await db.from('zw_users').where({ id }).firstOrFail()
      return row.email as string | null
    }
    const wanted = `${unique('clerk')}@example.test`
    assert.equal(await put(clerk, user.id, { email: wanted }), 403)
    assert.equal(await put(clerk, user.id, { email: wanted, use_ldap: true }), 403)
    assert.equal(await put(clerk, user.id, { email: '' }), 403)
    const client = new WebClient(server.url)
    await client.signIn(clerk)
    const page = await client.get(at)
    assert.notInclude(page.html, 'name="email"')
    assert.include(page.html, 'Change email address')
    const input = { tag: page.hidden('tag'), fullname: 'Ann', email: wanted }
    const refused = await client.post(at, input)
    assert.equal(refused.status, 403)
    assert.equal(await emailOf(user.id), address)
    // An unchanged address is accepted. A user of an external sign-in gets no link.
    assert.equal(await put(clerk, user.id, { email: address, fullname: 'Ann' }), 200)
    const elsewhere = await person()
    await db.from('zw_users').where('id', elsewhere.id).update({ auth_method: 'ldap' })
    assert.equal(await put(clerk, elsewhere.id, { email: wanted }), 200)
    assert.equal(await put(clerk, clerk.id, { email: `own.${wanted}` }), 200)
    assert.equal(await put(helper, user.id, { email: `new.${wanted}` }), 200)
    assert.equal(await emailOf(user.id), `new.${wanted}`)
  })

  test('a link expires by time and with its account', async ({ assert }) => {
    await ask(user.username)
    const token = tokenIn(await mailTo(address))
    const resets = db.from('zw_password_resets').where('user_id', user.id)
    await db.from('zw_users').where('id', user.id).update({ active: false })
    const inactive = await follow(token)
    assert.equal(inactive.status, 410)
    await db.from('zw_users').where('id', user.id).update({ active: true })
    await resets.update({ expires_at: new Date(Date.now() - 1000).toISOString() })
    const lateSubmission = await follow(token)
    assert.equal(lateSubmission.status, 410)
    for (const wrong of ['', 'x', 'A'.repeat(43)]) {
      const answer = await follow(wrong)
      assert.equal(answer.status, 410)
    }
  })

  test('of two concurrent uses of a link one sets the password', async ({ assert }) => {
    await ask(user.username)
    const token = tokenIn(await mailTo(address))
    const answers = await Promise.all(
      ['One1word-of-mine', 'Two2words-of-mine'].map((wanted) => follow(token, wanted))
    )
    assert.sameMembers(
      answers.map(({ status }) => status),
      [303, 410]
    )
  })

  test('mails per user are limited', async ({ assert }) => {
    for (let i = 0; i < 6; i++) await ask(user.username)
    await mailTo(address, 3)
    await nothingElse()
    assert.lengthOf(smtp.to(address), 3)
  })

  test('the second factor is still required', async ({ assert }) => {
    const inside = new WebClient(server.url)
    await inside.signIn(user)
    await secondFactor(inside, user.password)
    await ask(user.username)
    await follow(tokenIn(await mailTo(address)))
    const answer = await new WebClient(server.url).signIn({ ...user, password: WANTED })
    assert.deepEqual([answer.status, answer.location], [303, '/login/code'])
  })

  test('the link has the address of the settings, whatever the request contains', async ({
    assert,
  }) => {
    const client = new WebClient(server.url)
    const token = await client.tokenOn(FORGOTTEN)
    await client.post(FORGOTTEN, { who: user.username }, { token })
    const mail = await mailTo(address)
    assert.notInclude(textOf(mail), '127.0.0.1')
  })
})

test.group('Password reset with other settings', (group) => {
  group.each.setup(someone)

  test('without a mail server the page says so, and nothing is sent', async ({ assert }) => {
    const client = new WebClient()
    const page = await client.get(FORGOTTEN)
    assert.equal(page.status, 200)
    assert.include(page.html, 'no mail server is configured')
    assert.isNull(page.token)
    const token = await client.tokenOn('/login')
    const answer = await client.post(FORGOTTEN, { who: user.username }, { token })
    assert.equal(answer.status, 404)
    assert.isEmpty(await db.from('zw_password_resets').where('user_id', user.id))
  })

  test('requests per network are limited', async ({ assert, cleanup }) => {
    smtp = await SmtpServer.start()
    cleanup(() => smtp.stop())
    const counted = { SECURITY_ACCOUNT_LOCKOUT_WHITELIST_IP_ADDRESSES: '' }
    server = await OtherServer.start({ ...settings(smtp.port), ...counted })
    cleanup(() => server.stop())
    cleanup(async () => {
      await db.from('zw_sign_in_failures').delete()
    })
    const client = new WebClient(server.url)
    const token = await client.tokenOn(FORGOTTEN)
    const statuses: number[] = []
    for (let i = 0; i < 21; i++) {
      const { status } = await client.post(FORGOTTEN, { who: unique('nobody') }, { token })
      statuses.push(status)
    }
    assert.deepEqual(statuses, [...Array.from({ length: 20 }, () => 303), 429])
  })

  test('no link is sent without TLS if the server requires it', async ({ assert, cleanup }) => {
    smtp = await SmtpServer.start()
    cleanup(() => smtp.stop())
    server = await OtherServer.start({ ...settings(smtp.port), SMTP_SECURITY: 'starttls' })
    cleanup(() => server.stop())
    await ask(user.username)
    await eventually(async () => {
      const event = await db
        .from('zw_audit')
        .where({ action: 'user.reset_asked', object_id: user.id })
        .firstOrFail()
      assert.equal(event.outcome, 'failed')
    })
    assert.isEmpty(smtp.mails)
    assert.notInclude(smtp.commands.join('\n'), 'RCPT')
  })
})
