import type { Locator } from 'playwright-core'
import { createRecord, type Caller } from '#tests/support/app/api'
import type { Visitor } from '#tests/support/browser/browser'

/** Adds records to a zone for editor tests. One record is long. */
export async function fillZone(as: Caller, zone: { id: number }): Promise<void> {
  await createRecord(as, zone, { name: 'www', type: 'A', content: '192.0.2.1' })
  await createRecord(as, zone, { name: 'www', type: 'AAAA', content: '2001:db8::1' })
  await createRecord(as, zone, { name: '@', type: 'MX', content: 'mail.example.net', priority: 10 })
  const long = `"v=spf1 ${'include:spf.mail.example.net '.repeat(8)}-all"`
  await createRecord(as, zone, { name: '@', type: 'TXT', content: long, ttl: 86_400 })
}

/** Types another content into the row of a record. */
export async function retype({ page }: Visitor, record: string, content: string): Promise<void> {
  await page.getByRole('link', { name: `Edit ${record}`, exact: true }).click()
  await page.getByLabel('Content', { exact: true }).fill(content)
  await page.keyboard.press('Enter')
}

/** Opens the review of the pending changes. */
export function review({ page }: Visitor): Locator {
  void page.getByRole('button', { name: 'Review' }).click()
  return page.getByRole('dialog', { name: 'Review changes' })
}
