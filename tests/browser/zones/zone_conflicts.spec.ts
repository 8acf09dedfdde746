// @databases
import { test } from '@japa/runner'
import { caller, expectStatus, createRecord, createZone, type Caller } from '#tests/support/app/api'
import { contentsOf } from '#tests/support/app/zones/history'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, type Person } from '#tests/support/app/people/people'
import { Visitor, type Appearance } from '#tests/support/browser/browser'
import { APPEARANCES } from '#tests/support/browser/appearances'
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

test.group('Conflicts in the zone editor', (group) => {
  group.each.setup(async (t) => {
    admin ??= await administrator()
    as = caller(t.context.client, admin)
    zone = await createZone(as, { name: zoneNamed() })
    await fillZone(as, zone)
  })

  for (const [name, appearance] of Object.entries(APPEARANCES)) {
    test(`two browsers that edit one RRset get a conflict, ${name}`, async ({ assert }) => {
      const [one, otherVisitor] = [await atZone(appearance), await atZone()]
      await retype(one, 'www A', '192.0.2.11')
      await retype(one, 'www AAAA', '2001:db8::11')
      await retype(otherVisitor, 'www A', '192.0.2.22')
      await review(otherVisitor).getByRole('button', { name: 'Apply' }).click()
      await otherVisitor.page.getByText('1 record set changed').waitFor()

      const dialog = review(one)
      await dialog.getByText('www A 192.0.2.1 was changed in the meantime').waitFor()
      await one.picture(`conflict-${name}`)
      await one.inspect(assert)
      await dialog.getByRole('button', { name: 'Preview' }).click()
      assert.isTrue(await dialog.getByRole('radio').first().isVisible())
      await dialog.getByRole('radio', { name: /^Keep both/ }).check()
      await dialog.getByRole('button', { name: 'Preview' }).click()
      await dialog.getByRole('button', { name: 'Apply' }).waitFor()
      await one.picture(`rebased-${name}`)
      await one.inspect(assert)
      assert.notInclude(await contents(), '192.0.2.11')
      await dialog.getByRole('button', { name: 'Apply' }).click()
      await one.page.getByText('2 record sets changed').waitFor()
      const now = await contents()
      for (const content of ['192.0.2.11', '192.0.2.22', '2001:db8::11']) {
        assert.include(now, content)
      }
      assert.isTrue(await one.page.locator('form[data-draft]').isHidden())
      await one.leave()
      await otherVisitor.leave()
    })
  }

  test('two browsers that edit different RRsets get no conflict', async ({ assert }) => {
    const [one, otherVisitor] = [await atZone(), await atZone()]
    await retype(one, 'www A', '192.0.2.11')
    await retype(otherVisitor, 'www AAAA', '2001:db8::22')
    for (const visitor of [otherVisitor, one]) {
      await review(visitor).getByRole('button', { name: 'Apply' }).click()
      await visitor.page.getByText('1 record set changed').waitFor()
    }
    const now = await contents()
    assert.include(now, '192.0.2.11')
    assert.include(now, '2001:db8::22')
    await one.leave()
    await otherVisitor.leave()
  })

  test('a repeated review, also of a deletion, shows the conflict again', async ({ assert }) => {
    const names = ['one', 'two']
    const made = []
    for (const name of names) {
      made.push(await createRecord(as, zone, { name, type: 'A', content: '192.0.2.5' }))
    }
    const visitor = await atZone()
    const { page } = visitor
    for (const name of names) await retype(visitor, `${name} A`, '192.0.2.11')
    for (const { id } of made) {
      const theirs = { content: '192.0.2.33' }
      await expectStatus(as.put(`/zones/${zone.id}/records/${id}`, theirs), 200)
    }
    await page.reload()
    await page.getByRole('button', { name: 'Edit one A', exact: true }).click()
    await page.getByLabel('Content', { exact: true }).press('Enter')
    await page.getByRole('gridcell', { name: 'two', exact: true }).press('Delete')
    await page.getByRole('button', { name: 'Revert the change to two A' }).waitFor()
    const dialog = review(visitor)
    await dialog.getByText('one A 192.0.2.5 was changed in the meantime').waitFor()
    for (const name of names) {
      await dialog.getByRole('group', { name: `${name} A`, exact: true }).waitFor()
    }
    assert.include(await contents(), '192.0.2.33')
    await visitor.leave()
  })

  test('two tabs share one draft and both show it', async ({ assert }) => {
    const visitor = await atZone()
    const { page } = visitor
    const tab = await visitor.context.newPage()
    await tab.goto(`/zones/${zone.id}`)
    await retype(visitor, 'www A', '192.0.2.11')
    await tab.getByText('192.0.2.11').waitFor()
    await tab.getByRole('link', { name: 'Edit www AAAA', exact: true }).click()
    await tab.getByLabel('Content', { exact: true }).fill('2001:db8::22')
    await tab.keyboard.press('Enter')
    for (const one of [page, tab]) {
      await one.getByText('2 changes').waitFor()
      await one.getByText('2001:db8::22').waitFor()
      await one.reload()
      await one.getByText('2 changes').waitFor()
    }
    await tab
      .getByRole('row')
      .filter({ hasText: '192.0.2.11' })
      .getByRole('gridcell')
      .first()
      .focus()
    await tab.keyboard.press('u')
    await page.getByText('192.0.2.1', { exact: true }).waitFor()
    assert.equal(await page.getByText('192.0.2.11').count(), 0)
    await visitor.leave()
  })

  test('an edit conflicts with an RRset that the API replaced', async ({ assert }) => {
    const visitor = await atZone()
    const { page } = visitor
    await retype(visitor, 'www A', '192.0.2.11')
    const replacing = { name: 'www', type: 'A', ttl: 60, records: [{ content: '192.0.2.99' }] }
    await as.put(`/zones/${zone.id}/rrsets`, replacing)
    const dialog = review(visitor)
    await dialog.getByText('www A 192.0.2.1 was removed or replaced').waitFor()
    assert.equal(await dialog.getByRole('banner').count(), 0)
    await dialog.getByRole('radio', { name: /^Keep the current version/ }).check()
    await dialog.getByRole('button', { name: 'Preview' }).click()
    await dialog.getByText('No pending changes.').waitFor()
    await dialog.getByRole('link', { name: 'Back to the zone' }).click()
    await page.getByText('192.0.2.99').waitFor()
    assert.isTrue(await page.locator('form[data-draft]').isHidden())

    await retype(visitor, 'www A', '192.0.2.12')
    await as.put(`/zones/${zone.id}/rrsets`, replacing)
    await as.put(`/zones/${zone.id}/rrsets`, { ...replacing, records: [{ content: '192.0.2.98' }] })
    await review(visitor)
      .getByRole('radio', { name: /^Keep my version/ })
      .check()
    await dialog.getByRole('button', { name: 'Preview' }).click()
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('1 record set changed').waitFor()
    const now = await contents()
    assert.include(now, '192.0.2.12')
    assert.notInclude(now, '192.0.2.98')

    await page.getByRole('link', { name: 'Edit www AAAA', exact: true }).click()
    await page.getByLabel('Comment', { exact: true }).fill('of one')
    await page.keyboard.press('Enter')
    const records = [{ content: '2001:db8::1', comment: 'of another' }]
    const action = { op: 'set', name: `www.${zone.name}`, type: 'AAAA', records }
    await expectStatus(as.post('/changes', { actions: [action] }), 201)
    await review(visitor).getByText('The comment of www AAAA 2001:db8::1 was changed').waitFor()
    await dialog.getByText('2001:db8::1 ; of another').waitFor()
    await dialog.getByRole('radio', { name: /^Keep my version/ }).check()
    await dialog.getByRole('button', { name: 'Preview' }).click()
    await dialog.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('Comments saved').waitFor()
    await page.getByText('of one', { exact: true }).waitFor()
    await visitor.leave()
  })

  test('a conflict is resolved without scripts', async ({ assert }) => {
    const visitor = await atZone({ scripts: false })
    const { page } = visitor
    await page.getByRole('link', { name: 'Edit www A', exact: true }).click()
    await page.getByLabel('Content', { exact: true }).fill('192.0.2.4')
    const replacing = { name: 'www', type: 'A', ttl: 60, records: [{ content: '192.0.2.99' }] }
    await as.put(`/zones/${zone.id}/rrsets`, replacing)
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByRole('radio', { name: /^Keep my version/ }).check()
    await visitor.picture('conflict-page')
    await page.getByRole('button', { name: 'Preview' }).click()
    await page.getByRole('button', { name: 'Apply' }).click()
    await page.getByText('1 record set changed').waitFor()
    const now = await contents()
    assert.include(now, '192.0.2.4')
    assert.notInclude(now, '192.0.2.99')
    await visitor.leave()
  })
})
