import type { BackendZone, FollowUp, NamedZone, StoredRecord } from '#backends/contract/types'
import type { Metadata } from '#dns/metadata/metadata'
import type { RecordId, RRset } from '#dns/types'
import type { ContentHits, ContentSearch } from '#backends/contract/search'
import type { RecordListQuery, RRsetListQuery } from '#backends/contract/record_lists'
import type { Autoprimaries } from '#backends/contract/autoprimaries'
import type { Inspection } from '#backends/contract/inspection'
import type { NameServer } from '#backends/contract/name_server'
import type { ZoneSigning } from '#backends/contract/signing'
import type { WriteSession } from '#backends/contract/write_session'
import type { ListResult } from '#lists/list_result'
import type { UnconfirmedWrites } from '#backends/contract/pending_writes'
import type { ZoneComparison } from '#backends/contract/zone_sync'

export type * from '#backends/contract/signing'
export type * from '#backends/contract/types'

/** Capabilities of a backend. Without one, channels answer 501 or 400 and hide the control. */
export interface BackendCapabilities {
  /** Zonewright tables commit together with DNS data. */
  sharedTransaction: boolean
  /** Zones can be renamed. */
  rename: boolean
  /** Zones can be signed (`DnsBackend.signing`). */
  dnssec: boolean
  /** Every kind of metadata can be written; otherwise those with `MetadataKind.overApi`. */
  anyMetadata: boolean
}

/** Bounds of a check for external changes. */
export interface ExternalCheckBounds {
  /** Maximum number of current records and of snapshots. */
  maxRecords?: number
  /** The result for a large zone may be up to a minute old, unless the serial changed. */
  allowsCached?: boolean
}

/**
 * The table that lists the zones of this backend. Lists, visibility and ownership read it by SQL. Its `id` is the zone
 * id in every channel.
 */
export interface ZoneIndex {
  table: string
  columns: { id: string; name: string; kind: string }
  /**
   * The table of the served records with the columns of PowerDNS' `records`. Present if one statement can read a zone and
   * single records of it.
   */
  records?: string
}

/** The last known values of a zone for lists. */
export interface ZoneSummaryRow {
  /** null if the zone has no enabled SOA record. */
  serial: number | null
  /** `presigned`: the primary signs the records. null: not signed. */
  signing: 'signed' | 'presigned' | null
  /** Number of records; null if they were never counted. */
  records: number | null
}

/** Sort keys that a backend stores for the record lists of large zones. A background task maintains them. */
export interface ListOrders {
  /** Creates missing sort keys of the next rows; returns whether there were any. Short, and safe for concurrent callers. */
  buildNext(): Promise<boolean>
  /** Verifies the sort keys of the next rows of all zones. */
  verifyNext(): Promise<void>
  /** Queues all large zones for new sort keys. */
  queueAllZones(): Promise<void>
}

/**
 * The storage of zones and records. Uses RRsets and changes, never SQL or HTTP.
 *
 * Reads see committed data. Every write runs in `write`, and only app/changes/ calls it. A backend that does not answer throws
 * `BackendUnavailable`, never an empty result.
 */
export interface DnsBackend {
  /** Name in config/dns.ts. */
  readonly name: string
  readonly capabilities: BackendCapabilities
  readonly zoneIndex: ZoneIndex
  /** Present with the capability `dnssec`. */
  readonly signing?: ZoneSigning
  /** Present if the name server can be called. */
  readonly nameServer?: NameServer
  /** Present if primaries can create secondary zones here. */
  readonly autoprimaries?: Autoprimaries
  /** Present if other tools write to the same tables, so that rows can be invalid. */
  readonly inspection?: Inspection
  /** Present if the backend stores sort keys of records. */
  readonly listOrders?: ListOrders

  /** Present if the list of zones must be synchronised. */
  readonly sync?: {
    /** Compares all zones of the server. Throws `BackendUnavailable`. */
    run(): Promise<ZoneComparison>
  }
  /** Present if a write can be interrupted between the server and Zonewright tables. */
  readonly unconfirmedWrites?: UnconfirmedWrites

  /** Values of zones for lists, by id, for the cost of one lookup each. Absent if the backend has none. */
  zoneSummaries?(ids: readonly number[]): Promise<Map<number, ZoneSummaryRow>>

  findZone(id: number): Promise<BackendZone | null>
  findZoneByName(name: string): Promise<BackendZone | null>

