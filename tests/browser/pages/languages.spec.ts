// @slow
import { test } from '@japa/runner'
import { caller, createRecord, createZone } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, type Person } from '#tests/support/app/people/people'
import { Visitor, type Appearance } from '#tests/support/browser/browser'
import { APPEARANCES, inspectPages } from '#tests/support/browser/appearances'

const EVERY_APPEARANCE: Record<string, Appearance> = {
  ...APPEARANCES,
  'more-contrast': { contrast: 'more' },
}

/** Script that returns the text direction of each selection, and the distance of its arrow from the left. */
const SELECT_DIRECTIONS = `Array.from(document.querySelectorAll('select.input'), (select) => {
  const { direction, backgroundPositionX } = getComputedStyle(select)
  return direction + ' ' + backgroundPositionX.split(',')[0]
})`

let admin: Person
let zone: { id: number; name: string }

test.group('Languages in the browser', (group) => {
  group.setup(async () => {
    admin = await administrator()
  })

  group.each.setup(async (t) => {
    const as = caller(t.context.client, admin)
    zone = await createZone(as, { name: zoneNamed() })
    await createRecord(as, zone, { name: 'www', type: 'A', content: '192.0.2.1', ttl: 5400 })
    await createRecord(as, zone, {
      name: 'mail',
      type: 'MX',
      content: 'mx.example.com',
      priority: 5,
    })
    const text = `"${'v=long; '.repeat(24)}"`
    await createRecord(as, zone, { name: 'text', type: 'TXT', content: text })
    const otherZone = await createZone(as, { name: zoneNamed() })
    const deletion = await as.delete(`/zones/${otherZone.id}`)
    deletion.assertStatus(204)
  })

  for (const [name, appearance] of Object.entries(EVERY_APPEARANCE)) {
    test(`pages in Arabic pass the page checks, ${name}`, async ({ assert }) => {
      const visitor = await Visitor.openWindow({ ...appearance, locale: 'ar' })
      await visitor.signIn(admin)
      const path = `/zones/${zone.id}`
      const visits: [file: string, path: string][] = [
        ['ar-home', '/'],
        ['ar-zones', '/zones'],
        ['ar-zone', path],
        ['ar-record', `${path}/records/new`],
        ['ar-history', `${path}/history`],
        ['ar-undo', `${path}/history/4/undo`],
        ['ar-at', `${path}/at?point=3`],
        ['ar-trash', '/trash'],
        ['ar-preferences', '/account/preferences'],
        ['ar-second-factor', '/account/second-factor'],
        ['ar-sessions', '/account/sessions'],
        ['ar-missing', '/zones/999999'],
      ]
      await inspectPages(visitor, assert, visits, name)
      await visitor.leave()
    })
  }

  test('a selection in Arabic starts opposite to its arrow', async ({ assert }) => {
    const visitor = await Visitor.openWindow({ locale: 'ar' })
    const { page } = visitor
    await visitor.signIn(admin)
    for (const path of ['/users/new', `/zones/${zone.id}/records/new`, `/zones/${zone.id}`]) {
      await page.goto(path)
      const directions: string[] = await page.evaluate(SELECT_DIRECTIONS)
      assert.isNotEmpty(directions, path)
      assert.isTrue(
        directions.every((direction) => direction === 'rtl 9px'),
        `${path}: ${directions.join('; ')}`
      )
    }
    await visitor.leave()
  })

  for (const locale of ['ar', 'de']) {
    test(`the sign-in page uses the language of the browser: ${locale}`, async ({ assert }) => {
      const visitor = await Visitor.openWindow({ locale })
      const { page } = visitor
      await page.goto('/login')
      assert.equal(await page.locator('html').getAttribute('lang'), locale)
      await visitor.picture(`${locale}-login`)
      await visitor.inspect(assert)
      await page.goto('/password/forgotten')
      await visitor.picture(`${locale}-forgotten`)
      await visitor.inspect(assert)
      await visitor.leave()
    })
  }
})
