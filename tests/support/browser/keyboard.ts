import type { Locator, Page } from 'playwright-core'
import { focusOf, visibleFocus } from '#tests/support/browser/focus'

/** Larger than the number of focusable elements of any page. */
const MAX_STEPS = 120

/**
 * Presses Tab until this element has the focus. Every focused element on the way must be visible.
 *
 * @param maximum maximum number of steps
 * @returns number of steps
 */
export async function tabTo(page: Page, wanted: Locator, maximum = MAX_STEPS): Promise<number> {
  const focused = wanted.and(page.locator(':focus'))
  for (let step = 0; step <= maximum; step++) {
    if ((await focused.count()) > 0) {
      await visibleFocus(page)
      return step
    }
    // After the last field, no element has the focus until the order starts again.
    if (step > 0 && (await focusOf(page))) await visibleFocus(page)
    await page.keyboard.press('Tab')
  }
  throw new Error(`${maximum} times Tab do not come to ${wanted.toString()} on ${page.url()}`)
}

/** Moves to a field by Tab, and types into the field. */
export async function typeInto(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field)
  await page.keyboard.press('Control+a')
  await page.keyboard.type(text)
}

/** Moves to a link or button by Tab, and presses Enter. */
export async function press(page: Page, wanted: Locator, maximum = MAX_STEPS): Promise<number> {
  const steps = await tabTo(page, wanted, maximum)
  await page.keyboard.press('Enter')
  return steps
}

/** Moves to a checkbox by Tab, and checks it. */
export async function tick(page: Page, box: Locator): Promise<void> {
  await tabTo(page, box)
  await page.keyboard.press('Space')
}

/** Moves to a group of radio buttons by Tab, and selects the wanted one with arrow keys. */
export async function choose(page: Page, choices: Locator, wanted: Locator): Promise<void> {
  const radios = choices.getByRole('radio')
  const chosen = choices.getByRole('radio', { checked: true })
  // Without a selected button, the first button takes the focus of the group.
  await tabTo(page, (await chosen.count()) > 0 ? chosen : radios.first())
  if ((await chosen.count()) === 0) await page.keyboard.press('Space')
  for (let step = 0; step < 10; step++) {
    if (await wanted.isChecked()) return
    await page.keyboard.press('ArrowDown')
    await visibleFocus(page)
  }
  throw new Error(`Arrows do not come to ${wanted.toString()}`)
}
