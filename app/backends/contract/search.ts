import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import type { Term } from '#dns/search/terms'

/** What to look for among records or comments. */
export interface ContentSearch {
  /** All of them hold for a hit. */
  terms: readonly Term[]
  /** Zones to look in; null for all that `onlyVisibleZones` leaves. */
  zoneIds: readonly number[] | null
  /** Narrows a query on the zone index (`DnsBackend.zoneIndex`) to zones that may be seen. */
  onlyVisibleZones: (rows: DatabaseQueryBuilderContract) => void
  /** The most hits; more of them make the answer incomplete. */
  limit: number
  /** Whether a record in which the terms hold is a hit, by the first characters of its content; only hits count against the limit. */
  accepts?: (text: string) => boolean
}

/** Where something was found. */
export interface ContentHit {
  /** Of the record or the comment. */
  id: number
  zoneId: number
  zoneName: string
  /** Owner name. */
  name: string
  type: string
  /** The first characters of the content or comment. */
  text: string
}

/** What was found, in the order of ids. */
export interface ContentHits {
  hits: ContentHit[]
  /** Whether there is nothing else to find. */
  isComplete: boolean
}
