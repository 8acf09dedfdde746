import { unescaped, type Page } from '#tests/support/web/client'

/** A record as the page of the editor passes it to the script. */
export interface ShownRecord {
  id: string
  tag: string
  name: string
  type: string
  content: string
  ttl: number
  priority: number | null
  disabled: boolean
  comment: string
}

/** Returns the value of a field of the form on a plan. */
export function fieldOf(page: Page, name: string): string {
  const value = new RegExp(`name="${name}" value="([^"]*)"`).exec(page.html)?.[1] ?? ''
  return unescaped(value)
}

/** Returns the records on the page of a zone. */
export function shownRecords(page: Page): ShownRecord[] {
  return [...page.html.matchAll(/data-record="([^"]*)"/g)].map(
    ([, text]) => JSON.parse(unescaped(text)) as ShownRecord
  )
}

/** Returns the number of the newest history entry when the page of a zone was rendered. */
export function entryOf(page: Page): number {
  return Number(/data-entry="(\d+)"/.exec(page.html)?.[1])
}

/** Returns the text of a page without its elements. */
export function wordsOf(page: Page): string {
  return unescaped(page.html.replaceAll(/<[^>]*>/g, ' ')).replaceAll(/\s+/g, ' ')
}

/** Returns the disabled controls of a page with their reasons. Controls with one reason are joined. */
export function deniedOn({ html }: Page): string[] {
  return [...html.matchAll(/<summary>[^<]*<span class="unseen">: ([^<]*)<\/span>/g)].map(
    ([, text]) => unescaped(text)
  )
}
