import type { Locator, Page } from 'playwright-core'

/** More than any page of ours has of what can have the focus. */
const MOST_STEPS = 120

/** Goes from field to field by Tab, until this one has the focus. */
export async function tabTo(page: Page, wanted: Locator): Promise<void> {
  const focused = wanted.and(page.locator(':focus'))
  for (let step = 0; step < MOST_STEPS; step++) {
    if ((await focused.count()) > 0) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not come to ${wanted.toString()} on ${page.url()}`)
}

/** Goes to a field by Tab, and types into it. */
export async function typeInto(page: Page, field: Locator, text: string): Promise<void> {
  await tabTo(page, field)
  await page.keyboard.press('Control+a')
  await page.keyboard.type(text)
}

/** Goes to a link or button by Tab, and presses it. */
export async function press(page: Page, wanted: Locator): Promise<void> {
  await tabTo(page, wanted)
  await page.keyboard.press('Enter')
}

/** Goes to a group of radio buttons by Tab, and by arrows to the one that is wanted. */
export async function choose(page: Page, choices: Locator, wanted: Locator): Promise<void> {
  await tabTo(page, choices.getByRole('radio', { checked: true }))
  for (let step = 0; step < 10; step++) {
    if (await wanted.isChecked()) return
    await page.keyboard.press('ArrowDown')
  }
  throw new Error(`Arrows do not come to ${wanted.toString()}`)
}
