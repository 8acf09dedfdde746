import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { BackendZone, NewZone, ZonePatch } from '#backends/types'
import type { WriteSession } from '#backends/write_session'
import type { Metadata } from '#dns/metadata/metadata'
import type { RRsetChange } from '#dns/types'

/** Writes that are younger may be at work still: longer than any call to a name server takes. */
export const AT_WORK_MS = 60_000

/** A step of a write at a name server, as it is kept. */
export type UnconfirmedStep = { zoneId: number; zoneName: string } & (
  | { kind: 'create'; changes: RRsetChange[]; zone: Pick<NewZone, 'kind' | 'masters'> }
  | { kind: 'records'; changes: RRsetChange[] }
  | { kind: 'properties'; before: ZonePatch; after: ZonePatch }
  | { kind: 'metadata'; before: Metadata; after: Metadata }
  | { kind: 'keys' | 'rectify' | 'delete' }
  /** Not made by `write`: see `begin`. */
  | { kind: 'signing'; told: object }
)

/**
 * What own tables note in the very transactions in which a write is kept as one that may be cut off, and withdrawn as one that
 * was not made. Settling it is no withdrawal: whoever settles notes what was found.
 */
export interface IntentionMarks {
  /** May throw: the write is not begun then. */
  begun(trx: TransactionClientContract): Promise<void>
  withdrawn(trx: TransactionClientContract): Promise<void>
}

/** A write that was begun at a name server, and of which nobody knows yet whether it was done. */
export interface UnconfirmedWrite {
  id: string
  /** ISO 8601, UTC. */
  beganAt: string
  /** As it was given to `WriteSession.intend`, as is `told`. */
  author: object | null
  told: object | null
  steps: UnconfirmedStep[]
}

/** What a driver does with writes that were cut off: it keeps them until somebody looks what became of them. */
export interface UnconfirmedWrites {
  /** Those that began before a moment, or are about some zones; the oldest first. */
  list(which: { zoneIds?: readonly number[]; before?: string }): Promise<UnconfirmedWrite[]>
  /**
   * Keeps, in a transaction that shares own tables, that the name server is going to be asked to change how a zone is signed,
   * which it does outside of any write. Answers the id. To be ended by `settle` or `forget`.
   */
  begin(
    trx: TransactionClientContract,
    zone: BackendZone,
    author: object,
    told: object
  ): Promise<string>
  /** Undoes what is undone best, such as a zone that nobody was told of. To be called before `settle`. */
  clear(write: UnconfirmedWrite): Promise<void>
  forget(id: string): Promise<void>
  /**
   * As `DnsBackend.write`, by whoever settles this write: it is forgotten in the same transaction, and what the work does at
   * the server belongs to it until then. null where that is done already. Zones that are gone are known still (`WriteSession.isGone`).
   */
  settle<T>(id: string, work: (session: WriteSession) => Promise<T>): Promise<T | null>
}
