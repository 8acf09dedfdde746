import type { BackendZone } from '#backends/contract/types'

/** How changed zones are read, and how many in one pass. */
export interface RefreshOptions {
  /** Reads a zone. Throws `BackendUnavailable`, `WritesPending` and `ZoneGone`. */
  read(zone: BackendZone): Promise<void>
  /** Zones that are read at most. */
  maxZones: number
  /** Milliseconds after which no other zone is begun. */
  maxMs: number
  /** No other zone is begun once it is aborted. */
  signal?: AbortSignal
}

/** Numbers of zones of a comparison with the name server. */
export interface SyncedZones {
  /** That the server has. */
  zones: number
  /** That were not known. */
  added: number
  /** Of another kind, or with other primaries, than was known. */
  changed: number
  /** That the server does not have, though they are still in the lists. */
  missing: number
  /** That were missing long enough, and left the lists. */
  removed: number
}

/** What became of zones that moved since they were read, in numbers of them. */
export interface RefreshedZones {
  /** Read now: their serial changed, or their records were never read. */
  refreshed: number
  /** To be read by a later pass. */
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
