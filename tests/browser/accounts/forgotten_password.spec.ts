// @databases @slow
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { unique } from '#tests/support/app/names'
import { person } from '#tests/support/app/people/people'
import { OtherServer } from '#tests/support/app/server'
import { Visitor } from '#tests/support/browser/browser'
import { eventually } from '#tests/support/eventually'
import { SmtpServer, textOf } from '#tests/support/mail/smtp_server'

const APP_URL = 'http://dns.example.test'
const WANTED = 'Another1word-of-mine'

test.group('Password reset in the browser', (group) => {
  let smtp: SmtpServer
  let server: OtherServer

  group.each.timeout(60_000)
  group.setup(async () => {
    smtp = await SmtpServer.start()
    server = await OtherServer.start({
      APP_URL,
      SMTP_HOST: '127.0.0.1',
      SMTP_PORT: String(smtp.port),
      SMTP_SECURITY: 'none',
      SMTP_FROM: 'dns@example.test',
    })
    return async () => {
      await server.stop()
      smtp.stop()
    }
  })

  test('a forgotten password is reset by a link in a mail', async ({ assert }) => {
    const user = await person({ template: 'Viewer' })
    const email = `${unique('mail')}@example.test`
    await db.from('zw_users').where('id', user.id).update({ email })
    const visitor = await Visitor.openWindow({ base: server.url })
    const { page } = visitor
    await page.goto('/login')
    await page.getByRole('link', { name: 'Forgot your password?' }).click()
    await visitor.picture('password-forgotten')
    await visitor.inspect(assert)
    await page.getByLabel('User name or email address').fill(email)
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Check your email' }).waitFor()
    await visitor.inspect(assert)

    await eventually(() => {
      if (smtp.to(email).length === 0) throw new Error('no mail')
    })
    const link = /http:\S+/.exec(textOf(smtp.to(email)[0]))?.[0] ?? ''
    await page.goto(link.replace(APP_URL, server.url))
    await page.getByText(`For account ${user.username}`).waitFor()
    assert.notInclude(page.url(), 'token')
    await page.getByLabel('New password', { exact: true }).fill(WANTED)
    await page.getByLabel(/again|repeat/i).fill('Something-else1')
    await page.keyboard.press('Enter')
    await page.locator('[aria-invalid=true]').first().waitFor()
    await visitor.picture('password-reset')
    await visitor.inspect(assert)
    await page.getByLabel('New password', { exact: true }).fill(WANTED)
    await page.getByLabel(/again|repeat/i).fill(WANTED)
    await page.keyboard.press('Enter')
    await page.getByText('Password changed. Sign in with the new one.').waitFor()

    await visitor.signIn({ ...user, password: WANTED })
    await page.getByText(user.username).first().waitFor()
    assert.deepEqual(visitor.complaints, [])
    await visitor.leave()
  })
})
