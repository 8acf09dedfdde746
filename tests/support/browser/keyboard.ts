import type { Locator, Page } from 'playwright-core'
import { focusOf, visibleFocus } from '#tests/support/browser/focus'

/** More than any page of ours has of what can have the focus. */
const MAX_STEPS = 120

/**
 * Goes from field to field by Tab, until this one has the focus. What has it on the way has to be seen.
 *
 * @param most so many steps it may take
 * @returns how many it took
 */
export async function tabTo(page: Page, wanted: Locator, most = MAX_STEPS): Promise<number> {
  const focused = wanted.and(page.locator(':focus'))
  for (let step = 0; step <= most; step++) {
    if ((await focused.count()) > 0) {
      await visibleFocus(page)
      return step
    }
    // Behind the last field nothing has it, before it begins anew.
    if (step > 0 && (await focusOf(page))) await visibleFocus(page)
    await page.keyboard.press('Tab')
  }
  throw new Error(`${most} times Tab do not come to ${wanted.toString()} on ${page.url()}`)
}

/** Goes to a field by Tab, and types into it. */
export async function typeInto(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field)
  await page.keyboard.press('Control+a')
  await page.keyboard.type(text)
}

/** Goes to a link or button by Tab, and presses it. */
export async function press(page: Page, wanted: Locator, most = MAX_STEPS): Promise<number> {
  const steps = await tabTo(page, wanted, most)
  await page.keyboard.press('Enter')
  return steps
}

/** Goes to a box by Tab, and ticks it. */
export async function tick(page: Page, box: Locator): Promise<void> {
  await tabTo(page, box)
  await page.keyboard.press('Space')
}

/** Goes to a group of radio buttons by Tab, and by arrows to the one that is wanted. */
export async function choose(page: Page, choices: Locator, wanted: Locator): Promise<void> {
  const radios = choices.getByRole('radio')
  const chosen = choices.getByRole('radio', { checked: true })
  // Where none is chosen, the first one has the place of all in the order of Tab.
  await tabTo(page, (await chosen.count()) > 0 ? chosen : radios.first())
  if ((await chosen.count()) === 0) await page.keyboard.press('Space')
  for (let step = 0; step < 10; step++) {
    if (await wanted.isChecked()) return
    await page.keyboard.press('ArrowDown')
    await visibleFocus(page)
  }
  throw new Error(`Arrows do not come to ${wanted.toString()}`)
}
