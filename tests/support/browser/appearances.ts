import type { Assert } from '@japa/assert'
import { HAS_ONE_APPEARANCE, type Appearance, type Visitor } from '#tests/support/browser/browser'

/**
 * The looks of a run: these, or with `TEST_LOOKS=one` the first of them, where another run has all. What pages look like does
 * not depend on the database.
 */
export function appearancesOf(all: Record<string, Appearance>): Record<string, Appearance> {
  const [first] = Object.entries(all)
  return HAS_ONE_APPEARANCE ? Object.fromEntries([first]) : all
}

const USUAL: Record<string, Appearance> = {
  light: {},
  dark: { theme: 'dark' },
  phone: { width: 390, height: 844 },
}

/** All that is unlike the usual look at once. */
export const ODD: Appearance = { theme: 'dark', width: 390, height: 844, locale: 'ar' }

/** How pages are looked at. */
export const APPEARANCES = appearancesOf(USUAL)

/** For pages that are looked at before anybody chose a theme. */
export const DARK_APPEARANCES: Record<string, Appearance> = {
  'dark': USUAL.dark,
  'phone': USUAL.phone,
  'dark-phone': { ...USUAL.phone, theme: 'dark' },
}

/** Beside these from right to left. */
export const ALL_APPEARANCES = appearancesOf({ ...USUAL, arabic: { locale: 'ar' } })

/** Light, and all that is unlike it at once: for pages whose looks are worth two visits. */
export const TWO_APPEARANCES = appearancesOf({ light: {}, odd: ODD })

/** A page, and how its picture is named before the look. No two tests give a picture the same name. */
export type Visit = readonly [file: string, path: string]

/**
 * Goes through pages, keeps a picture of each, and looks each over; in Arabic they go from right to left.
 *
 * @param look how they are looked at, as it stands in the names of the pictures
 */
export async function soundPages(
  visitor: Visitor,
  assert: Assert,
  visits: readonly Visit[],
  look: string,
  { opensDetails = false } = {}
): Promise<void> {
  const { page } = visitor
  for (const [file, path] of visits) {
    await page.goto(path)
    if (opensDetails) {
      for (const more of await page.locator('main details:not([data-menu])').all()) {
        await more.evaluate((part: { open: boolean }) => (part.open = true))
      }
    }
    await visitor.picture(`${file}-${look}`)
    if (visitor.locale === 'ar') {
      assert.equal(await page.locator('html').getAttribute('dir'), 'rtl', path)
    }
    await visitor.inspect(assert)
  }
}
