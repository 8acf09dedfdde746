import type { ListedEvent } from '#audit/reader'

/**
 * An event of the API. Without `position` and `hash` it is what was sealed; readers who need not see the
 * zones that it names get it without them, and cannot check the hash.
 */
export function auditItem({ entry, position, hash }: ListedEvent, seesZones: boolean) {
  const { detail } = entry
  const isObject = detail !== null && typeof detail === 'object' && !Array.isArray(detail)
  const shown =
    seesZones || !isObject
      ? detail
      : Object.fromEntries(Object.entries(detail).filter(([name]) => name !== 'zones'))
  return { ...entry, detail: shown, position, hash }
}
