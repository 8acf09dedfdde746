import type { AuditEntry } from '#audit/entry'

/** Returns the detail of an event without names of zones that the reader may not view. */
export function visibleDetail(
  detail: AuditEntry['detail'],
  seesZones: boolean
): AuditEntry['detail'] {
  const isObject = detail !== null && typeof detail === 'object' && !Array.isArray(detail)
  return seesZones || !isObject
    ? detail
    : Object.fromEntries(Object.entries(detail).filter(([name]) => name !== 'zones'))
}
