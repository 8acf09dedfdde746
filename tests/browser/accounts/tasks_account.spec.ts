// @databases @slow
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { stepAt, totpCode } from '#accounts/second_factor/totp'
import { setActive } from '#tests/support/app/people/account_state'
import { caller, createZone } from '#tests/support/app/api'
import { unique, zoneNamed } from '#tests/support/app/names'
import { administrator, person } from '#tests/support/app/people/people'
import { Visitor } from '#tests/support/browser/browser'
import { DARK_APPEARANCES } from '#tests/support/browser/appearances'
import { secretIn } from '#tests/support/web/second_factor'

/** Roles with their zone menu, and the status of the pages of API keys and users. */
const ROLES = [
  { template: 'Zone Manager', zones: true, keys: 200 },
  { template: 'Editor', zones: false, keys: 403 },
  { template: 'Viewer', zones: false, keys: 403 },
]

/** Invalid user names that the form must show as text. */
const STRANGE = ["' OR 1=1 --", '<script>alert(1)</script>', 'ünïcödé ✓', 'x'.repeat(200)]

test.group('Tasks with the own account', (group) => {
  group.each.timeout(60_000)

  test('each role signs in and sees its own pages; inactive, empty and strange names cannot sign in', async ({
    assert,
  }) => {
    const visitor = await Visitor.openWindow()
    const { page } = visitor
    const inactive = await person({ template: 'Viewer' })
    await setActive(inactive.username, false)
    await page.goto('/login')
    await page.getByRole('button', { name: 'Sign in' }).click()
    // The browser validates required fields.
    assert.equal(new URL(page.url()).pathname, '/login')
    for (const username of [inactive.username, ...STRANGE]) {
      await page.getByLabel('User name').fill(username)
      await page.getByLabel('Password').fill(inactive.password)
      await page.getByRole('button', { name: 'Sign in' }).click()
      await page.getByRole('alert').waitFor()
      assert.equal(new URL(page.url()).pathname, '/login')
    }
    await visitor.inspect(assert)
    await visitor.leave()
    for (const { template, zones, keys } of ROLES) {
      const user = await person({ template })
      const one = await Visitor.openWindow()
      await one.signIn(user)
      await one.page.getByText(template).first().waitFor()
      const people = one.page.getByRole('navigation', { name: 'Main' }).getByText('People')
      assert.equal(await people.count(), 0, template)
      await one.page.goto('/zones')
      const add = await one.page.getByRole('link', { name: 'Create zone' }).count()
      assert.equal(add > 0, zones, template)
      const opened = await one.page.goto('/settings/api-keys/new')
      assert.equal(opened?.status(), keys, template)
      await one.page.getByRole('heading').first().waitFor()
      await one.leave()
    }
  })

  test('theme, time zone, language and page size are stored', async ({ client, assert }) => {
    const user = await administrator()
    const word = unique('rows').slice(0, 12)
    for (let index = 10; index < 22; index++) {
      await createZone(caller(client, user), { name: `n${index}.${word}.test` })
    }
    const visitor = await Visitor.openWindow({ theme: 'light' })
    const { page } = visitor
    await visitor.signIn(user)
    await page.getByRole('banner').locator('summary').click()
    await page.getByRole('link', { name: 'My account' }).click()
    await page.getByLabel('Theme').selectOption('dark')
    await page.getByLabel('Time zone').selectOption('Asia/Tokyo')
    await page.getByLabel('Language').selectOption('de')
    await page.getByLabel('Rows per page').fill('10')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.locator('html[lang=de][data-theme=dark]').waitFor()
    assert.equal(await page.locator('[name=time_zone]').inputValue(), 'Asia/Tokyo')
    await page.goto(`/zones?q=${word}&sort=name:desc`)
    assert.equal(await page.locator('html').getAttribute('lang'), 'de')
    const order = () => page.locator('tbody .row-link').allTextContents()
    const first = await order()
    assert.lengthOf(first, 10)
    await page.locator('.pager a[rel=next]').click()
    await page.waitForURL(/page=2/)
    const second = await order()
    assert.lengthOf(second, 2)
    const names = [...first, ...second].map((name) => name.trim())
    assert.deepEqual(names, [...names].sort().reverse())
    await visitor.inspect(assert)
    await visitor.leave()
  })

  test('a password change after a mistake signs out other windows', async ({ assert }) => {
    const user = await person({ template: 'Viewer' })
    const [visitor, otherVisitor] = [await Visitor.openWindow(), await Visitor.openWindow()]
    await otherVisitor.signIn(user)
    await visitor.signIn(user)
    const { page } = visitor
    await page.goto('/account/password')
    const send = async (current: string, wanted: string, repeated = wanted) => {
      await page.getByLabel('Current password').fill(current)
      await page.getByLabel('New password', { exact: true }).fill(wanted)
      await page.getByLabel('Repeat new password').fill(repeated)
      await page.getByRole('button', { name: 'Change password' }).click()
    }
    const wanted = 'Another-horse-7-word'
    await send(user.password, wanted, 'Different-horse-7')
    await page.getByText('The new passwords do not match').waitFor()
    await visitor.inspect(assert)
    await send('wrong', wanted)
    await page.getByText('The current password is wrong').waitFor()
    await send(user.password, wanted)
    await page.getByText('Password changed').waitFor()
    await otherVisitor.page.goto('/zones')
    assert.equal(new URL(otherVisitor.page.url()).pathname, '/login')
    await otherVisitor.signIn({ username: user.username, password: wanted })
    assert.equal(new URL(otherVisitor.page.url()).pathname, '/zones')
    await otherVisitor.leave()
    await visitor.leave()
  })

  test('a second factor is set up, required, given new recovery codes, and disabled', async ({
    assert,
  }) => {
    const user = await person({ template: 'Viewer' })
    const visitor = await Visitor.openWindow()
    const { page } = visitor
    await visitor.signIn(user)
    await page.goto('/account/second-factor')
    await page.getByRole('img', { name: 'QR code' }).waitFor()
    const turnOn = async (code: string) => {
      await page.getByLabel('Code', { exact: true }).fill(code)
      await page.getByLabel('Your password').fill(user.password)
      await page.getByRole('button', { name: 'Enable' }).click()
    }
    await turnOn('000000')
    await page.getByText('The code is wrong').waitFor()
    await visitor.inspect(assert)
    await turnOn(totpCode(secretIn(await page.content()), stepAt(Date.now())))
    const codes = await page.locator('.codes li').allTextContents()
    assert.isAbove(codes.length, 5)
    await visitor.picture('task-recovery-codes')
    await visitor.inspect(assert)
    await page.getByRole('link', { name: 'I’ve saved these codes' }).click()
    await page.getByText('recovery codes are left').waitFor()

    const otherVisitor = await Visitor.openWindow()
    await otherVisitor.signIn(user)
    assert.equal(new URL(otherVisitor.page.url()).pathname, '/login/code')
    await otherVisitor.inAppearances(assert, 'login-code', DARK_APPEARANCES)
    await otherVisitor.page.getByLabel('Code', { exact: true }).fill('123456')
    await otherVisitor.page.getByRole('button', { name: 'Continue' }).click()
    await otherVisitor.page.getByText('The code is wrong').waitFor()
    await otherVisitor.picture('task-login-code')
    await otherVisitor.inspect(assert)
    await otherVisitor.page.getByLabel('Code', { exact: true }).fill(codes[0].trim())
    await otherVisitor.page.getByRole('button', { name: 'Continue' }).click()
    await otherVisitor.page.waitForURL((url) => url.pathname === '/')
    await otherVisitor.leave()

    await page.locator('form[action$=recovery-codes] [name=code]').fill(codes[1].trim())
    await page.getByRole('button', { name: 'New recovery codes' }).click()
    const [fresh] = await page.locator('.codes li').allTextContents()
    await page.goto('/account/second-factor')
    const question = await visitor.openConfirmation('Disable')
    await question.getByLabel('Code', { exact: true }).fill(codes[2].trim())
    await question.getByRole('button', { name: 'Disable' }).click()
    await question.getByText('The code is wrong').waitFor()
    await visitor.inspect(assert)
    await question.getByLabel('Code', { exact: true }).fill(fresh.trim())
    await question.getByRole('button', { name: 'Disable' }).click()
    await page.getByText('Second factor disabled').waitFor()
    await visitor.leave()
  })

  test('errors are shown on a page: an ended session, forms sent twice, unusual paths, markup', async ({
    client,
    assert,
  }) => {
    const user = await administrator()
    const about = '<img src=x onerror=alert(1)> & "quoted"'
    const { id } = await createZone(caller(client, user), { name: zoneNamed(), description: about })
    const visitor = await Visitor.openWindow()
    const { page } = visitor
    await visitor.signIn(user)
    await page.goto(`/zones/${id}`)
    await page.getByText(about).waitFor()
    for (const [path, status] of [
      ['/zones/999999999', 404],
      ['/zones/abc', 404],
      ['/users/-1', 404],
      ['/nothing-is-here', 404],
      ['/zones?page=99999', 200],
      ['/zones?page=-1&per_page=abc', 200],
    ] as const) {
      const answer = await page.goto(path)
      assert.isTrue(answer!.status() === status || answer!.status() === 422, path)
      await page.getByRole('main').getByRole('heading').first().waitFor()
    }

    const name = unique('twice')
    await page.goto('/groups/new')
    await page.getByLabel('Name', { exact: true }).fill(name)
    await page.getByRole('button', { name: 'Create group' }).dblclick()
    const answer = page.getByText('Group created').or(page.getByRole('alert'))
    await answer.first().waitFor()
    assert.lengthOf(await db.from('zw_groups').where('name', name), 1)
    await page.goBack()
    await page.getByRole('heading').first().waitFor()

    await page.goto('/groups/new')
    await page.getByLabel('Name', { exact: true }).fill(unique('forged'))
    await page.evaluate(`document.querySelector('main [name=_csrf]').value = 'forged'`)
    await page.getByRole('button', { name: 'Create group' }).click()
    await page.getByRole('heading').first().waitFor()
    assert.lengthOf(await db.from('zw_groups').whereLike('name', 'forged-%'), 0)

    await page.goto(`/zones/${id}`)
    await db.from('zw_sessions').where('user_id', user.id).delete()
    await page.locator('.tabs').getByRole('link', { name: 'Settings' }).click()
    await page.waitForURL('**/login')
    await page.getByLabel('User name').fill(user.username)
    await page.getByLabel('Password').fill(user.password)
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.waitForURL(`**/zones/${id}/settings`)
    await visitor.leave()
  })
})
