import type { ListedEvent } from '#audit/reader'
import { shownDetail } from '#audit/shown_detail'

/**
 * An event of the API. Without `position` and `hash` it is what was sealed; readers who need not see the
 * zones that it names get it without them, and cannot check the hash.
 */
export function auditItem({ entry, position, hash }: ListedEvent, seesZones: boolean) {
  return { ...entry, detail: shownDetail(entry.detail, seesZones), position, hash }
}
