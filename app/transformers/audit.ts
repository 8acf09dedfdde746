import type { ListedEvent } from '#audit/reader'
import { visibleDetail } from '#audit/visible_detail'

/**
 * An event. Without `position` and `hash`, it is the sealed content. Readers without the right to
 * view its zones get a reduced detail, and cannot verify the hash.
 */
export function auditItem({ entry, position, hash }: ListedEvent, seesZones: boolean) {
  return { ...entry, detail: visibleDetail(entry.detail, seesZones), position, hash }
}
