// @slow
import { test } from '@japa/runner'
import { stepAt, totpCode } from '#accounts/second_factor/totp'
import { caller, createRecord, createZone, type Caller } from '#tests/support/app/api'
import { contentsOf } from '#tests/support/app/zones/history'
import { unique, zoneNamed } from '#tests/support/app/names'
import { administrator, person, type Person } from '#tests/support/app/people/people'
import { Visitor } from '#tests/support/browser/browser'
import { DARK_APPEARANCES } from '#tests/support/browser/appearances'
import { retype, review } from '#tests/support/browser/zone'
import { secretIn } from '#tests/support/web/second_factor'

const PHONE_APPEARANCE = DARK_APPEARANCES['dark-phone']

let admin: Person
let as: Caller

/** Signs in and opens a page on a small screen in dark colours. */
async function visitorAt(path: string, user: Person = admin): Promise<Visitor> {
  const visitor = await Visitor.openWindow(PHONE_APPEARANCE)
  await visitor.signIn(user)
  await visitor.page.goto(path)
  return visitor
}

/*
| Tasks that other files test on a large screen. Editing, conflicts, bulk deletion, zone texts, imports and PTR records are
| tested in each appearance by their own files.
*/
test.group('Tasks on a phone in dark colours', (group) => {
  group.each.timeout(60_000)
  group.each.setup(async (t) => {
    admin ??= await administrator()
    as = caller(t.context.client, admin)
  })

  test('preferences, a password and a second factor are set on a phone', async ({ assert }) => {
    const user = await person({ template: 'Viewer' })
    const visitor = await visitorAt('/', user)
    const { page } = visitor
    await page.getByRole('banner').locator('summary').click()
    await page.getByRole('link', { name: 'My account' }).click()
    await page.getByLabel('Rows per page').fill('20')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved').first().waitFor()
    await visitor.inspect(assert)
    await page.getByRole('link', { name: 'Password', exact: true }).click()
    const wanted = 'Another-horse-7-word'
    await page.getByLabel('Current password').fill(user.password)
    await page.getByLabel('New password', { exact: true }).fill(wanted)
    await page.getByLabel('Repeat new password').fill(wanted)
    await page.getByRole('button', { name: 'Change password' }).click()
    await page.getByText('Password changed').waitFor()
    await page.goto('/account/second-factor')
    const code = totpCode(secretIn(await page.content()), stepAt(Date.now()))
    await page.getByLabel('Code', { exact: true }).fill(code)
    await page.getByLabel('Your password').fill(wanted)
    await page.getByRole('button', { name: 'Enable' }).click()
    const [recovery] = await page.locator('.codes li').allTextContents()
    await visitor.inspect(assert)
    await page.getByRole('banner').locator('summary').click()
    await page.getByRole('button', { name: 'Sign out' }).click()
    await page.waitForURL('**/login')
    await visitor.signIn({ username: user.username, password: wanted })
    await page.getByLabel('Code', { exact: true }).fill(recovery.trim())
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.waitForURL((url) => url.pathname === '/')
    await visitor.leave()
  })

  test('zones are created, cloned, deleted and restored on a phone', async ({ assert }) => {
    const [name, copy] = [zoneNamed(), zoneNamed('copy')]
    const visitor = await visitorAt('/zones')
    const { page } = visitor
    await page.getByRole('link', { name: 'Create zone' }).first().click()
    await page.getByLabel('Names or networks').fill(`${name}\n-no-.example`)
    await page.getByRole('button', { name: 'Create zone' }).click()
    await page.getByText('Results').waitFor()
    await visitor.inspect(assert)
    await page.locator('main').getByRole('link', { name }).click()
    await page.locator('.tabs').getByRole('link', { name: 'Import and export' }).click()
    await page.getByRole('link', { name: 'Clone' }).click()
    await page.getByLabel('Name of the new zone').fill(copy)
    await page.locator('main button.primary').click()
    await page.getByRole('heading', { name: copy }).waitFor()
    await page.locator('.tabs').getByRole('link', { name: 'Settings' }).click()
    await page.getByRole('link', { name: 'Delete zone…' }).click()
    await page.getByRole('button', { name: 'Delete zone' }).click()
    await page.waitForURL((url) => !url.pathname.endsWith('/delete'))
    await page.goto('/trash')
    await page.getByRole('link', { name: `Restore ${copy}` }).click()
    await page.getByRole('button', { name: 'Restore' }).click()
    await page.getByText(`${copy} restored.`).waitFor()
    await visitor.inspect(assert)
    await visitor.leave()
  })

  test('a change is undone by its message, versions are compared, and the zone is restored on a phone', async ({
    assert,
  }) => {
    const zone = await createZone(as, { name: zoneNamed() })
    await createRecord(as, zone, { name: 'www', type: 'A', content: '192.0.2.1' })
    const visitor = await visitorAt(`/zones/${zone.id}`)
    const { page } = visitor
    const contents = async () => {
      const all = await contentsOf(zone)
      return all.join('\n')
    }
    const change = async (content: string) => {
      await retype(visitor, 'www A', content)
      await review(visitor).getByRole('button', { name: 'Apply' }).click()
      await page.getByText('1 record set changed').waitFor()
    }
    await change('192.0.2.2')
    await visitor.inspect(assert)
    await page.getByRole('status').getByText('Undo').click()
    await page.getByText('Change reverted').waitFor()
    assert.include(await contents(), '192.0.2.1')
    await page.goto(`/zones/${zone.id}`)
    await change('192.0.2.3')
    await page.locator('.tabs').getByRole('link', { name: 'History' }).click()
    await page.getByLabel('More about change #2', { exact: true }).click()
    await page.getByRole('link', { name: 'Compare with the current version' }).click()
    await page.getByText('192.0.2.3').first().waitFor()
    await visitor.inspect(assert)
    await page.goBack()
    await page.getByLabel('More about change #2', { exact: true }).click()
    await page.getByRole('link', { name: 'Show this version' }).click()
    await page.getByText('192.0.2.1').first().waitFor()
    await page.goto(`/zones/${zone.id}/restore?point=2`)
    await page.locator('main button.primary').click()
    await page.waitForURL((url) => !url.pathname.endsWith('/restore'))
    assert.include(await contents(), '192.0.2.1')
    await visitor.leave()
  })

  test('a view is saved, and all matching zones get another owner on a phone', async ({
    assert,
  }) => {
    const word = unique('w').slice(0, 10).toLowerCase()
    for (const label of ['a', 'b', 'c']) await createZone(as, { name: `${label}.${word}.test` })
    const heir = await person({ template: 'Zone Manager' })
    const visitor = await visitorAt(`/zones?q=${word}`)
    const { page } = visitor
    await page.locator('summary', { hasText: 'Views' }).click()
    await visitor.inspect(assert)
    await page.getByLabel('Save view as').fill(word)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.goto('/zones')
    await page.locator('summary', { hasText: 'Views' }).click()
    await page.getByRole('link', { name: word, exact: true }).click()
    for (const label of ['a', 'c']) await page.getByLabel(`Select ${label}.${word}.test`).check()
    await page.getByText('2 zones selected').waitFor()
    await page.getByRole('button', { name: 'Change owner…' }).click()
    await page.getByLabel('User name').fill(heir.username)
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByText('2 zones change').waitFor()
    await visitor.inspect(assert)
    await page.getByRole('button', { name: 'Change the owner of 2 zones' }).click()
    await page.getByText('2 done').waitFor()
    await visitor.inspect(assert)
    await visitor.leave()
  })
})
