import type { AuditEntry } from '#audit/entry'

/** The detail of an event, without the zones that it names for readers who need not see them. */
export function visibleDetail(
  detail: AuditEntry['detail'],
  seesZones: boolean
): AuditEntry['detail'] {
  const isObject = detail !== null && typeof detail === 'object' && !Array.isArray(detail)
  return seesZones || !isObject
    ? detail
    : Object.fromEntries(Object.entries(detail).filter(([name]) => name !== 'zones'))
}
