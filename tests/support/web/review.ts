import { unescaped, type Page } from '#tests/support/web/client'

/** A record as the editor's page hands it to the script. */
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

/** A field of the form on a plan. */
export function fieldOf(page: Page, name: string): string {
  const value = new RegExp(`name="${name}" value="([^"]*)"`).exec(page.html)?.[1] ?? ''
  return unescaped(value)
}

/** The records of a zone's page. */
export function shownRecords(page: Page): ShownRecord[] {
  return [...page.html.matchAll(/data-record="([^"]*)"/g)].map(
    ([, text]) => JSON.parse(unescaped(text)) as ShownRecord
  )
}

/** The newest entry of the history that a zone's page was made after. */
export function entryOf(page: Page): number {
  return Number(/data-entry="(\d+)"/.exec(page.html)?.[1])
}

/** What a page says, without its elements. */
export function wordsOf(page: Page): string {
  return unescaped(page.html.replaceAll(/<[^>]*>/g, ' ')).replaceAll(/\s+/g, ' ')
}

/** Controls of a page that are denied with a reason, several of one decision joined. */
export function deniedOn({ html }: Page): string[] {
  return [...html.matchAll(/<summary>[^<]*<span class="unseen">: ([^<]*)<\/span>/g)].map(
    ([, text]) => unescaped(text)
  )
}
