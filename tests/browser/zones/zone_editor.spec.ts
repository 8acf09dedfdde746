// @databases
import { test } from '@japa/runner'
import { caller, expectStatus, createZone, type Caller } from '#tests/support/app/api'
import { contentsOf } from '#tests/support/app/zones/history'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, type Person } from '#tests/support/app/people/people'
import { Visitor, type Appearance } from '#tests/support/browser/browser'
import { APPEARANCES, inspectPages } from '#tests/support/browser/appearances'
import { fillZone, retype, review } from '#tests/support/browser/zone'

let admin: Person
let as: Caller
let zone: { id: number; name: string }

/** Signs in and opens the zone. */
async function atZone(appearance: Appearance = {}): Promise<Visitor> {
  const visitor = await Visitor.openWindow(appearance)
  await visitor.signIn(admin)
  await visitor.page.goto(`/zones/${zone.id}`)
  return visitor
}

/** The records of the zone as one text. */
async function contents(): Promise<string> {
  const all = await contentsOf(zone)
  return all.join('\n')
}

/** Runs in pages: transferred bytes of the page and its resources, as without a cache. */
const SENT = `[...performance.getEntriesByType('navigation'), ...performance.getEntriesByType('resource')]
  .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0)`

test.group('Zone editor', (group) => {
  group.each.setup(async (t) => {
    admin ??= await administrator()
    as = caller(t.context.client, admin)
    zone = await createZone(as, { name: zoneNamed() })
    await fillZone(as, zone)
  })

  for (const [name, appearance] of Object.entries(APPEARANCES)) {
    test(`every page of a zone passes the page checks, ${name}`, async ({ assert }) => {
      const visitor = await atZone(appearance)
      const visits: [file: string, path: string][] = [
        ['all-zones', '/zones'],
        ['all-zones-empty', '/zones?q=nothing-is-named-so'],
        ['zone', `/zones/${zone.id}`],
        ['zone-empty', `/zones/${zone.id}?q=nothing-is-named-so`],
        ['record', `/zones/${zone.id}/records/new`],
        ['zone-history', `/zones/${zone.id}/history`],
        ['preferences', '/account/preferences'],
        ['password', '/account/password'],
        ['sessions', '/account/sessions'],
        ['second-factor', '/account/second-factor'],
        ['home', '/'],
        ['missing', '/zones/999999999'],
      ]
      await inspectPages(visitor, assert, visits, name)
      await visitor.leave()
    })

    test(`several rows are changed, reviewed and applied together, ${name}`, async ({ assert }) => {
      const visitor = await atZone(appearance)
      const { page } = visitor
      await page.getByRole('link', { name: 'Edit www A', exact: true }).click()
      await page.getByLabel('Content', { exact: true }).fill('192.0.2.2')
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Delete www AAAA' }).click()
      await page.getByRole('link', { name: 'Add record' }).click()
      await page.getByLabel('Name', { exact: true }).fill('ftp')
      await page.getByLabel('Content', { exact: true }).fill('192.0.2.3')
      await visitor.picture(`editing-${name}`)
      await visitor.inspect(assert)
      await page.keyboard.press('Enter')
      await page.getByText('3 changes in 3 record sets').waitFor()
      await page.reload()
      await page.getByText('3 changes in 3 record sets').waitFor()
      await visitor.picture(`dirty-${name}`)
      await visitor.inspect(assert)
      await page.keyboard.press('Control+s')
      const dialog = page.getByRole('dialog')
      await dialog.getByText('no longer has an AAAA record').waitFor()
      await visitor.picture(`review-${name}`)
      await visitor.inspect(assert)
      await dialog.getByLabel('Reason').fill('moved')
      await dialog.getByRole('button', { name: 'Apply' }).click()
      await page.getByText('3 record sets changed').waitFor()
      await visitor.picture(`applied-${name}`)
      await visitor.inspect(assert)
      assert.isTrue(await page.locator('form[data-draft]').isHidden())
      const now = await contents()
      assert.include(now, '192.0.2.2')
      assert.include(now, '192.0.2.3')
      assert.notInclude(now, '2001:db8::1')
      await page.getByRole('button', { name: 'Undo' }).click()
      await page.getByText('Change reverted').waitFor()
      assert.include(await contents(), '2001:db8::1')
      await visitor.leave()
    })
  }

  test('the largest page of the editor is a small document', async ({ assert }) => {
    const operations = Array.from({ length: 120 }, (_, index) => ({
      action: 'CREATE',
      name: `host${index}`,
      type: 'TXT',
      content: `"${'long '.repeat(30)}"`,
      disabled: true,
    }))
    await expectStatus(as.post(`/zones/${zone.id}/records/bulk`, { operations }), 200)
    const visitor = await atZone()
    const { page } = visitor
    await page.goto(`/zones/${zone.id}?per_page=500`)
    assert.equal(await page.locator('.records tbody tr').count(), 50, 'no more than 100 are given')
    await page.goto(`/zones/${zone.id}?per_page=100&sort=name:desc`)
    assert.equal(await page.locator('.records tbody tr').count(), 100)
    assert.isAbove(await visitor.countElements(assert), 1_000)
    await visitor.leave()
  })

  test('an address creates its PTR record if selected', async ({ assert }) => {
    const [a, b] = [Math.random(), Math.random()].map((one) => Math.floor(one * 250) + 1)
    const reverse = await createZone(as, { name: `${b}.${a}.11.in-addr.arpa` })
    const visitor = await atZone()
    const { page } = visitor
    for (const [host, name] of ['with', 'without'].entries()) {
      await page.getByRole('link', { name: 'Add record' }).click()
      await page.getByLabel('Name', { exact: true }).fill(name)
      await page.getByLabel('Content', { exact: true }).fill(`11.${a}.${b}.${host}`)
      await page.getByLabel('Also update PTR').setChecked(name === 'with')
      await page.getByLabel('Content', { exact: true }).press('Enter')
    }
    const dialog = review(visitor)
    await dialog.getByText(`0.${reverse.name}`).first().waitFor()
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('3 record sets changed in 2 zones').waitFor()
    const lines = await contentsOf(reverse)
    const pointers = lines.filter((line) => line.includes('with'))
    assert.lengthOf(pointers, 1)
    assert.include(pointers[0], `with.${zone.name}`)
    await visitor.leave()
  })

  test('invalid changes are reported in the dialog, and the draft stays', async ({ assert }) => {
    const visitor = await atZone()
    const { page } = visitor
    await page.getByRole('link', { name: 'Edit www A', exact: true }).click()
    await page.getByLabel('Content', { exact: true }).fill('192.0.2.300')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByRole('dialog').getByRole('alert').waitFor()
    await visitor.inspect(assert)
    await page.getByRole('link', { name: 'Back to the zone' }).click()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.getByText('1 change in 1 record set').waitFor()
    const question = await visitor.openConfirmation('Discard')
    await question.getByRole('button', { name: 'Back' }).click()
    await page.getByText('1 change in 1 record set').waitFor()
    await page.getByRole('button', { name: 'Discard …' }).click()
    await visitor.inspect(assert)
    await question.getByRole('button', { name: 'Discard', exact: true }).click()
    await page.getByRole('link', { name: 'Edit www A', exact: true }).waitFor()
    await visitor.leave()
  })

  test('a record is changed by forms without scripts', async ({ assert }) => {
    const visitor = await atZone({ scripts: false })
    const { page } = visitor
    await page.getByRole('link', { name: 'Edit www A', exact: true }).click()
    await page.getByLabel('Content', { exact: true }).fill('192.0.2.4')
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('1 record set changed').waitFor()
    assert.include(await contents(), '192.0.2.4')
    assert.deepEqual(visitor.complaints, [])
    await visitor.leave()
  })

  test('records are found, changed, added, reviewed and applied by keyboard', async ({
    assert,
  }) => {
    const visitor = await atZone()
    const { page } = visitor
    const { keyboard } = page
    const press = async (...keys: string[]) => {
      for (const key of keys) await keyboard.press(key)
    }
    await press('/')
    await keyboard.type('192.0.2.1')
    await press('Enter')
    await page.waitForURL('**q=192.0.2.1**')
    await press('Escape')
    await page.locator('td[data-stop][tabindex="0"]').waitFor()
    // Starts at the top of the page, where the browser has no remembered focus.
    for (let i = 0; i < 40; i++) {
      if (await page.locator('td:focus').count()) break
      await press('Tab')
    }
    assert.equal(
      await page
        .locator('td:focus')
        .textContent()
        .then((it) => it?.trim()),
      'www'
    )
    await press('End', 'Home', 'ArrowRight', 'ArrowRight', 'Enter')
    assert.equal(await page.locator(':focus').getAttribute('aria-label'), 'TTL')
    await press('Tab', 'Control+a')
    await keyboard.type('192.0.2.5')
    await press('Enter')
    await page.getByText('1 change in 1 record set').waitFor()
    await press('n')
    await keyboard.type('ftp')
    await press('Tab')
    await keyboard.type('MX')
    await press('Tab', 'Tab')
    await keyboard.type('20')
    await press('Tab')
    await keyboard.type('mail.example.net')
    await press('Enter')
    await page.getByText('2 changes in 2 record sets').waitFor()
    await press('d')
    await press('Escape')
    await page.getByText('2 changes in 2 record sets').waitFor()
    await press('?')
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor()
    await visitor.picture('keys')
    await visitor.inspect(assert)
    await press('Escape', 'Control+s')
    const dialog = page.getByRole('dialog', { name: 'Review changes' })
    await dialog.getByRole('button', { name: 'Apply' }).waitFor()
    for (let i = 0; i < 20; i++) {
      if (await page.locator('button:focus', { hasText: 'Apply' }).count()) break
      await press('Tab')
    }
    await press('Enter')
    await page.getByText('2 record sets changed').waitFor()
    const now = await contents()
    assert.include(now, '192.0.2.5')
    assert.include(now, 'mail.example.net')
    await visitor.leave()
  })

  test('fields match the record type and are checked while typing', async ({ assert }) => {
    const visitor = await atZone()
    const { page } = visitor
    await page.getByRole('link', { name: 'Add record' }).click()
    const row = page.locator('tr.editing')
    const field = (label: string) => row.getByLabel(label, { exact: true })
    await field('Name').fill('_sip._tcp')
    await field('Type').selectOption('SRV')
    await row.getByText('Host and port of a service').waitFor()
    await field('Priority').fill('10')
    await field('weight').fill('5')
    await field('port').fill('70000')
    await field('target').fill('SIP.example.net')
    await row.getByText('"70000"').or(row.getByText('port')).first().waitFor()
    await row.locator('.problem').waitFor()
    await visitor.picture('fields-wrong')
    await visitor.inspect(assert)
    await field('port').fill('5060')
    await row.getByText('Stored as 5 5060 sip.example.net').waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('1 change in 1 record set').waitFor()
    await page.getByRole('button', { name: 'Edit _sip._tcp SRV' }).click()
    assert.equal(await field('port').inputValue(), '5060')
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Edit www A', exact: true }).click()
    assert.isTrue(await field('Priority').isDisabled())
    await field('Content').fill('2001:db8::1')
    await row.locator('.problem').waitFor()
    await visitor.leave()
  })

  test('single-letter shortcuts can be disabled', async ({ assert }) => {
    const visitor = await atZone()
    const { page } = visitor
    await page.keyboard.press('?')
    await page.getByRole('checkbox', { name: 'Single-letter shortcuts' }).uncheck()
    await page.keyboard.press('Escape')
    await page.keyboard.press('n')
    await page.keyboard.press('?')
    assert.equal(await page.locator('tr.editing').count(), 0)
    assert.isFalse(await page.getByRole('dialog').isVisible())
    await visitor.leave()
  })

  test('connection errors are reported in the dialog, and the draft stays', async ({ assert }) => {
    const visitor = await atZone()
    const { page, context } = visitor
    await page.getByRole('link', { name: 'Edit www A', exact: true }).click()
    await page.getByLabel('Content', { exact: true }).fill('192.0.2.2')
    await page.keyboard.press('Enter')
    const button = page.getByRole('button', { name: 'Review' })
    const dialog = page.getByRole('dialog')
    await context.setOffline(true)
    await button.click()
    await dialog.getByText('cannot be reached').waitFor()
    await visitor.picture('unreachable')
    await context.setOffline(false)
    await dialog.getByRole('button', { name: 'Try again' }).click()
    await dialog.getByRole('button', { name: 'Apply' }).waitFor()
    await page.keyboard.press('Escape')
    await context.clearCookies()
    await button.click()
    await dialog.getByRole('alert').waitFor()
    assert.equal(await dialog.getByRole('heading').count(), 1)
    await visitor.signIn(admin)
    await page.goto(`/zones/${zone.id}`)
    await page.getByText('1 change in 1 record set').waitFor()
    await visitor.leave()
  })

  test('selected changes are applied, and the others stay in the draft', async ({ assert }) => {
    const visitor = await atZone()
    const { page } = visitor
    await retype(visitor, 'www A', '192.0.2.300')
    await retype(visitor, 'www AAAA', '2001:db8::11')
    const dialog = review(visitor)
    await dialog.getByRole('alert').waitFor()
    await visitor.picture('picking-wrong')
    await dialog.getByRole('checkbox', { name: '192.0.2.300' }).uncheck()
    await dialog.getByRole('button', { name: 'Apply' }).waitFor()
    await visitor.picture('picking')
    await visitor.inspect(assert)
    await dialog.getByLabel('Reason').fill('half of it')
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('1 record set changed').waitFor()
    await page.getByText('1 change in 1 record set').waitFor()
    assert.include(await contents(), '2001:db8::11')
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Change reverted').waitFor()
    await page.getByText('1 change in 1 record set').waitFor()
    await page.getByRole('button', { name: 'Edit www A', exact: true }).click()
    const row = page.locator('tr.editing')
    await row.getByLabel('TTL', { exact: true }).fill('')
    await row.getByText('Leave empty to keep the TTL').waitFor()
    await row.getByLabel('TTL', { exact: true }).fill('soon')
    await page.keyboard.press('Enter')
    await row.getByText('Enter a TTL').waitFor()
    await visitor.inspect(assert)
    await page.keyboard.press('Control+s')
    await dialog.getByText('"soon"').waitFor()
    await page.getByRole('link', { name: 'Back to the zone' }).click()
    await page.getByRole('gridcell', { name: 'soon', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Revert the change to www A' }).click()
    await page.getByLabel('Edit @ MX', { exact: true }).click()
    await row.getByLabel('Priority', { exact: true }).fill('1o')
    await row.getByText('Priority must be a whole number').waitFor()
    await page.keyboard.press('Control+s')
    await dialog.getByText('"1o"').waitFor()
    await visitor.leave()
  })

  test('comments, copies and disabled records are edited', async ({ assert }) => {
    const visitor = await atZone()
    const { page } = visitor
    await page.getByRole('link', { name: 'Duplicate www A', exact: true }).click()
    const row = page.locator('tr.editing')
    await row.getByLabel('Content', { exact: true }).fill('192.0.2.44')
    await row.getByLabel('Comment').fill('the spare one')
    await row.getByRole('checkbox', { name: 'disabled' }).check()
    await page.keyboard.press('Control+s')
    const dialog = page.getByRole('dialog', { name: 'Review changes' })
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('1 record set changed').waitFor()
    await page.getByText('the spare one').waitFor()
    await visitor.picture('commented')
    await visitor.inspect(assert)
    await visitor.leave()
  })

  test('a full page of records is a small document and is filtered while typing', async ({
    assert,
  }) => {
    const records = Array.from({ length: 60 }, (_, at) => ({
      action: 'create',
      name: `host-${at}`,
      type: 'A',
      content: `198.51.100.${at}`,
    }))
    await as.post(`/zones/${zone.id}/records/bulk`, { operations: records })
    const visitor = await atZone()
    const { page } = visitor
    await visitor.countElements(assert)
    const sent: number = await page.evaluate(SENT)
    assert.isBelow(sent, 150_000)
    await page.evaluate(`window.isSamePage = true`)
    await retype(visitor, 'host-1 A', '198.51.100.111')
    await page.getByRole('searchbox').fill('198.51.100.5')
    await page.locator('.pager').getByText('1–11 of 11').waitFor()
    assert.include(page.url(), 'q=198.51.100.5')
    assert.isTrue(await page.evaluate(`window.isSamePage === true`))
    await page.getByText('1 change in 1 record set').waitFor()
    await page.getByRole('link', { name: 'Edit host-59 A', exact: true }).click()
    await page.keyboard.press('Escape')
    await visitor.inspect(assert)
    await page.getByRole('link', { name: 'Show all' }).click()
    await page.locator('.pager').getByText('1–50 of 65').waitFor()
    await visitor.leave()
  })
})
