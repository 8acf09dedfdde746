import { presentContent, recordType } from '#dns/records/registry'
import { TTL_LIMIT } from '#dns/rdata/ttl'
import type { RRsetKey } from '#dns/types'
import { identity } from '#dns/zonefile/reading/gatherer'
import { shownOwner, type DisplayName } from '#web/page/display_name'
import type { ZoneAt } from '#zones/history/history'

/** A record of an earlier state of a zone. */
export interface PastRecord {
  owner: DisplayName
  type: string
  /** Seconds. */
  ttl: number
  priority: number | null
  content: string
  disabled: boolean
  /** Its comment; '' for none. */
  comment: string
}

/** The records of an earlier version of a zone, as functions: a page displays few of them. */
export function pastRecords({ zone, rrsets, comments }: ZoneAt): (() => PastRecord)[] {
  const keyOf = (key: RRsetKey, record: Parameters<typeof identity>[0]) =>
    `${key.name} ${key.type} ${identity(record)}`
  const words = new Map(comments.map((comment) => [keyOf(comment, comment), comment.inline]))
  return rrsets.flatMap(({ name, type, ttl, records }) =>
    records.map((record) => () => ({
      owner: shownOwner(name, zone.name),
      type,
      ttl: Math.min(Math.max(ttl, 0), TTL_LIMIT),
      priority: recordType(type)?.priority ? (record.priority ?? 0) : null,
      content: presentContent(type, record.content),
      disabled: record.disabled,
      comment: words.get(keyOf({ name, type }, record)) ?? '',
    }))
  )
}
