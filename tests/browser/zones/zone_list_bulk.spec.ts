// @databases @slow
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { caller, createRecord, createZone, type Caller } from '#tests/support/app/api'
import { contentsOf } from '#tests/support/app/zones/history'
import { unique } from '#tests/support/app/names'
import { administrator, person, type Person } from '#tests/support/app/people/people'
import { addTemplateRecord, createZoneTemplate } from '#tests/support/app/zones/zone_templates'
import { Visitor } from '#tests/support/browser/browser'

/** More zones than one step of a bulk change takes. */
const ZONES = 28

let admin: Person
let as: Caller
let word: string
let zones: { id: number; name: string }[]

/** Selects zones of the first two pages of the list. */
async function withTicks(ticked: number[][]): Promise<Visitor> {
  const visitor = await Visitor.openWindow()
  const { page } = visitor
  await visitor.signIn(admin)
  await page.goto(`/zones?q=${word}&per_page=20`)
  for (const [pageIndex, ofPage] of ticked.entries()) {
    if (pageIndex > 0) await page.getByRole('link', { name: 'Next' }).click()
    for (const index of ofPage) await page.getByLabel(`Select ${zones[index].name}`).check()
  }
  return visitor
}

async function ownersOf({ id }: { id: number }): Promise<number[]> {
  const rows = await db.from('zw_zone_owners').where('zone_id', id).orderBy('user_id')
  return rows.map((row) => Number(row.user_id))
}

test.group('Bulk actions of the zone list', (group) => {
  group.each.timeout(60_000)
  group.each.setup(async (t) => {
    admin = await administrator()
    as = caller(t.context.client, admin)
    word = unique('w').slice(0, 10).toLowerCase()
    zones = []
    for (let index = 0; index < ZONES; index++) {
      // Two digits, so that the zones are listed in this order.
      zones.push(await createZone(as, { name: `z${index + 10}.${word}.test` }))
    }
  })

  test('all matching zones get another owner step by step', async ({ assert }) => {
    const heir = await person({ template: 'Zone Manager' })
    const visitor = await withTicks([])
    const { page } = visitor
    await page.getByLabel(`All ${ZONES} matching zones`).check()
    await page.getByRole('button', { name: 'Change owner…' }).click()
    await page.getByLabel('User name').fill(heir.username)
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByText(`${ZONES} zones change`).waitFor()
    assert.deepEqual(await ownersOf(zones[0]), [admin.id])
    // Holds the second step until the bar of the first was visible.
    let continueRun = () => {}
    const isToGoOn = new Promise<void>((resolve) => (continueRun = resolve))
    await page.route('**/zones/bulk/apply', async (route) => {
      if (route.request().headers()['x-fragment']) await isToGoOn
      await route.continue()
    })
    await page.getByRole('button', { name: `Change the owner of ${ZONES} zones` }).click()
    const bar = page.getByRole('progressbar', { name: 'In progress' })
    await bar.waitFor()
    assert.isAbove(Number(await bar.getAttribute('value')), 0)
    assert.equal(await bar.getAttribute('max'), String(ZONES))
    await visitor.inspect(assert)
    continueRun()
    await page.getByText(`${ZONES} of ${ZONES} zones · ${ZONES} done`).waitFor()
    assert.equal(await page.getByText('Owner changed.').count(), ZONES)
    assert.equal(await bar.count(), 0)
    await visitor.inspect(assert)
    for (const zone of zones) assert.deepEqual(await ownersOf(zone), [heir.id])
    await visitor.leave()
  })

  test('zones selected on two pages get a template, and other zones do not change', async ({
    assert,
  }) => {
    const name = unique('mail of the house')
    const template = await createZoneTemplate(as, { name, is_global: true })
    await addTemplateRecord(as, template, 'mail', 'A', '192.0.2.25')
    await createRecord(as, zones[1], { name: 'own', type: 'A', content: '192.0.2.9' })
    const ticked = [
      [0, 1],
      [20, 27],
    ]
    const visitor = await withTicks(ticked)
    const { page } = visitor
    await page.getByText('4 zones selected').waitFor()
    await page.getByRole('button', { name: 'Apply template…' }).click()
    const choice = page.locator('select[name=template]')
    // With many templates the name is typed.
    if ((await choice.count()) > 0) await choice.selectOption({ label: name })
    else await page.getByLabel('Template', { exact: true }).fill(name)
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByText('4 zones change').waitFor()
    await page.getByText('Changes', { exact: true }).first().click()
    await page.getByText('192.0.2.25').first().waitFor()
    await visitor.inspect(assert)
    await page.getByLabel('Reason').fill('One mail server for all')
    await page.getByRole('button', { name: 'Apply template to 4 zones' }).click()
    await page.getByText('4 of 4 zones · 4 done').waitFor()
    assert.equal(await page.getByText('Template applied.').count(), 4)
    await visitor.inspect(assert)
    for (const [index, zone] of zones.entries()) {
      const contents = await contentsOf(zone)
      const isTicked = ticked.flat().includes(index)
      assert.equal(contents.join('\n').includes('192.0.2.25'), isTicked, zone.name)
    }
    const contentsBefore = await contentsOf(zones[1])
    assert.include(contentsBefore.join('\n'), '192.0.2.9')
    await page.goto(`/zones/${zones[27].id}/history`)
    await page.getByText('One mail server for all').waitFor()
    await visitor.leave()
  })
})
