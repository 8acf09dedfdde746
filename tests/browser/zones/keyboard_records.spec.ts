// @databases
import { test } from '@japa/runner'
import type { Locator } from 'playwright-core'
import { caller, expectStatus, createRecord, createZone, type Caller } from '#tests/support/app/api'
import { contentsOf } from '#tests/support/app/zones/history'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, type Person } from '#tests/support/app/people/people'
import { Visitor } from '#tests/support/browser/browser'
import { visibleFocus } from '#tests/support/browser/focus'
import { choose, press, tabTo, typeInto } from '#tests/support/browser/keyboard'
import { fillZone } from '#tests/support/browser/zone'

let admin: Person
let as: Caller
let zone: { id: number; name: string }

/** Signs in and opens a page of the zone. */
async function visitorAt(rest = ''): Promise<Visitor> {
  const visitor = await Visitor.openWindow()
  await visitor.signIn(admin)
  await visitor.page.goto(`/zones/${zone.id}${rest}`)
  return visitor
}

/** The records of the zone as one text. */
async function contents(): Promise<string> {
  const all = await contentsOf(zone)
  return all.join('\n')
}

/** Moves to the content of a record by Tab and arrow keys and changes it. */
async function retype({ page }: Visitor, name: string, type: string, content: string) {
  const { keyboard } = page
  await tabTo(page, page.locator('td[data-stop]'))
  await keyboard.press('Control+Home')
  const row = page.locator('tr:has(td:focus)')
  for (let step = 0; step < 20; step++) {
    const cells = await row.locator('td').allInnerTexts()
    if (cells[0].trim() === name && cells[1].trim() === type) break
    await keyboard.press('ArrowDown')
    await visibleFocus(page)
  }
  await keyboard.press('Enter')
  await typeInto(page, page.getByLabel('Content', { exact: true }), content)
  await keyboard.press('Enter')
  await visibleFocus(page)
}

/** Whether the focus is visible inside a dialog. */
async function isIn(dialog: Locator): Promise<boolean> {
  await visibleFocus(dialog.page())
  return dialog.evaluate<boolean, { contains: (one: unknown) => boolean }>((it) => {
    const page = globalThis as unknown as { document: { activeElement: unknown } }
    return it.contains(page.document.activeElement)
  })
}

