// @databases @slow
import { test } from '@japa/runner'
import { caller, createRecord, createZone, type Caller } from '#tests/support/app/api'
import { contentsOf } from '#tests/support/app/zones/history'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, type Person } from '#tests/support/app/people/people'
import { Visitor, type Appearance } from '#tests/support/browser/browser'
import { APPEARANCES, inspectPages } from '#tests/support/browser/appearances'

let admin: Person
let as: Caller
let zone: { id: number; name: string }
let reverse: { id: number; name: string }

/** Signs in and opens a page of the zone. */
async function visitorAt(rest: string, appearance: Appearance = {}): Promise<Visitor> {
  const visitor = await Visitor.openWindow(appearance)
  await visitor.signIn(admin)
  await visitor.page.goto(`/zones/${zone.id}${rest}`)
  if (rest === '/text' && appearance.scripts !== false) {
    await visitor.page.locator('.cm-content').waitFor()
  }
  return visitor
}

async function contents(of = zone): Promise<string> {
  const all = await contentsOf(of)
  return all.join('\n')
}

test.group('Zone text and zone files', (group) => {
  group.each.timeout(120_000)
  group.each.setup(async (t) => {
    admin ??= await administrator()
    as = caller(t.context.client, admin)
    zone = await createZone(as, { name: zoneNamed() })
    const [a, b] = [Math.random(), Math.random()].map((one) => Math.floor(one * 250) + 1)
    reverse = await createZone(as, { name: `${b}.${a}.10.in-addr.arpa` })
    await createRecord(as, zone, { name: 'www', type: 'A', content: `10.${a}.${b}.1`, ttl: 300 })
    await createRecord(as, zone, { name: 'mail', type: 'A', content: `10.${a}.${b}.2`, ttl: 300 })
    await createRecord(as, zone, { name: 'far', type: 'A', content: '198.51.100.7' })
    await createRecord(as, zone, {
      name: '@',
      type: 'MX',
      content: 'mail.example.net',
      priority: 10,
    })
    await createRecord(as, reverse, { name: '2', type: 'PTR', content: 'old.example.net' })
    const long = `"v=spf1 ${'include:spf.mail.example.net '.repeat(8)}-all"`
    await createRecord(as, zone, { name: '@', type: 'TXT', content: long, ttl: 86_400 })
  })

  test('leaving an edited text asks for confirmation, and a review does not', async ({
    assert,
  }) => {
    const visitor = await visitorAt('/text')
    const { page } = visitor
    const asked: string[] = []
    page.on('dialog', (dialog) => {
      asked.push(dialog.type())
      void dialog.dismiss()
    })
    await page.getByRole('textbox', { name: 'Zone file' }).click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('more 300 IN A 192.0.2.9')
    const dialog = page.waitForEvent('dialog')
    await page.getByRole('link', { name: 'History' }).first().click()
    await dialog
    assert.deepEqual(asked, ['beforeunload'])
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByRole('heading', { name: 'Review changes' }).waitFor()
    assert.lengthOf(asked, 1)
    await visitor.leave()
  })

  test('rejected lines stay marked while nobody types', async ({ assert }) => {
    const visitor = await visitorAt('/text')
    const { page } = visitor
    await page.getByRole('textbox', { name: 'Zone file' }).click()
    await page.keyboard.press('Control+End')
    await page.keyboard.type('bad 300 IN A 999.0.2.1')
    await page.keyboard.press('Control+s')
    await page.getByRole('alert').waitFor()
    await page.locator('.cm-lint-marker-error').waitFor()
    // Longer than the pause before the editor checks the text.
    await page.waitForTimeout(1_500)
    assert.equal(await page.locator('.cm-lint-marker-error').count(), 1)
    await visitor.leave()
  })

  test('the editor reads from left to right in every language', async ({ assert }) => {
    const visitor = await visitorAt('/text', { locale: 'ar' })
    const { page } = visitor
    const directionOf = (place: string) =>
      page.evaluate<string>(`getComputedStyle(document.querySelector('${place}')).direction`)
    assert.equal(await directionOf('main'), 'rtl')
    assert.equal(await directionOf('.cm-content'), 'ltr')
    await visitor.leave()
  })

  for (const [name, appearance] of Object.entries(APPEARANCES)) {
    test(`every zone text page passes the page checks, ${name}`, async ({ assert }) => {
      const visitor = await visitorAt('/text', appearance)
      const { page } = visitor
      await page.locator('.cm-content').waitFor()
      await visitor.picture(`text-${name}`)
      await visitor.inspect(assert)
      const visits = ['import', 'clone', 'ptr'].map((one) => {
        return [one, `/zones/${zone.id}/${one}`] as const
      })
      await inspectPages(visitor, assert, [...visits, ['new-file', '/zones/new/file']], name)
      await visitor.leave()
    })

    test(`a zone is created from a file, ${name}`, async ({ assert }) => {
      const visitor = await visitorAt('/import', appearance)
      const { page } = visitor
      const moved = zoneNamed('moved')
      const soa = 'SOA ns1.example.net. hostmaster.example.net. 7 7200 3600 604800 300'
      const lines = [`@ 300 IN ${soa}`, '@ 300 IN NS ns1.example.net.', 'www 300 IN A 192.0.2.7']
      const text = [`$ORIGIN ${moved}.`, ...lines].join('\n')
      await page.goto('/zones/new')
      await page.getByRole('link', { name: 'Create from zone file' }).click()
      await page
        .getByLabel('File', { exact: true })
        .setInputFiles({ name: 'a.zone', mimeType: 'text/plain', buffer: Buffer.from(text) })
      await page.getByRole('button', { name: 'Preview' }).click()
      await page.getByRole('heading', { name: moved }).first().waitFor()
      await page.getByText('3 records in 3 record sets').waitFor()
      await visitor.picture(`new-file-review-${name}`)
      await visitor.inspect(assert)
      await page.getByRole('button', { name: 'Apply' }).click()
      await page.getByText(`Zone ${moved} created`).waitFor()
      await page.goto('/zones/new/file')
      await page.getByLabel('Or paste records').fill('www 300 IN A 192.0.2.7\n')
      await page.getByRole('button', { name: 'Preview' }).click()
      await page.getByText('Enter the zone name').waitFor()
      await visitor.picture(`new-file-errors-${name}`)
      await visitor.inspect(assert)
      await visitor.leave()
    })

    test(`a text is edited, rejected at its lines, reviewed and applied, ${name}`, async ({
      assert,
    }) => {
      const visitor = await visitorAt('/text', appearance)
      const { page } = visitor
      const text = page.getByRole('textbox', { name: 'Zone file' })
      await text.click()
      await page.keyboard.press('Control+End')
      await page.keyboard.type('bad 300 IN A 999.0.2.1')
      await page.locator('.cm-lint-marker-error').waitFor()
      await page.keyboard.press('Control+s')
      await page.getByRole('alert').waitFor()
      await page.locator('.cm-lint-marker-error').waitFor()
      await visitor.picture(`text-errors-${name}`)
      await visitor.inspect(assert)
      await page
        .getByRole('link', { name: /^Line \d+/ })
        .first()
        .click()
      await page.keyboard.press('Home')
      await page.keyboard.press('Shift+End')
      await page.keyboard.type('good 300 IN A 192.0.2.200')
      await page.getByRole('button', { name: 'Review' }).click()
      await page.getByRole('heading', { name: 'Review changes' }).waitFor()
      await visitor.picture(`text-review-${name}`)
      await visitor.inspect(assert)
      await page.getByLabel('Reason').fill('ticket 11')
      await page.getByRole('button', { name: 'Apply' }).click()
      await page.waitForURL(`/zones/${zone.id}`)
      assert.include(await contents(), '192.0.2.200')
      await visitor.leave()
    })

    test(`pasted records are previewed and imported, ${name}`, async ({ assert }) => {
      const visitor = await visitorAt('/import', appearance)
      const { page } = visitor
      const rows = `ftp,300,A,192.0.2.201\nftp,60,A,192.0.2.202\n`
      await page.getByLabel('Or paste records').fill(rows)
      await page.getByRole('button', { name: 'Preview' }).click()
      await page.getByText('2 records in 1 record set').waitFor()
      await page.getByText('1 line with a warning').click()
      await visitor.picture(`import-review-${name}`)
      await visitor.inspect(assert)
      await page.getByRole('button', { name: 'Apply' }).click()
      await page.waitForURL(`/zones/${zone.id}`)
      assert.include(await contents(), '192.0.2.202')
      await page.goto(`/zones/${zone.id}/import`)
      await page.getByLabel('Or paste records').fill('this is, no zone file ((\nx 1 A y\n')
      await page.getByRole('button', { name: 'Preview' }).click()
      await page.getByRole('alert').waitFor()
      await visitor.picture(`import-errors-${name}`)
      await visitor.inspect(assert)
      await visitor.leave()
    })

    test(`PTR records are selected, reviewed and created, ${name}`, async ({ assert }) => {
      const visitor = await visitorAt('/ptr', appearance)
      const { page } = visitor
      await page.getByRole('checkbox', { name: /mail/ }).check()
      await page.getByRole('button', { name: 'Review' }).click()
      await page.getByRole('heading', { name: 'Review changes' }).waitFor()
      await visitor.picture(`ptr-review-${name}`)
      await visitor.inspect(assert)
      await page.getByRole('button', { name: 'Apply' }).click()
      await page.waitForURL(`/zones/${zone.id}`)
      const now = await contents(reverse)
      assert.include(now, `www.${zone.name}`)
      assert.include(now, `mail.${zone.name}`)
      await visitor.leave()
    })
  }

  test('a large file shows its upload progress, and its plan replaces the form', async ({
    assert,
  }) => {
    const visitor = await visitorAt('/import')
    const { page, context } = visitor
    const session = await context.newCDPSession(page)
    const buffer = Buffer.from(`${'; nothing to see\n'.repeat(30_000)}big 300 IN A 192.0.2.240\n`)
    await page
      .getByLabel('File', { exact: true })
      .setInputFiles({ name: 'big.zone', mimeType: 'text/plain', buffer })
    const slow = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput: 250_000 }
    await session.send('Network.emulateNetworkConditions', slow)
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByRole('progressbar').waitFor()
    await page.getByText(/^[1-9]0%$/).waitFor()
    await visitor.picture('import-uploading')
    await session.send('Network.emulateNetworkConditions', { ...slow, uploadThroughput: -1 })
    await page.getByText('1 record in 1 record set').waitFor()
    await visitor.inspect(assert)
    await page.getByRole('link', { name: 'History' }).first().click()
    await page.waitForURL(/\/history$/)
    await page.goBack()
    await page.getByText('1 record in 1 record set').waitFor()
    await page.goBack()
    await page.getByRole('button', { name: 'Preview' }).waitFor()
    assert.notInclude(await contents(), '192.0.2.240')
    await page
      .getByLabel('File', { exact: true })
      .setInputFiles({ name: 'big.zone', mimeType: 'text/plain', buffer })
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.waitForURL(`/zones/${zone.id}`)
    assert.include(await contents(), '192.0.2.240')
    await visitor.leave()
  })

  test('a line is typed, reviewed and applied by keyboard', async ({ assert }) => {
    const visitor = await visitorAt('/text')
    const { page } = visitor
    const { keyboard } = page
    const tabTo = async (selector: string) => {
      for (let steps = 0; steps < 40; steps++) {
        if (await page.evaluate(`document.activeElement?.matches('${selector}')`)) return
        await keyboard.press('Tab')
      }
      assert.fail(`no way to ${selector}`)
    }
    await tabTo('.cm-content')
    await keyboard.press('Control+End')
    await keyboard.type('keyed 300 IN A 192.0.2.250')
    await keyboard.press('Control+s')
    await page.getByRole('heading', { name: 'Review changes' }).waitFor()
    await tabTo('[name=reason]')
    await keyboard.type('typed')
    await tabTo('button.primary')
    await keyboard.press('Enter')
    await page.waitForURL(`/zones/${zone.id}`)
    assert.include(await contents(), '192.0.2.250')
    assert.deepEqual(visitor.complaints, [])
    await visitor.leave()
  })

  test('two users change the same RRset, and the second sees a conflict', async ({ assert }) => {
    const visitor = await visitorAt('/text')
    const { page } = visitor
    const text = page.getByRole('textbox', { name: 'Zone file' })
    await text.click()
    await createRecord(as, zone, { name: 'new', type: 'A', content: '192.0.2.77', ttl: 300 })
    await page.keyboard.press('Control+End')
    await page.keyboard.type('new 300 IN A 192.0.2.220')
    await page.getByRole('button', { name: 'Review' }).click()
    await page
      .getByRole('heading', { name: 'These records or their comments were changed' })
      .waitFor()
    await visitor.picture('text-conflict')
    await visitor.inspect(assert)
    await page.getByRole('button', { name: 'Keep my version' }).click()
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.waitForURL(`/zones/${zone.id}`)
    const now = await contents()
    assert.include(now, '192.0.2.220')
    assert.notInclude(now, '192.0.2.77')
    await visitor.leave()
  })

  test('zone texts and imports work without scripts', async ({ assert }) => {
    const visitor = await visitorAt('/text', { scripts: false })
    const { page } = visitor
    const text = page.getByLabel('Zone file')
    const was = await text.inputValue()
    await text.fill(`${was}plain 300 IN A 192.0.2.230\n`)
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByRole('button', { name: 'Back to the text' }).click()
    await text.fill(`${await text.inputValue()}more 300 IN A 192.0.2.231\n`)
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.waitForURL(`/zones/${zone.id}`)
    await page.goto(`/zones/${zone.id}/import`)
    const buffer = Buffer.from('filed 300 IN A 192.0.2.232\n')
    await page
      .getByLabel('File', { exact: true })
      .setInputFiles({ name: 'a.zone', mimeType: 'text/plain', buffer })
    await page.getByRole('button', { name: 'Preview' }).click()
    // Returning from another page shows the plan, and reloading it submits nothing.
    await page.getByRole('link', { name: 'History' }).first().click()
    await page.waitForURL(/\/history$/)
    await page.goBack()
    await page.getByRole('button', { name: 'Apply' }).waitFor()
    await page.reload()
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.waitForURL(`/zones/${zone.id}`)
    await page.goBack()
    await page.getByText('No changes: everything is already as requested').waitFor()
    const now = await contents()
    for (const last of ['230', '231', '232']) assert.include(now, `192.0.2.${last}`)
    await page.goto(`/zones/${zone.id}/clone`)
    const name = zoneNamed('clone')
    await page.getByLabel('Name of the new zone').fill(name)
    await page.getByRole('button', { name: 'Clone zone' }).click()
    await page.getByRole('heading', { name }).waitFor()
    await visitor.leave()
  })
})
