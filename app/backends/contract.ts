import type { BackendZone, StoredRecord } from '#backends/types'
import type { RecordId, RRset } from '#dns/types'
import type { WriteSession } from '#backends/write_session'

export type * from '#backends/types'

/** Which records of a zone to list. Order: type, then name, then id. */
export interface RecordQuery {
  type?: string
  /** Both or none. */
  offset?: number
  limit?: number
}

/** What a backend can do; doors adapt to it (an absent capability answers 501 or 400, a control is hidden). */
export interface BackendCapabilities {
  /** Own tables commit together with DNS data. */
  sharedTransaction: boolean
  /** A zone can get another name. */
  rename: boolean
}

/**
 * The table of the product's own database that lists the zones of this backend. Lists, visibility and
 * ownership are answered from it by SQL, whichever backend it is; `id` is the zone id on every door.
 */
export interface ZoneIndex {
  table: string
  columns: { id: string; name: string; kind: string }
}

/**
 * Where zones and records live. Speaks RRsets and changes, never SQL or HTTP.
 *
 * Reads see what is committed. Every write runs in `write`, and only app/changes/ calls it.
 * A backend that cannot be reached throws `BackendUnavailable`, never an empty answer.
 */
export interface DnsBackend {
  /** Name in config/dns.ts. */
  readonly name: string
  readonly capabilities: BackendCapabilities
  readonly zoneIndex: ZoneIndex

  findZone(id: number): Promise<BackendZone | null>
  findZoneByName(name: string): Promise<BackendZone | null>

  /** Records of the zone without empty non-terminals, and how many match without the window. */
  listRecords(
    zone: BackendZone,
    query: RecordQuery
  ): Promise<{ records: StoredRecord[]; total: number }>
  findRecord(zone: BackendZone, id: RecordId): Promise<StoredRecord | null>

  /** Every RRset at these owner names. */
  rrsetsAt(zone: BackendZone, names: string[]): Promise<RRset[]>

  /**
   * Names of zones, other than `exceptZoneId`, that hold records exactly at `name` which are no
   * delegation (NS, DS).
   */
  zonesHolding(name: string, exceptZoneId?: number): Promise<string[]>

  /**
   * Runs `work` so that all of its writes happen or none. May run it again after a conflict with
   * another writer, so `work` must have no effect outside the session.
   */
  write<T>(work: (session: WriteSession) => Promise<T>): Promise<T>
}
