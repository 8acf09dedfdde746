// @databases @slow
import { readFileSync } from 'node:fs'
import { test } from '@japa/runner'
import type { Download, Page } from 'playwright-core'
import { caller, createRecord, createZone, type Caller } from '#tests/support/app/api'
import { contentsOf } from '#tests/support/app/zones/history'
import { unique, zoneNamed } from '#tests/support/app/names'
import { administrator, person, type Person } from '#tests/support/app/people/people'
import { owner } from '#tests/support/app/review'
import { Visitor } from '#tests/support/browser/browser'

let admin: Person
let as: Caller

async function visitorAt(path: string, user = admin): Promise<Visitor> {
  const visitor = await Visitor.openWindow()
  await visitor.signIn(user)
  await visitor.page.goto(path)
  return visitor
}

/** Downloads the target of a link. */
async function downloaded(page: Page, link: string): Promise<{ file: Download; text: string }> {
  const coming = page.waitForEvent('download')
  await page.getByRole('link', { name: link }).click()
  const file = await coming
  return { file, text: readFileSync(await file.path(), 'utf8') }
}

test.group('Tasks with zones and records', (group) => {
  group.each.timeout(60_000)
  group.each.setup(async (t) => {
    admin ??= await administrator()
    as = caller(t.context.client, admin)
  })

  test('a network becomes a reverse zone, a secondary gets a primary, and settings are changed', async ({
    assert,
  }) => {
    const [a, b] = [Math.random(), Math.random()].map((one) => Math.floor(one * 250) + 1)
    const secondary = zoneNamed('secondary')
    const visitor = await visitorAt('/zones/new')
    const { page } = visitor
    await page.getByLabel('Names or networks').fill(`  10.${a}.${b}.0/24  `)
    await page.getByLabel('Description').fill('of the office')
    await page.getByRole('button', { name: 'Create zone' }).click()
    await page.getByText(`Zone ${b}.${a}.10.in-addr.arpa created`).waitFor()
    await page.getByText('of the office').waitFor()
    await page.locator('.tabs').getByRole('link', { name: 'Settings' }).click()
    await page.getByLabel('Type').selectOption({ label: 'Native' })
    await page.getByLabel('Description').fill('of another office')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Settings saved').waitFor()
    assert.equal(await page.getByLabel('Type').inputValue(), 'NATIVE')

    await page.goto('/zones/new')
    await page.getByLabel('Names or networks').fill(secondary)
    await page.getByRole('radio', { name: 'Secondary' }).check()
    await page.getByRole('button', { name: 'Create zone' }).click()
    await page.getByText('No zone created').or(page.getByRole('alert')).first().waitFor()
    await page.getByLabel('Primaries').fill('192.0.2.53, 2001:db8::53')
    await page.getByRole('button', { name: 'Create zone' }).click()
    await page.getByText(`Zone ${secondary} created`).waitFor()
    await visitor.inspect(assert)
    await page.goto(`/zones?q=${secondary}`)
    await page.getByRole('link', { name: secondary }).waitFor()
    await page.getByRole('cell', { name: 'Secondary', exact: true }).waitFor()
    await visitor.leave()
  })

  test('names at the apex and with the suffix are accepted, a change increases the serial by one, and a comment is found', async ({
    assert,
  }) => {
    const zone = await createZone(as, { name: zoneNamed() })
    const word = unique('spare').replace('-', '')
    const visitor = await visitorAt(`/zones/${zone.id}/records/new`)
    const { page } = visitor
    const serials: number[] = []
    for (const [name, type, content, comment] of [
      ['', 'A', '192.0.2.1', ''],
      ['@', 'AAAA', '2001:db8::1', ''],
      [`www.${zone.name}.`, 'A', '192.0.2.2', `the ${word} one`],
    ]) {
      await page.goto(`/zones/${zone.id}/records/new`)
      await page.getByLabel('Name', { exact: true }).fill(name)
      await page.getByLabel('Type', { exact: true }).selectOption(type)
      await page.getByLabel('Content', { exact: true }).fill(content)
      await page.getByLabel('Comment').fill(comment)
      await page.getByRole('button', { name: 'Review' }).click()
      await page.getByRole('button', { name: 'Apply' }).click()
      const message = await page.getByText('1 record set changed. Serial').textContent()
      serials.push(Number(/Serial (\d+)/.exec(message ?? '')?.[1]))
    }
    assert.deepEqual(serials, [serials[0], serials[0] + 1, serials[0] + 2])
    const now = await contentsOf(zone)
    for (const start of [
      `["${zone.name}","A"`,
      `["${zone.name}","AAAA"`,
      `["www.${zone.name}","A"`,
    ]) {
      assert.isTrue(
        now.some((line) => line.startsWith(start)),
        start
      )
    }
    await page.goto(`/search?q=comment:${word}`)
    await page.getByText(`the ${word} one`).first().waitFor()
    await visitor.inspect(assert)
    await page.goto(`/zones/${zone.id}?q=www`)
    await page.getByRole('link', { name: 'Edit www A', exact: true }).click()
    await page.locator('tr.editing').getByLabel('Comment').fill('')
    await page.keyboard.press('Enter')
    await page.keyboard.press('Control+s')
    await page.getByRole('dialog').getByRole('button', { name: 'Apply' }).click()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    await page.reload()
    await page.getByRole('link', { name: 'Edit www A', exact: true }).waitFor()
    assert.equal(await page.getByText(word).count(), 0)
    await visitor.leave()
  })

  test('a zone is exported as a zone file and as a table by users who may see it', async ({
    assert,
  }) => {
    const zone = await createZone(as, { name: zoneNamed() })
    await createRecord(as, zone, { name: 'www', type: 'A', content: '192.0.2.1', ttl: 300 })
    const visitor = await visitorAt(`/zones/${zone.id}/import`)
    const { page } = visitor
    const plain = await downloaded(page, 'Zone file')
    assert.match(plain.text, /^www\s+300\s+IN\s+A\s+192\.0\.2\.1$/m)
    const table = await downloaded(page, 'Table (CSV)')
    assert.match(table.file.suggestedFilename(), /\.csv$/)
    assert.include(table.text, '192.0.2.1')
    await visitor.leave()
    const stranger = await visitorAt('/', await person({ template: 'Viewer' }))
    const refused = await stranger.page.goto(`/zones/${zone.id}/export`)
    assert.equal(refused?.status(), 404)
    await stranger.leave()
  })

  test('metadata has several values and custom kinds; read-only users see no button', async ({
    assert,
  }) => {
    const zone = await createZone(as, { name: zoneNamed() })
    const visitor = await visitorAt(`/zones/${zone.id}/metadata/edit?kind=ALLOW-AXFR-FROM`)
    const { page } = visitor
    await page.getByLabel('Values').fill('192.0.2.0/24\n2001:db8::/32')
    await page.getByRole('button', { name: 'Add' }).click()
    await page.getByText('ALLOW-AXFR-FROM saved').waitFor()
    await page.goto(`/zones/${zone.id}/metadata/edit?custom=X-MINE`)
    await page.getByLabel('Values').fill('one\ntwo')
    await page.getByRole('button', { name: 'Add' }).click()
    await page.getByText('X-MINE saved').waitFor()
    await page.reload()
    await page.getByText('2001:db8::/32').waitFor()
    await visitor.leave()
    const reader = await owner(zone, ['zone_content_view_own', 'zone_metadata_view_own'])
    const otherVisitor = await visitorAt(`/zones/${zone.id}/metadata`, reader)
    await otherVisitor.page.getByText('192.0.2.0/24').waitFor()
    assert.equal(await otherVisitor.page.getByRole('link', { name: /^Edit/ }).count(), 0)
    await otherVisitor.picture('task-metadata-read-only')
    await otherVisitor.inspect(assert)
    await otherVisitor.leave()
  })
})
