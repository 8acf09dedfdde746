import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { RecordId, RRset, RRsetChange } from '#dns/types'
import type { BackendZone, NewZone, StoredRecord, ZoneBelongings, ZonePatch } from '#backends/types'

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
   * Takes the write lock of each zone, in id order, and returns the zones that exist. Must come before
   * any read of the session: what is read afterwards cannot change until the session ends.
   */
  lockZones(ids: number[]): Promise<Map<number, BackendZone>>

  rrsetsAt(zone: BackendZone, names: string[]): Promise<RRset[]>
  findRecord(zone: BackendZone, id: RecordId): Promise<StoredRecord | null>
  /** Every RRset of the zone; for zone deletion and the whole-zone journal only. */
  allRRsets(zone: BackendZone): Promise<RRset[]>
  /** RRsets of the given types whose content names one of `targets` (hosts that MX, NS ... point to). */
  rrsetsPointingTo(zone: BackendZone, types: string[], targets: string[]): Promise<RRset[]>
  belongings(zone: BackendZone): Promise<ZoneBelongings>

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
   * Brings the RRsets from `before` to `after`. A record of `after` that carries the id of a stored
   * record keeps that id, also when its owner name or type changes. Returns the changes with the ids
   * that the records have now.
   */
  applyRRsets(zone: BackendZone, changes: RRsetChange[]): Promise<RRsetChange[]>
}
