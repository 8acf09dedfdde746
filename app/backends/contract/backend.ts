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
import type { Listed } from '#lists/list_result'
import type { UnconfirmedWrites } from '#backends/contract/pending_writes'
import type { ZonePass } from '#backends/contract/zone_sync'

export type * from '#backends/contract/signing'
export type * from '#backends/contract/types'

/** What a backend can do; channels adapt to it (an absent capability answers 501 or 400, a control is hidden). */
export interface BackendCapabilities {
  /** Own tables commit together with DNS data. */
  sharedTransaction: boolean
  /** A zone can get another name. */
  rename: boolean
  /** Zones can be signed (`DnsBackend.signing`). */
  dnssec: boolean
  /** Every kind of metadata can be written; else those of which `MetadataKind.overApi` says so. */
  anyMetadata: boolean
}

/** How far a look for outside changes may go. */
export interface OutsideBounds {
  /** Records, there or remembered. */
  upTo?: number
  /** What a look at a large zone found may be up to a minute old, if no serial says that others wrote since. */
  allowsCached?: boolean
}

/**
 * The table of the product's own database that lists the zones of this backend. Lists, visibility and
 * ownership are answered from it by SQL, whichever backend it is; `id` is the zone id on every channel.
 */
export interface ZoneIndex {
  table: string
  columns: { id: string; name: string; kind: string }
  /**
   * The table beside it whose rows are the records that are served, with the columns of PowerDNS' `records`: present
   * where a zone and single records of it can be read by one statement.
   */
  records?: string
}

/** What lists show of a zone beside its name, as it was known last. */
export interface ZoneSummaryRow {
  /** null where the zone has no SOA record that is served. */
  serial: number | null
  /** `presigned`: its records came signed from elsewhere. null: it is not signed. */
  signing: 'signed' | 'presigned' | null
  /** Records; null where they were never counted. */
  records: number | null
}

/** What a backend stores of records so that lists of large zones are sorted by indexes. A keeper calls it. */
export interface ListOrders {
  /** Stores what is missing of the next rows; whether there were any. Short, and for any number of callers. */
  feed(): Promise<boolean>
  /** Looks whether what is stored is still right: at the next rows of all. */
  look(): Promise<void>
  /** Asks for all zones that are large enough. */
  ask(): Promise<void>
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
  /** Present with the capability `dnssec`. */
  readonly signing?: ZoneSigning
  /** Present where the name server that serves the zones can be called. */
  readonly nameServer?: NameServer
  /** Present where replicas may be brought by their primaries. */
  readonly autoprimaries?: Autoprimaries
  /** Present where other tools write to the same tables, so that something may be wrong in them. */
  readonly inspection?: Inspection
  /** Present where something is stored of records by which lists of them are sorted. */
  readonly listOrders?: ListOrders

  /** Present where zones are known by a list that has to be kept up to date. */
  readonly sync?: {
    /** Looks at all zones of the server. Throws `BackendUnavailable`. */
    run(): Promise<ZonePass>
  }
  /** Present where a write can be cut off between the server and the product's own tables. */
  readonly unconfirmed?: UnconfirmedWrites

  /** What lists show of zones, by id, for the cost of so many look-ups. Absent where the backend cannot tell. */
  zoneSummaries?(ids: readonly number[]): Promise<Map<number, ZoneSummaryRow>>

  findZone(id: number): Promise<BackendZone | null>
  findZoneByName(name: string): Promise<BackendZone | null>

  /**
   * A page of the records of the zone, as `RECORD_LIST` says, or all of them; without empty non-terminals.
   * The default order is the backend's own, by type, name and id.
   */
  listRecords(zone: BackendZone, query: RecordListQuery): Promise<Listed<StoredRecord>>
  /** The whole list in batches, none of them empty; the next one is read when it is asked for. */
  recordBatches(zone: BackendZone, query: RecordListQuery): AsyncGenerator<StoredRecord[], void>
  /** With `asKnown`, as it was known last, for who writes and looks again then. */
  findRecord(
    zone: BackendZone,
    id: RecordId,
    options?: { asKnown?: boolean }
  ): Promise<StoredRecord | null>

