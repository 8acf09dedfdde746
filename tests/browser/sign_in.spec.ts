import { test } from '@japa/runner'
import { baseUrl } from '#tests/support/app/api'
import { administrator, type Person } from '#tests/support/app/people'
import { ELSEWHERE, Visitor } from '#tests/support/browser/browser'
import { LOOKS, soundPages } from '#tests/support/browser/looks'

let admin: Person

test.group('Signing in by browser', (group) => {
  group.setup(async () => {
    admin = await administrator()
  })

  for (const [name, look] of Object.entries(LOOKS)) {
    test(`the page is sound, ${name}`, async ({ assert }) => {
      const visitor = await Visitor.arrive(look)
      await soundPages(visitor, assert, [['login', '/login']], name)
      await visitor.leave()
    })

    test(`the components are sound, ${name}`, async ({ assert }) => {
      const visitor = await Visitor.arrive(look)
      await soundPages(visitor, assert, [['styleguide', '/styleguide']], name)
      await visitor.page.getByRole('button', { name: 'Open a dialog' }).click()
      await visitor.page.getByRole('dialog').waitFor()
      await visitor.inspect(assert)
      await visitor.page.keyboard.press('Escape')
      await visitor.page.getByRole('dialog').waitFor({ state: 'hidden' })
      await visitor.leave()
    })
  }

  for (const scripts of [true, false]) {
    test(`in, and out again, ${scripts ? 'with' : 'without'} scripts`, async ({ assert }) => {
      const visitor = await Visitor.arrive({ scripts })
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

  test('in, by plain HTTP over a network', async ({ assert }) => {
    const visitor = await Visitor.arrive()
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

  test('a wrong password is told without saying what was wrong', async ({ assert }) => {
    const visitor = await Visitor.arrive()
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
})
