import type { BackendZone } from '#backends/contract/types'

/**
 * What the name server that serves the zones can be told to do at once, outside of any transaction. What follows a
 * write is not told here: it goes through the outbox.
 *
 * A server that cannot be reached is a `BackendUnavailable`, one that does not do it a `CallRefused`.
 */
export interface NameServer {
  /** Tells the replicas of the zone of its serial (RFC 1996). They hear of it a moment later. */
  notify(zone: BackendZone): Promise<void>
  /** Fetches a replica's records from its primary (RFC 5936). They are there a moment later. */
  retrieve(zone: BackendZone): Promise<void>
  /** Forgets what it remembers of the zone: records, metadata, and whether it is there. */
  flush(zone: BackendZone): Promise<void>
  /**
   * Whether the server runs the LUA records of every zone, as it said within the last minute; null where it does not say.
   * Absent where it cannot be asked.
   */
  runsLua?(): Promise<boolean | null>
}

/** The name server does not do what it was told; the message has its own words. */
export class CallRefused extends Error {
  readonly code = 'E_CALL_REFUSED'
}
