import type { ZoneProperties } from '#changes/model/zone_properties'
import type { RRsetChange } from '#dns/types'

/** One entry of a zone's journal. */
export interface JournalRow {
  id: number
  entry: number
  zoneId: number
  zoneName: string
  time: string
  userId: number | null
  username: string
  apiKeyId: number | null
  address: string | null
  channel: string
  reason: string | null
  serialBefore: number | null
  serialAfter: number | null
  originKind: string | null
  originId: string | null
  /** Properties before and after; null on both sides if only records changed. */
  zoneBefore: ZoneProperties | null
  zoneAfter: ZoneProperties | null
}

/** A journal entry with its changes. */
export interface JournalEntryDetail extends JournalRow {
  changes: RRsetChange[]
}
