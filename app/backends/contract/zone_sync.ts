import type { BackendZone } from '#backends/contract/types'

/** Limits of one pass that reads changed zones. */
export interface RefreshOptions {
  /** Reads a zone. Throws `BackendUnavailable`, `WritesPending` and `ZoneGone`. */
  read(zone: BackendZone): Promise<void>
  /** Maximum number of zones to read. */
  maxZones: number
  /** Milliseconds after which no further zone is read. */
  maxMs: number
  /** After an abort, no further zone is read. */
  signal?: AbortSignal
}

/** Numbers of zones in a comparison with the name server. */
export interface SyncedZones {
  /** Zones on the server. */
  zones: number
  /** Zones that were added to the mirror. */
  added: number
  /** Zones with another kind or other primaries. */
  changed: number
  /** Zones that are missing on the server, but still in the lists. */
  missing: number
  /** Zones that were missing for long enough and were removed from the lists. */
  removed: number
}

/** Numbers of changed zones that were read, or not. */
export interface RefreshedZones {
  /** Zones that were read: their serial changed, or their records were never read. */
  refreshed: number
  /** Zones that a later pass reads. */
  waiting: number
  /** Names of zones that could not be read. */
  unread: string[]
}

/** A comparison of all zones of a name server. */
export interface ZoneComparison {
  counts: SyncedZones
  /** Reads zones whose serial in the list of the server changed, and those whose records were never read. */
  refresh(options: RefreshOptions): Promise<RefreshedZones>
}