test.group('Keyboard operation of zone contents', (group) => {
  group.each.timeout(60_000)
  group.each.setup(async (t) => {
    admin ??= await administrator()
    as = caller(t.context.client, admin)
    zone = await createZone(as, { name: zoneNamed() })
    await fillZone(as, zone)
  })

  test('the review receives the focus and returns it', async ({ assert }) => {
    const visitor = await visitorAt()
    const { page } = visitor
    await retype(visitor, 'www', 'A', '192.0.2.11')
    const dialog = page.getByRole('dialog', { name: 'Review changes' })
    for (const ends of ['Escape', 'Back to the zone', 'Close']) {
      await tabTo(page, page.locator('td[data-stop]'))
      const before = await visibleFocus(page)
      await page.keyboard.press('Control+s')
      await dialog.getByRole('button', { name: 'Apply' }).waitFor()
      assert.isTrue(await isIn(dialog))
      if (ends === 'Escape') await page.keyboard.press(ends)
      else
        await press(
          page,
          dialog.getByRole('link', { name: ends }).or(dialog.getByRole('button', { name: ends }))
        )
      await dialog.waitFor({ state: 'hidden' })
      assert.equal(await visibleFocus(page), before)
    }
    // With a row that is still being edited.
    await page.keyboard.press('Enter')
    await page.keyboard.press('Control+s')
    await dialog.getByRole('button', { name: 'Apply' }).waitFor()
    await page.keyboard.press('Escape')
    assert.include(await visibleFocus(page), 'td')
    await press(page, page.getByRole('button', { name: 'Discard …' }))
    const confirmation = page.getByRole('dialog', { name: 'Discard' })
    assert.isTrue(await isIn(confirmation))
    await press(page, confirmation.getByRole('button', { name: 'Back' }))
    assert.include(await visibleFocus(page), 'Discard …')
    await visitor.leave()
  })

  test('the focus stays when rows are replaced', async ({ assert }) => {
    const visitor = await visitorAt()
    const { page } = visitor
    let release = () => {}
    const held = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/zones/*?q=*', async (route) => {
      await held
      await route.continue()
    })
    await typeInto(page, page.getByRole('searchbox'), '192.0.2.1')
    await tabTo(page, page.locator('td[data-stop]'))
    release()
    await page.waitForURL('**q=192.0.2.1**')
    assert.equal(await visibleFocus(page), 'td "www"')
    await page.keyboard.press('ArrowRight')
    assert.equal(await visibleFocus(page), 'td "A"')
    await visitor.leave()
  })

  test('a conflict is resolved by keyboard: both versions and the original are readable', async ({
    assert,
  }) => {
    const visitor = await visitorAt()
    const { page } = visitor
    await retype(visitor, 'www', 'A', '192.0.2.11')
    await retype(visitor, 'www', 'AAAA', '2001:db8::11')
    const replacing = (type: string, content: string) =>
      as.put(`/zones/${zone.id}/rrsets`, { name: 'www', type, ttl: 60, records: [{ content }] })
    await expectStatus(replacing('A', '192.0.2.99'), 200)
    await expectStatus(replacing('AAAA', '2001:db8::99'), 200)
    await press(page, page.getByRole('button', { name: 'Review' }), 30)
    const dialog = page.getByRole('dialog', { name: 'Review changes' })
    const [first, second] = ['www A', 'www AAAA'].map((name) => {
      return dialog.getByRole('group', { name, exact: true })
    })
    await first.waitFor()
    assert.isTrue(await isIn(dialog))
    for (const side of ['Original', 'Your version', 'Current version']) {
      await first.getByRole('heading', { name: side }).waitFor()
    }
    await choose(page, first, first.getByRole('radio', { name: /^Keep my version/ }))
    await choose(page, second, second.getByRole('radio', { name: /^Keep the current version/ }))
    await press(page, dialog.getByRole('button', { name: 'Preview' }))
    await dialog.getByRole('button', { name: 'Apply' }).waitFor()
    assert.isTrue(await isIn(dialog))
    await typeInto(page, dialog.getByLabel('Reason'), 'mine of the one, theirs of the other')
    await press(page, dialog.getByRole('button', { name: 'Apply' }))
    await page.getByText('1 record set changed').waitFor()
    const now = await contents()
    for (const content of ['192.0.2.11', '2001:db8::99']) assert.include(now, content)
    for (const content of ['192.0.2.99', '2001:db8::11']) assert.notInclude(now, content)
    await press(page, page.getByRole('button', { name: 'Undo' }))
    await page.getByText('Change reverted').waitFor()
    await visitor.leave()
  })

  test('an import is rejected at its line, then previewed and imported by keyboard', async ({
    assert,
  }) => {
    const visitor = await visitorAt('/import')
    const { page } = visitor
    const field = page.getByLabel('Or paste records')
    await tabTo(page, page.getByLabel('File', { exact: true }))
    await typeInto(page, field, 'this is, no zone file ((')
    await press(page, page.getByRole('button', { name: 'Preview' }))
    await page.getByRole('alert').waitFor()
    await typeInto(page, field, 'ftp 300 IN A 192.0.2.201\nftp 300 IN A 192.0.2.202\n')
    const modes = page
      .getByRole('group', { name: 'Import mode' })
      .or(page.locator('fieldset:has([name=mode])'))
    await choose(page, modes.first(), page.locator('[name=mode][value=merge]'))
    await press(page, page.getByRole('button', { name: 'Preview' }))
    await page.getByText('2 records in 1 record set').waitFor()
    await press(page, page.getByRole('button', { name: 'Back' }))
    assert.include(await field.inputValue(), '192.0.2.202')
    await press(page, page.getByRole('button', { name: 'Preview' }))
    await page.getByText('2 records in 1 record set').waitFor()
    await press(page, page.getByRole('button', { name: 'Apply' }))
    await page.waitForURL(`/zones/${zone.id}`)
    assert.include(await contents(), '192.0.2.202')
    await visitor.leave()
  })

  test('the zone text is edited, rejected at its line and applied by keyboard', async ({
    assert,
  }) => {
    const visitor = await visitorAt()
    const { page } = visitor
    const { keyboard } = page
    await press(page, page.locator('.tabs').getByRole('link', { name: 'Text' }))
    await page.locator('.cm-content').waitFor()
    await tabTo(page, page.locator('.cm-content'))
    await keyboard.press('Control+End')
    await keyboard.type('bad 300 IN A 999.0.2.1')
    await keyboard.press('Control+s')
    await page.getByRole('alert').waitFor()
    await page.locator('.cm-content:focus').waitFor()
    assert.include(await visibleFocus(page), 'Zone file')
    await keyboard.press('Home')
    await keyboard.press('Shift+End')
    await keyboard.type('good 300 IN A 192.0.2.200')
    // Tab leaves the editor.
    await keyboard.press('Tab')
    assert.equal(await page.locator('.cm-content:focus').count(), 0)
    await press(page, page.getByRole('button', { name: 'Review' }))
    await page.getByRole('heading', { name: 'Review changes' }).waitFor()
    await press(page, page.getByRole('button', { name: 'Back to the text' }))
    await page.locator('.cm-content').waitFor()
    await press(page, page.getByRole('button', { name: 'Review' }))
    await page.getByRole('heading', { name: 'Review changes' }).waitFor()
    await typeInto(page, page.getByLabel('Reason'), 'typed')
    await press(page, page.getByRole('button', { name: 'Apply' }))
    await page.waitForURL(`/zones/${zone.id}`)
    assert.include(await contents(), '192.0.2.200')
    await visitor.leave()
  })

  test('the zone is restored to an entry of its history by keyboard', async ({ assert }) => {
    const { id } = await createRecord(as, zone, { name: 'old', type: 'A', content: '192.0.2.5' })
    await expectStatus(as.delete(`/zones/${zone.id}/records/${id}`), 204)
    const visitor = await visitorAt()
    const { page } = visitor
    await press(page, page.locator('.tabs').getByRole('link', { name: 'History' }))
    await page.waitForURL('**/history')
    await press(page, page.getByLabel('More about change #6'))
    await press(
      page,
      page.locator('[data-menu][open]').getByRole('link', { name: 'Restore this version' }),
      5
    )
    await page.waitForURL('**/restore?point=6')
    await typeInto(page, page.getByLabel('Reason'), 'needed after all')
    await press(page, page.locator('button.primary'))
    await page.waitForURL((url) => !url.pathname.endsWith('/restore'))
    assert.include(await contents(), '192.0.2.5')
    await visitor.leave()
  })
})
