import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { Metadata } from '#dns/metadata/metadata'
import type { RecordId, RRset, RRsetChange } from '#dns/types'
import type {
  BackendZone,
  NewZone,
  PropertyChange,
  StoredRecord,
  ZoneBelongings,
  ZoneKey,
  ZonePatch,
} from '#backends/contract/types'

/**
 * Hooks in the transaction that stores a pending write, and in the one that withdraws it. `settle` calls neither hook: its
 * caller stores the outcome.
 */
export interface PendingWriteHooks {
  /** May throw: the write is not begun then. */
  begun(trx: TransactionClientContract): Promise<void>
  withdrawn(trx: TransactionClientContract): Promise<void>
}

/** What a pending write stores besides its steps. JSON, but for the marks. */
export interface PendingEffects {
  author: object
  /** What Zonewright's tables get with the write. */
  effects: object
  /** Called whenever the write is stored and withdrawn. */
  marks?: PendingWriteHooks
}

/**
 * One all-or-nothing write on a backend. Only app/changes/ holds one (a lint rule keeps it so).
 */
export interface WriteSession {
  /**
   * The transaction that own tables share with DNS data, or null where the backend has none
   * (`capabilities.sharedTransaction`).
   */
  readonly transaction: TransactionClientContract | null

  /**
   * Gives the backend what a pending write stores besides its steps, so that recovery can apply it. To be called at the
   * end of the work.
   */
  intend?(effects: PendingEffects): void

  /**
   * Whether the name server has the zone no more, for whoever settles a write (`UnconfirmedWrites.settle`). Such a zone is
   * read as it was known, and `deleteZone` only forgets it.
   */
  isGone?(zone: BackendZone): Promise<boolean>

  /**
   * Takes the write lock of each zone, in id order, and returns the zones that exist. Must come before
   * any read of the session: what is read afterwards cannot change until the session ends.
   */
  lockZones(ids: number[]): Promise<Map<number, BackendZone>>

  findZoneByName(name: string): Promise<BackendZone | null>
  rrsetsAt(zone: BackendZone, names: string[]): Promise<RRset[]>
  /** The records of the zone among these ids, in any order; those that are not there are left out. */
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
  /** Kinds, in upper case, of which values are stored in another spelling: name servers may not find those. */
  misspeltKinds(zone: BackendZone): Promise<string[]>
  belongings(zone: BackendZone): Promise<ZoneBelongings>
  /** DNSSEC keys with their private parts; to keep them for a deleted zone, and for nothing else. */
  keysOf(zone: BackendZone): Promise<ZoneKey[]>

  /**
   * What others changed since the product last wrote or looked, by name, then type: `before` is what was
   * known, `after` what is there. The session takes note of it, so that each change is told once. New ids
   * and other spellings of the same records are no change. A zone that was never looked at is taken note
   * of as it stands, and nothing is told.
   *
   * With `names`, only these owner names are looked at, and where their records had another name before,
   * that one too; what changed elsewhere is left to be told later. To be called with the zone locked, and
   * before RRsets of these names are applied.
   */
  takeExternalChanges(zone: BackendZone, names?: string[]): Promise<RRsetChange[]>
  /** Types of records for administrators that a zone held when this session was the first to look at it, one of each record. */
  takeFirstFound(zone: BackendZone): string[]
  /** Whether somebody looked at kind, primaries and account of the zone before, so that what others change of them is told. */
  hasPropertiesSnapshot(zone: BackendZone): Promise<boolean>
  /**
   * The same of kind, primaries and account of the zone, and of its metadata where that is asked for; null where nobody else
   * changed them. What comes and goes with signing is left out.
   */
  takeOutsideProperties(
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
   * Makes these the values of these kinds, given in upper case; an empty list ends one. Other kinds stay. A
   * signed zone is rectified where that changes how it denies names.
   */
  writeMetadata(zone: BackendZone, metadata: Metadata): Promise<void>

  /**
   * Brings the RRsets from `before` to `after`. A record of `after` that carries the id of a stored
   * record keeps that id, also when its owner name or type changes. Returns the changes with the ids
   * that the records have now. What it writes is known: it is no outside change.
   */
  applyRRsets(zone: BackendZone, changes: RRsetChange[]): Promise<RRsetChange[]>

  /**
   * Derives anew, for the keys that the zone has now, what name servers prove its names by: which are authoritative,
   * which exist without records, and their order. For when keys came or went, or other tools left it wrong;
   * `applyRRsets` keeps it right by itself. Looks at the whole zone. Answers how many rows were wrong or
   * missing; null where the name server does it, and does not tell.
   */
  rectify(zone: BackendZone): Promise<number | null>
}