  /**
   * A page of the records of the zone (`RECORD_LIST`), or all; without empty non-terminals. The default order is that of the
   * backend: type, name, id.
   */
  listRecords(zone: BackendZone, query: RecordListQuery): Promise<ListResult<StoredRecord>>
  /** The whole list in non-empty batches, each read on request. */
  recordBatches(zone: BackendZone, query: RecordListQuery): AsyncGenerator<StoredRecord[], void>
  /** With `asKnown`, the last known record, for callers whose write compares it again. */
  findRecord(
    zone: BackendZone,
    id: RecordId,
    options?: { asKnown?: boolean }
  ): Promise<StoredRecord | null>

  /** Records of all zones that match all terms, within bounds; the result says whether they were reached. */
  searchRecords(search: ContentSearch): Promise<ContentHits>
  /** `searchRecords` for the comments in PowerDNS' table. */
  searchComments(search: ContentSearch): Promise<ContentHits>
  /** Records of any zones by id, without deleted ones. */
  recordsByIds(ids: number[]): Promise<Map<RecordId, StoredRecord>>

  /** A page of the RRsets of the zone (`RRSET_LIST`), or all. */
  listRRsets(zone: BackendZone, query: RRsetListQuery): Promise<ListResult<RRset>>
  /** As `recordBatches`. */
  rrsetBatches(zone: BackendZone, query: RRsetListQuery): AsyncGenerator<RRset[], void>

  /** Every RRset of the zone, by type, then name: for callers that need the whole zone. */
  allRRsets(zone: BackendZone): Promise<RRset[]>

  /** Every RRset at these owner names. */
  rrsetsAt(zone: NamedZone, names: string[]): Promise<RRset[]>

  /** The NS and DNAME RRsets at these owner names, which remove the names below from the zone. */
  cutsAt(zone: BackendZone, names: string[]): Promise<RRset[]>

  /** Owner names with records below any of these names, `limit` at most, in no order. */
  namesBelow(zone: BackendZone, names: string[], limit: number): Promise<string[]>

  /** Which of these names own a CNAME that is not disabled in a zone other than `exceptZoneId`. */
  aliasesAmong(names: string[], exceptZoneId: number): Promise<string[]>

  /** The metadata of the zone: kinds in upper case, by name. Kinds without a value are absent. */
  metadataOf(zone: BackendZone): Promise<Metadata>

  /**
   * Signed zones whose records Zonewright writes, by id, after an id: the zones that must be rectified. Zones that a
   * primary signs are left out.
   */
  signedZones(after: number, limit: number): Promise<BackendZone[]>
  /**
   * The number of rows that `WriteSession.rectify` would correct; null if only the name server knows. Reads the zone once, and
   * writes nothing.
   */
  countWrongRows(zone: BackendZone): Promise<number | null>

  /** Names of zones, except `exceptZoneId`, with records exactly at `name` that are no delegation (NS, DS). */
  zonesWithRecordsAt(name: string, exceptZoneId?: number): Promise<string[]>

  /**
   * Whether records or properties may have changed externally since the last write or check, or the zone was never checked:
   * then `takeExternalChanges` or `takeOutsideProperties` returns changes. False is exact. Reads the whole zone, writes
   * nothing and takes no lock. Reports no changes of a zone that is being written at a server.
   *
   * With `maxRecords`, returns false for a zone of more records, at a cost that does not depend on its size; of metadata, checks
   * only whether there is a snapshot. With `allowsCached`, external changes of a large zone without a new serial can be
   * reported a minute late.
   */
  hasExternalChanges(zone: BackendZone, bounds?: ExternalCheckBounds): Promise<boolean>

  /**
   * Runs `work` so that all of its writes take effect or none. Repeats it after a conflict with another writer: `work` must
   * have no effect outside the session.
   *
   * A backend that commits separately from Zonewright's tables throws `WriteRefused` for a write that it does not accept,
   * `WriteUnconfirmed` if the outcome is unknown, and `WritesPending` if an earlier write must be settled first.
   */
  write<T>(work: (session: WriteSession) => Promise<T>): Promise<T>

  /**
   * The outbox messages of a write to a zone, in order; null is a zone that did not or does not exist. Reads nothing: the
   * caller stores them in its transaction.
   *
   * @param withMetadata whether metadata of the new zone was written
   */
  afterWrite(
    before: BackendZone | null,
    after: BackendZone | null,
    withMetadata?: boolean
  ): FollowUp[]
}
