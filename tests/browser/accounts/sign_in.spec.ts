// @databases
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { baseUrl } from '#tests/support/app/api'
import { unique } from '#tests/support/app/names'
import { administrator, type Person } from '#tests/support/app/people/people'
import { OtherServer } from '#tests/support/app/server'
import { ELSEWHERE, Visitor } from '#tests/support/browser/browser'
import {
  DARK_APPEARANCES,
  APPEARANCES,
  inspectPages,
  TWO_APPEARANCES,
} from '#tests/support/browser/appearances'

let admin: Person

test.group('Sign-in in the browser', (group) => {
  group.setup(async () => {
    admin = await administrator()
  })

  for (const [name, appearance] of Object.entries({ ...APPEARANCES, ...DARK_APPEARANCES })) {
    test(`the sign-in page passes the page checks, ${name}`, async ({ assert }) => {
      const visitor = await Visitor.openWindow(appearance)
      await inspectPages(visitor, assert, [['login', '/login']], name)
      await visitor.leave()
    })
  }

  for (const [name, appearance] of Object.entries(APPEARANCES)) {
    test(`the components pass the page checks, ${name}`, async ({ assert }) => {
      const visitor = await Visitor.openWindow(appearance)
      await inspectPages(visitor, assert, [['styleguide', '/styleguide']], name)
      await visitor.page.getByRole('button', { name: 'Open a dialog' }).click()
      await visitor.page.getByRole('dialog').waitFor()
      await visitor.inspect(assert)
      await visitor.page.keyboard.press('Escape')
      await visitor.page.getByRole('dialog').waitFor({ state: 'hidden' })
      await visitor.leave()
    })
  }

  for (const scripts of [true, false]) {
    test(`a user signs in and out ${scripts ? 'with' : 'without'} scripts`, async ({ assert }) => {
      const visitor = await Visitor.openWindow({ scripts })
      const { page } = visitor
      await page.goto('/')
      assert.equal(new URL(page.url()).pathname, '/login')
      await visitor.signIn(admin)
      assert.equal(new URL(page.url()).pathname, '/')
      await page.getByText(admin.username).first().waitFor()
      await page.getByRole('banner').locator('summary').click()
      await page.getByRole('button', { name: 'Sign out' }).click()
      await page.waitForURL('**/login')
      await page.goto('/')
      assert.equal(new URL(page.url()).pathname, '/login')
      assert.deepEqual(visitor.complaints, [])
      await visitor.leave()
    })
  }

  for (const [name, appearance] of Object.entries(TWO_APPEARANCES)) {
    test(`a form of an ended session shows a message and changes nothing, ${name}`, async ({
      assert,
    }) => {
      const user = await administrator()
      const visitor = await Visitor.openWindow(appearance)
      const { page } = visitor
      await visitor.signIn(user)
      const fill = async () => {
        await page.goto('/groups/new')
        await page.locator('[name=name]').fill(unique('unsent'))
        await page.locator('[name=description]').fill('Those who look after mail')
      }
      const send = () => page.locator('main form .button.primary').click()
      const endAll = () => db.from('zw_sessions').where('user_id', user.id).delete()

      await fill()
      await endAll()
      await send()
      await page.waitForURL('**/login')
      await page.locator('.notice.warning').waitFor()
      await visitor.picture(`login-ended-${name}`)
      await visitor.inspect(assert)
      await visitor.signIn(user, page)
      assert.equal(new URL(page.url()).pathname, '/groups/new')

      await fill()
      await endAll()
      await visitor.signIn(user, await visitor.context.newPage())
      await send()
      await page.getByText('Those who look after mail').waitFor()
      await visitor.picture(`form-expired-${name}`)
      await visitor.inspect(assert)
      await page.locator('main a.primary').click()
      await page.waitForURL('**/groups/new')
      assert.lengthOf(await db.from('zw_groups').whereLike('name', 'unsent%'), 0)
      await visitor.leave()
    })
  }

  test('a user signs in over plain HTTP from a network', async ({ assert }) => {
    const visitor = await Visitor.openWindow()
    const { page } = visitor
    const address = new URL('/login', baseUrl())
    address.hostname = ELSEWHERE
    await page.goto(address.href)
    await page.getByLabel('User name').fill(admin.username)
    await page.getByLabel('Password').fill(admin.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByText(admin.username).first().waitFor()
    assert.equal(new URL(page.url()).host, address.host)
    await visitor.leave()
  })

  test('a wrong password is rejected without details', async ({ assert }) => {
    const visitor = await Visitor.openWindow()
    const { page } = visitor
    await page.goto('/login')
    await page.getByLabel('User name').fill(admin.username)
    await page.getByLabel('Password').fill('wrong')
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.getByRole('alert').waitFor()
    assert.equal(await page.getByLabel('User name').inputValue(), admin.username)
    assert.equal(await page.getByLabel('Password').inputValue(), '')
    await visitor.inspect(assert)
    await visitor.leave()
  })

  test('after too many wrong passwords the right one must wait, too, and the page explains why', async ({
    assert,
    cleanup,
  }) => {
    const server = await OtherServer.start({
      SECURITY_ACCOUNT_LOCKOUT_ENABLE_LOCKOUT: 'true',
      SECURITY_ACCOUNT_LOCKOUT_LOCKOUT_ATTEMPTS: '2',
    })
    cleanup(() => server.stop())
    const messages: string[] = []
    for (const [name, appearance] of Object.entries(TWO_APPEARANCES)) {
      const user = await administrator()
      const visitor = await Visitor.openWindow({ ...appearance, base: server.url })
      const { page } = visitor
      await page.goto('/login')
      const attempt = async (password: string): Promise<[status: number, messages: string]> => {
        await page.locator('[name=username]').fill(user.username)
        await page.locator('[name=password]').fill(password)
        const answer = page.waitForResponse((one) => one.request().method() === 'POST')
        const loaded = page.waitForEvent('load')
        await page.locator('main .button.primary').click()
        await loaded
        const answered = await answer
        const text = await page.getByRole('alert').innerText()
        return [answered.status(), text.trim()]
      }
      const [failed, wrong] = await attempt('wrong')
      assert.equal(failed, 422)
      const [locked, text] = await attempt('wrong')
      assert.equal(locked, 429)
      assert.notEqual(text, wrong)
      assert.deepEqual(await attempt(user.password), [429, text])
      assert.equal(await page.locator('[name=username]').inputValue(), user.username)
      assert.equal(await page.locator('[name=password]').inputValue(), '')
      await visitor.picture(`login-locked-${name}`)
      await visitor.inspect(assert)
      messages.push(text)
      await visitor.leave()
    }
    assert.equal(messages[0], 'Too many attempts. Wait a while, then try again.')
    assert.notEqual(messages[1], messages[0])
  }).timeout(60_000)
})
