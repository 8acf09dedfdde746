import { presentContent, recordType } from '#dns/records/registry'
import { TTL_LIMIT } from '#dns/ttl'
import { shownOwner, type ShownName } from '#web/shown_name'
import type { ZoneAt } from '#zones/zone_history'

/** A record of a zone as it was. */
export interface PastRecord {
  owner: ShownName
  type: string
  /** Seconds. */
  ttl: number
  priority: number | null
  content: string
  disabled: boolean
}

/** Each record of a zone as it was, made when it is called: a page shows few of them. */
export function pastRecords({ zone, rrsets }: ZoneAt): (() => PastRecord)[] {
  return rrsets.flatMap(({ name, type, ttl, records }) =>
    records.map(({ content, priority, disabled }) => () => ({
      owner: shownOwner(name, zone.name),
      type,
      ttl: Math.min(Math.max(ttl, 0), TTL_LIMIT),
      priority: recordType(type)?.priority ? (priority ?? 0) : null,
      content: presentContent(type, content),
      disabled,
    }))
  )
}
