import type { BackendZone } from '#backends/contract/types'

/**
 * Immediate calls of the name server, outside of any transaction. Calls after a write are outbox messages instead.
 *
 * Throws `BackendUnavailable` if the server does not answer, `CallRefused` if it refuses.
 */
export interface NameServer {
  /** Requests NOTIFY to the replicas of the zone (RFC 1996). The server sends it later. */
  notify(zone: BackendZone): Promise<void>
  /** Requests a transfer of a replica from its primary (RFC 5936). The records arrive later. */
  retrieve(zone: BackendZone): Promise<void>
  /** Flushes the caches of the zone: records, metadata, and whether it exists. */
  flush(zone: BackendZone): Promise<void>
  /**
   * Whether the server runs the LUA records of every zone, cached for a minute; null if unknown. Absent if the server cannot
   * be called.
   */
  runsLua?(): Promise<boolean | null>
}

/** The name server refused the call. The message has its text. */
export class CallRefused extends Error {
  readonly code = 'E_CALL_REFUSED'
}
