// @databases @slow
import { test } from '@japa/runner'
import { caller, createRecord, createZone } from '#tests/support/app/api'
import { zoneNamed } from '#tests/support/app/names'
import { administrator, type Person } from '#tests/support/app/people/people'
import { Visitor, type Appearance } from '#tests/support/browser/browser'
import { fillZone, retype, review } from '#tests/support/browser/zone'

/** The product's high-contrast theme on light and dark systems, and forced colours of the system without a theme. */
const APPEARANCES: Record<string, Appearance & { wants: 'any' | 'high' }> = {
  'contrast-light': { wants: 'high' },
  'contrast-dark': { theme: 'dark', wants: 'high' },
  'forced-light': { forcedColours: true, wants: 'any' },
  'forced-dark': { forcedColours: true, theme: 'dark', wants: 'any' },
}

/** Runs in pages: marks that remain visible with forced backgrounds and without shadows. */
const MARKS = `(() => {
  const line = (place) => getComputedStyle(document.querySelector(place)).borderBlockEndColor
  const current = ['.nav', '.tabs'].filter((one) =>
    line(one + ' a[aria-current]') !== line(one + ' a:not([aria-current])'))
  const row = getComputedStyle(document.querySelector('.records tr.dirty > td:first-child'))
  return { current, row: row.borderInlineStartWidth }
})()`
/** Runs in the page of components: the border of a flash message. */
const TOAST = `getComputedStyle(document.querySelector('.toast')).borderBlockStartStyle`

let admin: Person
let zone: { id: number; name: string }

test.group('High contrast', (group) => {
  group.each.timeout(60_000)
  group.each.setup(async (t) => {
    admin = await administrator()
    const as = caller(t.context.client, admin)
    zone = await createZone(as, { name: zoneNamed() })
    await fillZone(as, zone)
    await createRecord(as, zone, { name: 'off', type: 'A', content: '192.0.2.9', disabled: true })
  })

  for (const [name, { wants, ...look }] of Object.entries(APPEARANCES)) {
    test(`components and zone pages are legible in high contrast, ${name}`, async ({ assert }) => {
      const visitor = await Visitor.openWindow(look)
      const { page } = visitor
      await visitor.signIn(admin)
      await page.goto('/account/preferences')
      if (wants === 'high') {
        await page.getByLabel('Theme').selectOption('contrast')
        await page.getByRole('button', { name: 'Save' }).click()
        await page.locator('html[data-theme=contrast]').waitFor()
      }
      const path = `/zones/${zone.id}`
      const visits = {
        styleguide: '/styleguide',
        preferences: '/account/preferences',
        zones: '/zones',
        history: `${path}/history/2`,
        text: `${path}/text`,
        server: '/jobs',
      }
      for (const [file, address] of Object.entries(visits)) {
        await page.goto(address)
        if (file === 'text') await page.locator('.cm-content').waitFor()
        await visitor.picture(`${file}-${name}`)
        if (file === 'styleguide' && wants === 'any') {
          assert.equal(await page.evaluate(TOAST), 'solid')
        }
        await visitor.inspect(assert, { contrast: wants })
      }
      await page.goto(path)
      await retype(visitor, 'www A', '192.0.2.77')
      await page.getByText('1 change').waitFor()
      await visitor.picture(`zone-draft-${name}`)
      if (wants === 'any') {
        const marks = await page.evaluate(MARKS)
        assert.deepEqual(marks, { current: ['.nav', '.tabs'], row: '4px' })
      }
      await visitor.inspect(assert, { contrast: wants })
      await review(visitor).getByRole('button', { name: 'Apply' }).waitFor()
      await visitor.picture(`zone-review-${name}`)
      await visitor.inspect(assert, { contrast: wants })
      await visitor.leave()
    })
  }
})
