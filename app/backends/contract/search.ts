import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import type { Term } from '#dns/search/terms'

/** A search among records or comments. */
export interface ContentSearch {
  /** A hit matches all of them. */
  terms: readonly Term[]
  /** Zones to search; null for all that `onlyVisibleZones` allows. */
  zoneIds: readonly number[] | null
  /** Restricts a query on the zone index (`DnsBackend.zoneIndex`) to visible zones. */
  onlyVisibleZones: (rows: DatabaseQueryBuilderContract) => void
  /** Maximum number of hits; more make the result incomplete. */
  limit: number
  /**
   * Whether a record that matches the terms is a hit, by the first characters of its content. Only hits count against the
   * limit.
   */
  accepts?: (text: string) => boolean
}

/** A record or comment that a search found. */
export interface ContentHit {
  /** Id of the record or comment. */
  id: number
  zoneId: number
  zoneName: string
  /** Owner name. */
  name: string
  type: string
  /** The first characters of the content or comment. */
  text: string
}

/** Hits in the order of ids. */
export interface ContentHits {
  hits: ContentHit[]
  /** Whether the search returned all matches. */
  isComplete: boolean
}
