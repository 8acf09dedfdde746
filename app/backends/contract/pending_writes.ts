import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { BackendZone, NewZone, ZonePatch } from '#backends/contract/types'
import type { WriteSession } from '#backends/contract/write_session'
import type { Metadata } from '#dns/metadata/metadata'
import type { RRsetChange } from '#dns/types'

/**
 * Age in ms below which a write counts as running: longer than any call during a transaction. Longer writes send heartbeats.
 */
export const HEARTBEAT_TIMEOUT_MS = 60_000

/** A stored step of a write at a name server. */
export type UnconfirmedStep = { zoneId: number; zoneName: string } & (
  | { kind: 'create'; changes: RRsetChange[]; zone: Pick<NewZone, 'kind' | 'masters'> }
  | { kind: 'records'; changes: RRsetChange[] }
  | { kind: 'properties'; before: ZonePatch; after: ZonePatch }
  | { kind: 'metadata'; before: Metadata; after: Metadata }
  | { kind: 'keys' | 'rectify' | 'delete' }
  /** Reversed by its writer, or never executed. */
  | { kind: 'undone' }
  /** Not executed by `write`, see `storeSigning`. */
  | { kind: 'signing'; pendingSigning: object }
)

/** A write at a name server whose outcome is unknown. */
export interface UnconfirmedWrite {
  id: string
  /** Time of its begin or last heartbeat. ISO 8601, UTC. */
  beganAt: string
  /** As passed to `WriteSession.setPendingEffects`; so are `effects`. */
  author: object | null
  effects: object | null
  steps: UnconfirmedStep[]
}

/** Filter: writes that began before a time (ISO 8601, UTC), or of some zones. */
export interface PendingWriteFilter {
  zoneIds?: readonly number[]
  before?: string
}

/** Storage of a driver for interrupted writes, until their outcome is verified. */
export interface UnconfirmedWrites {
  /** Oldest first. Yields each write once, even if earlier ones stay. */
  list(filter: PendingWriteFilter): AsyncIterable<UnconfirmedWrite>
  /**
   * Stores a requested change of signing, in a transaction of Zonewright tables. The call to the server runs outside of
   * any write. Returns the id; end it with `settle` or `forget`.
   */
  storeSigning(
    trx: TransactionClientContract,
    zone: BackendZone,
    author: object,
    pendingSigning: object
  ): Promise<string>
  /** Runs the work of a write that `storeSigning` stored, and sends heartbeats meanwhile. */
  runWithHeartbeat<T>(id: string, work: () => Promise<T>): Promise<T>
  /** Reverses steps that can be reversed safely, such as a new zone without a success answer. Call it before `settle`. */
  reverseSafeSteps(write: UnconfirmedWrite): Promise<void>
  /** With a transaction that shares Zonewright's tables, both commit together. */
  forget(id: string, trx?: TransactionClientContract): Promise<void>
  /**
   * `DnsBackend.write` for the settlement of this write: deletes it in the same transaction. Until then, the calls of the work
   * belong to it. Returns null if it is settled already. Deleted zones are still known (`WriteSession.isMissingOnServer`).
   */
  settle<T>(id: string, work: (session: WriteSession) => Promise<T>): Promise<T | null>
}