  /** Records of all zones in which all of this holds; within bounds, and it says whether they were reached. */
  searchRecords(search: ContentSearch): Promise<ContentHits>
  /** As `searchRecords`, among the comments that the backend itself keeps. */
  searchComments(search: ContentSearch): Promise<ContentHits>
  /** Records by their ids, of whatever zones; those that are gone are absent. */
  recordsByIds(ids: number[]): Promise<Map<RecordId, StoredRecord>>

  /** A page of the RRsets of the zone, as `RRSET_LIST` says, or all of them. */
  listRRsets(zone: BackendZone, query: RRsetListQuery): Promise<Listed<RRset>>
  /** As `recordBatches`. */
  rrsetBatches(zone: BackendZone, query: RRsetListQuery): AsyncGenerator<RRset[], void>

  /** Every RRset of the zone at once, by type, then name: for what needs the whole zone. */
  allRRsets(zone: BackendZone): Promise<RRset[]>

  /** Every RRset at these owner names. */
  rrsetsAt(zone: NamedZone, names: string[]): Promise<RRset[]>

  /** The NS and DNAME RRsets at these owner names: by them, the names below leave the zone. */
  cutsAt(zone: BackendZone, names: string[]): Promise<RRset[]>

  /** Owner names with records below any of these names, `limit` at most, in no order. */
  namesBelow(zone: BackendZone, names: string[], limit: number): Promise<string[]>

  /** Which of these names own a CNAME that is not disabled in a zone other than `exceptZoneId`. */
  aliasesAmong(names: string[], exceptZoneId: number): Promise<string[]>

  /** The metadata of the zone: kinds in upper case, by name. Kinds without a value are absent. */
  metadataOf(zone: BackendZone): Promise<Metadata>

  /**
   * Signed zones whose records are written here and not transferred, by id, from behind an id on: those for
   * which it matters that they are rectified. Zones that come signed from elsewhere are not among them.
   */
  signedZones(after: number, limit: number): Promise<BackendZone[]>
  /**
   * How many rows of the zone `WriteSession.rectify` would put right; null where the name server keeps them to itself. Reads the
   * zone once, and writes nothing.
   */
  wrongRows(zone: BackendZone): Promise<number | null>

  /**
   * Names of zones, other than `exceptZoneId`, that hold records exactly at `name` which are no
   * delegation (NS, DS).
   */
  zonesHolding(name: string, exceptZoneId?: number): Promise<string[]>

  /**
   * Whether records or properties may have changed without the product since it last wrote or looked, or the zone was
   * never looked at: then `WriteSession.takeExternalChanges`, or `takeOutsideProperties`, has something to take. False is exact.
   * Looks at the whole zone, writes nothing and holds no lock.
   *
   * Of a zone that is being written at a server nothing is told until that is done.
   *
   * With `upTo`, a zone of more records than that is not looked at: the answer is false then, for the same
   * cost however large the zone is. Of metadata it is only looked whether it was ever noted. With `allowsCached`, rows of a
   * large zone that others wrote without a serial may be told of a minute late.
   */
  hasOutsideChanges(zone: BackendZone, bounds?: OutsideBounds): Promise<boolean>

  /**
   * Runs `work` so that all of its writes happen or none. May run it again after a conflict with
   * another writer, so `work` must have no effect outside the session.
   *
   * Where the backend commits apart from own tables, throws `WriteRefused` for what it does not accept,
   * `WriteUnconfirmed` where nobody knows whether it was done, and `WritesPending` where an earlier write has to be
   * settled first.
   */
  write<T>(work: (session: WriteSession) => Promise<T>): Promise<T>

  /**
   * What has to follow a write to a zone, in this order; null stands for a zone that was not there before,
   * or is not there after. Looks at nothing: whoever writes puts it in the outbox, in the same transaction.
   *
   * @param withMetadata whether metadata of the zone that is there after was written
   */
  afterWrite(
    before: BackendZone | null,
    after: BackendZone | null,
    withMetadata?: boolean
  ): FollowUp[]
}
