// @databases @slow
import { test } from '@japa/runner'
import { caller, createRecord, createZone, type Caller } from '#tests/support/app/api'
import { contentsOf } from '#tests/support/app/zones/history'
import { unique, zoneNamed } from '#tests/support/app/names'
import { administrator, person, type Person } from '#tests/support/app/people/people'
import { Visitor } from '#tests/support/browser/browser'
import { visibleFocus } from '#tests/support/browser/focus'
import { choose, press, tabTo, tick, typeInto } from '#tests/support/browser/keyboard'
import { signedIn } from '#tests/support/web/client'
import { secondFactor } from '#tests/support/web/second_factor'

let admin: Person
let as: Caller

/** Signs in and opens a page. */
async function visitorAt(path: string): Promise<Visitor> {
  const visitor = await Visitor.openWindow()
  await visitor.signIn(admin)
  await visitor.page.goto(path)
  return visitor
}

test.group('Keyboard operation of sign-in and zones', (group) => {
  group.each.timeout(60_000)
  group.each.setup(async (t) => {
    admin ??= await administrator()
    as = caller(t.context.client, admin)
  })

  test('a second factor is required, mistyped and accepted by keyboard', async ({ assert }) => {
    const user = await person({ template: 'Viewer' })
    const { codes } = await secondFactor(await signedIn(user), user.password)
    const visitor = await Visitor.openWindow()
    const { page } = visitor
    const { keyboard } = page
    await page.goto('/login')
    assert.include(await visibleFocus(page), 'User name')
    await keyboard.type(user.username)
    await keyboard.press('Tab')
    await keyboard.type(user.password)
    await press(page, page.getByRole('button', { name: 'Sign in' }))
    await page.waitForURL('**/login/code')
    for (const code of ['000000', codes[0]]) {
      assert.include(await visibleFocus(page), 'Code')
      await keyboard.type(code)
      await keyboard.press('Enter')
      await page.getByText('The code is wrong').or(page.getByRole('navigation')).first().waitFor()
    }
    await page.waitForURL((url) => url.pathname === '/')
    await press(page, page.locator('summary').filter({ hasText: user.username }))
    await press(page, page.getByRole('button', { name: 'Sign out' }))
    await page.waitForURL('**/login')
    assert.deepEqual(visitor.complaints, [])
    await visitor.leave()
  })

  test('the page content is one step away, and Escape closes a menu', async ({ assert }) => {
    const visitor = await visitorAt('/zones')
    const { page } = visitor
    await press(page, page.getByRole('link', { name: 'Skip to' }), 1)
    await page.keyboard.press('Tab')
    assert.isTrue(await page.locator('main :focus').isVisible())
    const menu = page.locator('summary', { hasText: 'Columns' })
    await press(page, menu)
    await tick(page, page.getByLabel('Serial'))
    await page.keyboard.press('Escape')
    assert.include(await visibleFocus(page), 'Columns')
    assert.isFalse(await page.getByLabel('Serial').isVisible())
    await visitor.leave()
  })

  test('zones are created by keyboard after rejected input', async () => {
    const [name, secondary] = [zoneNamed(), zoneNamed('secondary')]
    const visitor = await visitorAt('/zones')
    const { page } = visitor
    await press(page, page.getByRole('link', { name: 'Create zone' }), 30)
    await page.waitForURL('**/zones/new')
    await typeInto(page, page.getByLabel('Names or networks'), `${name}`)
    await typeInto(page, page.getByLabel('Description'), 'typed')
    await press(page, page.getByRole('button', { name: 'Create zone' }))
    await page.getByText(`Zone ${name} created`).waitFor()

    await page.goto('/zones/new')
    await typeInto(page, page.getByLabel('Names or networks'), secondary)
    const kinds = page.getByRole('group', { name: 'Type' })
    await choose(page, kinds, kinds.getByRole('radio', { name: 'Secondary' }))
    await press(page, page.getByRole('button', { name: 'Create zone' }))
    await page.getByText('No zone created').or(page.getByRole('alert')).first().waitFor()
    await typeInto(page, page.getByLabel('Primaries'), '192.0.2.53')
    await press(page, page.getByRole('button', { name: 'Create zone' }))
    await page.getByText(`Zone ${secondary} created`).waitFor()
    await visitor.leave()
  })

  test('zones are selected by keyboard, and their deletion is reviewed and applied', async ({
    assert,
  }) => {
    const word = unique('k').slice(0, 10).toLowerCase()
    const named = (label: string) => `${label}.${word}.test`
    for (const label of ['alpha', 'beta', 'gamma']) await createZone(as, { name: named(label) })
    for (let index = 0; index < 22; index++) await createZone(as, { name: named(`n${index}`) })
    const visitor = await visitorAt(`/zones?q=${word}`)
    const { page } = visitor
    await tick(page, page.getByLabel(`Select ${named('alpha')}`))
    await tick(page, page.getByLabel(`Select ${named('beta')}`))
    await page.getByText('2 zones selected').waitFor()
    // Enter skips the remaining rows.
    await page.keyboard.press('Enter')
    assert.include(await visibleFocus(page), 'Actions for the selected zones')
    await press(page, page.getByRole('button', { name: 'Delete…' }), 3)
    await page.getByText('2 zones change').waitFor()
    await typeInto(page, page.getByLabel('Reason'), 'no longer used')
    await press(page, page.getByRole('button', { name: 'Delete 2 zones' }))
    await page.getByText('2 done').waitFor()
    await press(page, page.getByRole('link', { name: 'Back to the zones' }))
    await page.waitForURL(({ pathname }) => pathname === '/zones')
    await page.goto(`/zones?q=${word}`)
    assert.equal(await page.getByLabel(`Select ${named('alpha')}`).count(), 0)
    await visitor.leave()
  })

  test('a zone is cloned, deleted and restored from the trash by keyboard', async ({ assert }) => {
    const zone = await createZone(as, { name: zoneNamed() })
    await createRecord(as, zone, { name: 'www', type: 'A', content: '192.0.2.1' })
    const copy = zoneNamed('copy')
    const visitor = await visitorAt(`/zones/${zone.id}/import`)
    const { page } = visitor
    await press(page, page.getByRole('link', { name: 'Clone' }))
    await page.waitForURL('**/clone')
    await typeInto(page, page.getByLabel('Name of the new zone'), copy)
    await press(page, page.locator('button.primary'))
    await page.waitForURL((url) => url.pathname !== `/zones/${zone.id}/clone`)
    await page.getByRole('heading', { name: copy }).waitFor()
    await press(page, page.locator('.tabs').getByRole('link', { name: 'Settings' }))
    await page.waitForURL('**/settings')
    await press(page, page.getByRole('link', { name: 'Delete zone…' }))
    await page.waitForURL('**/delete')
    await press(page, page.getByRole('button', { name: 'Delete zone' }))
    await page.waitForURL((url) => !url.pathname.endsWith('/delete'))

    await page.goto('/trash')
    await press(page, page.getByRole('button', { name: `Delete permanently: ${copy}` }))
    const confirmation = page.getByRole('dialog')
    await confirmation.waitFor()
    assert.equal(await confirmation.locator(':focus').count(), 1)
    await visibleFocus(page)
    await page.keyboard.press('Escape')
    await confirmation.waitFor({ state: 'hidden' })
    assert.include(await visibleFocus(page), copy)
    await press(page, page.getByRole('link', { name: `Restore ${copy}` }))
    await page.waitForURL('**/restore')
    await press(page, page.getByRole('button', { name: 'Restore' }))
    await page.getByText(`${copy} restored.`).waitFor()
    await page.getByRole('heading', { name: copy }).waitFor()
    await visitor.leave()
  })

  test('PTR records are selected, reviewed and created by keyboard', async ({ assert }) => {
    const [a, b] = [Math.random(), Math.random()].map((one) => Math.floor(one * 250) + 1)
    const zone = await createZone(as, { name: zoneNamed() })
    const reverse = await createZone(as, { name: `${b}.${a}.10.in-addr.arpa` })
    await createRecord(as, zone, { name: 'www', type: 'A', content: `10.${a}.${b}.1` })
    await createRecord(as, zone, { name: 'mail', type: 'A', content: `10.${a}.${b}.2` })
    await createRecord(as, reverse, { name: '2', type: 'PTR', content: 'old.example.net' })
    const visitor = await visitorAt(`/zones/${zone.id}/import`)
    const { page } = visitor
    await press(page, page.locator(`a[href="/zones/${zone.id}/ptr"]`))
    await page.waitForURL('**/ptr')
    await tick(page, page.getByRole('checkbox', { name: /mail/ }))
    await press(page, page.getByRole('button', { name: 'Review' }))
    await page.getByRole('heading', { name: 'Review changes' }).waitFor()
    await press(page, page.getByRole('button', { name: 'Apply' }))
    await page.waitForURL(`/zones/${zone.id}`)
    const now = await contentsOf(reverse)
    assert.include(now.join('\n'), `mail.${zone.name}`)
    assert.include(now.join('\n'), `www.${zone.name}`)
    await tabTo(page, page.locator('td[data-stop]'))
    await visitor.leave()
  })
})
