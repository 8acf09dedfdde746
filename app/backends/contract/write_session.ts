import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { Metadata } from '#dns/metadata/metadata'
import type { RecordId, RRset, RRsetChange } from '#dns/types'
import type {
  BackendZone,
  NewZone,
  PropertyChange,
  StoredRecord,
  NonRecordData,
  ZoneKey,
  ZonePatch,
} from '#backends/contract/types'

/**
 * Hooks in the transaction that stores a pending write, and in the one that withdraws it. `settle` calls neither hook: its
 * caller stores the outcome.
 */
export interface PendingWriteHooks {
  /** May throw; then the write is not started. */
  onStored(trx: TransactionClientContract): Promise<void>
  onWithdrawn(trx: TransactionClientContract): Promise<void>
}

/** Data that a pending write stores in addition to its steps. JSON, except for the hooks. */
export interface PendingEffects {
  author: object
  /** Side effects in Zonewright tables. */
  effects: object
  /** Called whenever the write is stored and withdrawn. */
  hooks?: PendingWriteHooks
}

/** An atomic write on a backend. Only app/changes/ has one (a lint rule). */
export interface WriteSession {
  /** The transaction that Zonewright tables share with DNS data; null without `capabilities.sharedTransaction`. */
  readonly transaction: TransactionClientContract | null

  /** Sets the data that a pending write stores in addition to its steps, for recovery. Call it at the end of the work. */
  setPendingEffects?(effects: PendingEffects): void

  /**
   * Whether the name server no longer has the zone, for the settlement of a write (`UnconfirmedWrites.settle`). Its last known
   * state is read then, and `deleteZone` only deletes that.
   */
  isMissingOnServer?(zone: BackendZone): Promise<boolean>

  /**
   * Locks each zone, in the order of ids, and returns the existing ones. Must come before any read of the session: data that
   * is read later cannot change until the session ends.
   */
  lockZones(ids: number[]): Promise<Map<number, BackendZone>>

  findZoneByName(name: string): Promise<BackendZone | null>
  rrsetsAt(zone: BackendZone, names: string[]): Promise<RRset[]>
  /** The records of the zone with these ids, in any order; missing ones are left out. */
  findRecords(zone: BackendZone, ids: RecordId[]): Promise<StoredRecord[]>
  /** Every RRset of the zone; for zone deletion and the whole-zone journal only. */
  allRRsets(zone: BackendZone): Promise<RRset[]>
  /** RRsets of the given types whose content names one of `targets` (hosts that MX, NS ... point to). */
  rrsetsPointingTo(zone: BackendZone, types: string[], targets: string[]): Promise<RRset[]>
  /** As of `DnsBackend`. */
  cutsAt(zone: BackendZone, names: string[]): Promise<RRset[]>
  /** As of `DnsBackend`. */
  namesBelow(zone: BackendZone, names: string[], limit: number): Promise<string[]>
  /** As of `DnsBackend`. */
  aliasesAmong(names: string[], exceptZoneId: number): Promise<string[]>
  /** As of `DnsBackend`. */
  metadataOf(zone: BackendZone): Promise<Metadata>
  /** As of `DnsBackend`. */
  signedZones(after: number, limit: number): Promise<BackendZone[]>
  /** Kinds, in upper case, with values that are stored in another spelling, which name servers may not find. */
  misspeltKinds(zone: BackendZone): Promise<string[]>
  nonRecordData(zone: BackendZone): Promise<NonRecordData>
  /** DNSSEC keys with private keys, only for the storage of a deleted zone. */
  keysOf(zone: BackendZone): Promise<ZoneKey[]>

  /**
   * External changes since the last write or check, by name, then type: `before` is the snapshot, `after` the current set. The
   * session updates the snapshot, so that each change is reported once. New ids and other spellings of equal records are no
   * change. A zone without a snapshot gets one, and nothing is reported.
   *
   * With `names`, checks only these owner names, and the former names of their records; other changes are reported later. Call
   * it with the zone locked, before RRsets of these names are applied.
   */
  takeExternalChanges(zone: BackendZone, names?: string[]): Promise<RRsetChange[]>
  /** Administrator-only record types of a zone at the first check of this session, one entry per record. */
  takeNewRestrictedTypes(zone: BackendZone): string[]
  /** Whether there is a snapshot of the properties of the zone, so that external changes are reported. */
  hasPropertiesSnapshot(zone: BackendZone): Promise<boolean>
  /**
   * External changes of kind, primaries and account, and of metadata on request; null without changes. Ignores metadata that
   * signing adds and removes.
   */
  takeExternalPropertyChanges(
    zone: BackendZone,
    options?: { withMetadata?: boolean }
  ): Promise<PropertyChange | null>

  /** Throws `ZoneExists` when the name is taken. */
  createZone(zone: NewZone): Promise<BackendZone>
  updateZone(zone: BackendZone, patch: ZonePatch): Promise<BackendZone>
  /**
   * Moves the zone, its owner names and its comments to another apex. Record contents stay as they are.
   * Throws `ZoneExists` when the name is taken.
   */
  renameZone(zone: BackendZone, name: string): Promise<BackendZone>
  deleteZone(zone: BackendZone): Promise<void>

  /**
   * Replaces the values of these kinds, in upper case; an empty list deletes a kind. Other kinds do not change. Rectifies a
   * signed zone if its denial of existence changes.
   */
  writeMetadata(zone: BackendZone, metadata: Metadata): Promise<void>

  /**
   * Changes the RRsets from `before` to `after`. A record of `after` with the id of a stored record retains the id, also with
   * another owner name or type. Returns the changes with the current ids of the records. They are no external changes.
   */
  applyRRsets(zone: BackendZone, changes: RRsetChange[]): Promise<RRsetChange[]>

  /**
   * Rectifies the zone for its current keys: `auth`, empty non-terminals and `ordername`. For new or deleted keys, and errors
   * of other tools; `applyRRsets` rectifies what it changes. Reads the whole zone. Returns the number of wrong or missing
   * rows; null if the name server rectifies and does not report it.
   */
  rectify(zone: BackendZone): Promise<number | null>
}
