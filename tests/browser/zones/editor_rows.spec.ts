// @databases @slow
import { test } from '@japa/runner'
import type { Locator } from 'playwright-core'
import { caller, createRecord, createZone, type Caller } from '#tests/support/app/api'
import { contentsOf } from '#tests/support/app/zones/history'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, type Person } from '#tests/support/app/people/people'
import { Visitor } from '#tests/support/browser/browser'
import { fillZone, review } from '#tests/support/browser/zone'

let admin: Person
let as: Caller
let zone: { id: number; name: string }

/** Signs in and opens the zone. */
async function atZone(): Promise<Visitor> {
  const visitor = await Visitor.openWindow()
  await visitor.signIn(admin)
  await visitor.page.goto(`/zones/${zone.id}`)
  return visitor
}

/** Opens the row of a record for editing. Returns the row. */
async function opened({ page }: Visitor, record: string): Promise<Locator> {
  await page.getByLabel(`Edit ${record}`, { exact: true }).click()
  return page.locator('tr.editing:focus-within')
}

/** Opens the row of a record and changes its content without finishing the edit. */
async function typing(visitor: Visitor, record: string, content: string): Promise<void> {
  const row = await opened(visitor, record)
  await row.getByLabel('Content', { exact: true }).fill(content)
}

test.group('Rows of the zone editor during editing', (group) => {
  group.each.setup(async (t) => {
    admin ??= await administrator()
    as = caller(t.context.client, admin)
    zone = await createZone(as, { name: zoneNamed() })
    await fillZone(as, zone)
  })

  test('input in open rows is included in every review', async ({ assert }) => {
    const visitor = await atZone()
    const { page } = visitor
    await typing(visitor, 'www A', '192.0.2.11')
    await typing(visitor, 'www AAAA', '2001:db8::11')
    await page.keyboard.press('Control+s')
    const dialog = page.getByRole('dialog', { name: 'Review changes' })
    await dialog.getByText('content 192.0.2.11').waitFor()
    await dialog.getByText('content 2001:db8::11').waitFor()
    await dialog.getByRole('link', { name: 'Back to the zone' }).click()
    await page.getByRole('link', { name: 'Add record' }).click()
    await page.getByLabel('Name', { exact: true }).fill('ftp')
    await page.getByLabel('Content', { exact: true }).fill('192.0.2.33')
    await review(visitor).getByText('New: ftp A 192.0.2.33').waitFor()
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('3 record sets changed').waitFor()
    const records = await contentsOf(zone)
    const now = records.join('\n')
    for (const content of ['192.0.2.11', '2001:db8::11', '192.0.2.33']) assert.include(now, content)
    await visitor.leave()
  })

  test('an open row survives reloading, sorting and filtering; an unchanged row leaves nothing', async ({
    assert,
  }) => {
    const visitor = await atZone()
    const { page } = visitor
    const bar = page.locator('form[data-draft]')
    await typing(visitor, 'www A', '192.0.2.11')
    await bar.getByText('1 change in 1 record set').waitFor()
    await page.reload()
    await page.getByRole('gridcell', { name: '192.0.2.11' }).waitFor()
    await page.getByRole('link', { name: 'Add record' }).click()
    await page.getByLabel('Name', { exact: true }).fill('ftp')
    await page.getByRole('link', { name: 'Type', exact: true }).click()
    await page.waitForURL('**sort=**')
    await bar.getByText('2 changes in 2 record sets').waitFor()
    await page.getByRole('gridcell', { name: 'ftp', exact: true }).waitFor()
    await typing(visitor, 'www AAAA', '2001:db8::11')
    await page.getByRole('searchbox').fill('mail.example.net')
    await page.locator('.pager').getByText('1–2 of 2').waitFor()
    await page.keyboard.press('Enter')
    await bar.getByText('3 changes in 3 record sets').waitFor()
    assert.equal(await page.locator('input:focus').getAttribute('name'), 'q')
    for (const key of ['Enter', 'Control+s']) {
      const row = await opened(visitor, '@ MX')
      await row.getByLabel('Comment', { exact: true }).fill('typed')
      await bar.getByText('4 changes in 4 record sets').waitFor()
      await row.getByLabel('Comment', { exact: true }).fill('')
      await page.keyboard.press(key)
      await bar.getByText('3 changes in 3 record sets').waitFor()
    }
    await page.getByRole('dialog').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Add record' }).click()
    await page.keyboard.press('Control+s')
    await page.getByRole('dialog').getByText('2001:db8::11').first().waitFor()
    await page.keyboard.press('Escape')
    await bar.getByText('3 changes in 3 record sets').waitFor()
    await typing(visitor, '@ MX', 'mx.example.net')
    await page.keyboard.press('Escape')
    await bar.getByText('3 changes in 3 record sets').waitFor()
    assert.deepEqual(visitor.complaints, [])
    await visitor.leave()
  })

  test('applied changes leave the draft, even if another window consumes the message', async ({
    assert,
  }) => {
    const visitor = await atZone()
    const { page } = visitor
    const otherPage = await visitor.context.newPage()
    await typing(visitor, 'www A', '192.0.2.11')
    const apply = review(visitor).getByRole('button', { name: 'Apply' })
    await apply.waitFor()
    await page.route(
      `**/zones/${zone.id}`,
      async (route) => {
        await otherPage.goto('/zones')
        await otherPage.getByText('1 record set changed').waitFor()
        await route.continue()
      },
      { times: 1 }
    )
    const reloaded = page.waitForEvent('load')
    await apply.click()
    await reloaded
    await page.getByRole('gridcell', { name: '192.0.2.11' }).waitFor()
    assert.isTrue(await page.locator('form[data-draft]').isHidden())
    await visitor.leave()
  })

  test('a long content is completely visible, and Enter finishes the edit', async ({ assert }) => {
    const visitor = await atZone()
    const { page } = visitor
    const row = await opened(visitor, '@ TXT')
    const field = row.getByLabel('Content', { exact: true })
    const before = await field.boundingBox()
    assert.isAbove(before?.height ?? 0, 60)
    await visitor.inspect(assert)
    await field.fill('"short"')
    await field.press('Enter')
    await page.getByRole('gridcell', { name: '"short"' }).waitFor()
    assert.equal(await page.locator('tr.editing').count(), 0)
    await visitor.leave()
  })

  test('names are not broken by long contents, and row buttons are aligned', async ({ assert }) => {
    const name = 'selector1._domainkey'
    const key = (letter: string) => `"v=DKIM1; p=${letter.repeat(200)}" "${letter.repeat(200)}"`
    await createRecord(as, zone, { name, type: 'TXT', content: key('A') })
    const visitor = await atZone()
    const { page } = visitor
    const heightOf = async (text: string) => {
      const box = await page
        .getByRole('gridcell', { name: text, exact: true })
        .locator('bdi')
        .first()
        .boundingBox()
      return box?.height ?? 0
    }
    assert.equal(await heightOf(name), await heightOf('www'))
    await typing(visitor, `${name} TXT`, key('B'))
    await page.keyboard.press('Enter')
    const left = async (label: string) => {
      const box = await page.getByLabel(label, { exact: true }).boundingBox()
      return box?.x
    }
    assert.equal(await left(`Edit ${name} TXT`), await left('Edit www A'))
    await visitor.inspect(assert)
    // The review names the record and shows its content as lines of a zone file.
    const dialog = review(visitor)
    const words = await dialog.locator('.review-name > p').innerText()
    assert.include(words, `${name} TXT`)
    assert.notInclude(words, 'B'.repeat(100))
    assert.include(await dialog.innerText(), 'B'.repeat(200))
    await visitor.leave()
  })

  test('messages of the check are marked as English in other languages', async ({ assert }) => {
    const visitor = await Visitor.openWindow({ locale: 'ar' })
    const { page } = visitor
    await visitor.signIn(admin)
    await page.goto(`/zones/${zone.id}`)
    await page.locator('[data-add]').click()
    await page.keyboard.type('ftp')
    await page.locator('tr.editing textarea').fill('192.0.2.300')
    const problem = page.locator('tr.editing .problem')
    await problem.waitFor()
    const about = page.locator('tr.editing .hint > span').first()
    for (const said of [problem, about]) {
      assert.equal(await said.getAttribute('lang'), 'en')
      assert.equal(await said.getAttribute('dir'), 'ltr')
    }
    await visitor.inspect(assert)
    await visitor.leave()
  })
})
