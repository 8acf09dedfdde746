import type { Assert } from '@japa/assert'
import { HAS_ONE_APPEARANCE, type Appearance, type Visitor } from '#tests/support/browser/browser'

/**
 * Returns these appearances, or only the first with `TEST_LOOKS=one`: another run then inspects the rest. The appearance
 * of pages does not depend on the database.
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

/** Every difference from the default appearance at once. */
export const ODD: Appearance = { theme: 'dark', width: 390, height: 844, locale: 'ar' }

/** Appearances that pages are inspected in. */
export const APPEARANCES = appearancesOf(USUAL)

/** For pages that are visited before a user chose a theme. */
export const DARK_APPEARANCES: Record<string, Appearance> = {
  'dark': USUAL.dark,
  'phone': USUAL.phone,
  'dark-phone': { ...USUAL.phone, theme: 'dark' },
}

/** The usual appearances and one from right to left. */
export const ALL_APPEARANCES = appearancesOf({ ...USUAL, arabic: { locale: 'ar' } })

/** Light, and every difference at once: for pages that need only two visits. */
export const TWO_APPEARANCES = appearancesOf({ light: {}, odd: ODD })

/** A page and the prefix of its screenshot file. Prefixes are unique over all tests. */
export type Visit = readonly [file: string, path: string]

/**
 * Visits pages, takes a screenshot of each, and inspects each. Arabic pages run from right to left.
 *
 * @param appearance name of the appearance in the names of the screenshots
 */
export async function inspectPages(
  visitor: Visitor,
  assert: Assert,
  visits: readonly Visit[],
  appearance: string,
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
    await visitor.picture(`${file}-${appearance}`)
    if (visitor.locale === 'ar') {
      assert.equal(await page.locator('html').getAttribute('dir'), 'rtl', path)
    }
    await visitor.inspect(assert)
  }
}
