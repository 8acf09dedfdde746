// @databases @slow
import { test } from '@japa/runner'
import type { Locator, Page } from 'playwright-core'
import { caller, createRecord, createZone } from '#tests/support/app/api'
import { unique } from '#tests/support/app/names'
import { administrator, type Person } from '#tests/support/app/people/people'
import { Visitor, type Appearance } from '#tests/support/browser/browser'
import { press, tabTo } from '#tests/support/browser/keyboard'

const PHONE = { width: 390, height: 844 }
const APPEARANCES: Record<string, Appearance> = {
  'phone': PHONE,
  'dark-phone': { ...PHONE, theme: 'dark' },
  'odd': { ...PHONE, theme: 'dark', locale: 'ar' },
}

/** The part of the DOM that the tests use. */
interface Part {
  scrollIntoView(how: { block: string }): void
  getBoundingClientRect(): { left: number; top: number; width: number; height: number }
  contains(other: unknown): boolean
  ownerDocument: { elementFromPoint(x: number, y: number): unknown }
}

/** Whether the element itself is at its centre and is at least 24 by 24 pixels. */
const isTouchTarget = (wanted: Locator): Promise<boolean> =>
  wanted.evaluate((part: Part) => {
    part.scrollIntoView({ block: 'center' })
    const { left, top, width, height } = part.getBoundingClientRect()
    const hit = part.ownerDocument.elementFromPoint(left + width / 2, top + height / 2)
    return height >= 24 && width >= 24 && part.contains(hit)
  })

/** Sort links of the tables of a page. */
const sorters = (page: Page) => page.locator('.table.cards thead th > a')

test.group('Table heads on a small screen', (group) => {
  let admin: Person
  let word: string
  let zone: number

  group.setup(async () => {
    admin = await administrator()
  })

  group.each.setup(async (t) => {
    const as = caller(t.context.client, admin)
    word = unique('w').slice(0, 10).toLowerCase()
    const alphaZone = await createZone(as, { name: `alpha.${word}.test` })
    zone = alphaZone.id
    for (const name of ['mail', 'www']) {
      await createRecord(as, { id: zone }, { name, type: 'A', content: '192.0.2.1' })
    }
    await createZone(as, { name: `beta.${word}.test`, type: 'NATIVE' })
  })

  async function arrive(appearance: Appearance): Promise<Visitor> {
    const visitor = await Visitor.openWindow(appearance)
    await visitor.signIn(admin)
    return visitor
  }

  for (const [name, appearance] of Object.entries(APPEARANCES)) {
    test(`lists are sorted by visible links, ${name}`, async ({ assert }) => {
      const visitor = await arrive(appearance)
      const { page } = visitor
      const lists: [file: string, path: string, columns: number][] = [
        ['zones', `/zones?q=${word}`, 7],
        ['records', `/zones/${zone}`, 5],
        ['users', '/users', 3],
        ['groups', '/groups', 4],
        ['permission-templates', '/permission-templates', 2],
        ['keys', '/settings/api-keys', 3],
      ]
      for (const [file, path, columns] of lists) {
        await page.goto(path)
        assert.equal(await sorters(page).count(), columns, path)
        for (const link of await sorters(page).all()) {
          assert.isTrue(await isTouchTarget(link), `${path} ${await link.innerText()}`)
        }
        await page.evaluate('scrollTo(0, 0)')
        await visitor.picture(`sorted-${file}-${name}`)
        await visitor.inspect(assert)
      }
      await visitor.leave()
    })
  }

  test('lists are sorted by keyboard with a visible focus', async ({ assert }) => {
    const visitor = await arrive(PHONE)
    const { page } = visitor
    await page.goto(`/zones?q=${word}`)
    const byKind = sorters(page).filter({ hasText: 'Type' })
    await tabTo(page, byKind)
    assert.isTrue(await isTouchTarget(byKind))
    await press(page, byKind)
    await page.waitForURL(/sort=type/)
    const column = page.locator('thead th[aria-sort]')
    assert.equal(await column.getAttribute('aria-sort'), 'ascending')
    await column.getByRole('link').click()
    await page.waitForURL(/sort=type(:|%3A)desc/)
    assert.equal(await column.getAttribute('aria-sort'), 'descending')
    await visitor.leave()
  })

  test('all rows of a page are selected', async ({ assert }) => {
    const visitor = await arrive(PHONE)
    const { page } = visitor
    await page.goto(`/zones?q=${word}`)
    const all = page.getByLabel('Select all zones on this page')
    assert.isTrue(await isTouchTarget(all))
    await tabTo(page, all)
    await page.keyboard.press('Space')
    await page.getByText('2 zones selected').waitFor()
    await visitor.picture('sorted-zones-ticked-phone')
    await visitor.inspect(assert)
    await visitor.leave()
  })

  test('without scripts there is no checkbox for all rows, and lists are sorted', async ({
    assert,
  }) => {
    const visitor = await arrive({ ...PHONE, scripts: false })
    const { page } = visitor
    await page.goto(`/zones?q=${word}`)
    await sorters(page).filter({ hasText: 'Name' }).click()
    await page.waitForURL(/sort=name/)
    assert.isFalse(await isTouchTarget(page.locator('thead th[data-tick-all]')))
    await visitor.leave()
  })
})
