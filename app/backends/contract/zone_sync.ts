import type { BackendZone } from '#backends/contract/types'

/** How zones that moved are read anew, and how many of them in one pass. */
export interface Refresh {
  /** Reads a zone anew. Throws `BackendUnavailable`, `WritesPending` and `ZoneGone`. */
  read(zone: BackendZone): Promise<void>
  /** Zones that are read at most. */
  most: number
  /** Milliseconds after which no other zone is begun. */
  forMs: number
  /** No other zone is begun once it is aborted. */
  signal?: AbortSignal
}

/** What a look at all zones of a name server came to, in numbers of zones. */
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
  /** Whose serial moved, or whose records were never read: read anew now. */
  refreshed: number
  /** That are to be read anew by a later pass. */
  waiting: number
  /** Names of those that could not be read anew. */
  unread: string[]
}

/** A look at all zones of a name server. */
export interface ZonePass {
  counts: SyncedZones
  /** Has zones read anew of which the server's list tells another serial, and those whose records were never read. */
  refresh(how: Refresh): Promise<RefreshedZones>
}
