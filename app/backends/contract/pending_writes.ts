import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { BackendZone, NewZone, ZonePatch } from '#backends/contract/types'
import type { WriteSession } from '#backends/contract/write_session'
import type { Metadata } from '#dns/metadata/metadata'
import type { RRsetChange } from '#dns/types'

/**
 * Writes that are younger may be at work still, in milliseconds: longer than any call takes for which a transaction is held
 * open. Those who ask for longer say at times that they are at work.
 */
export const AT_WORK_MS = 60_000

/** A step of a write at a name server, as it is kept. */
export type UnconfirmedStep = { zoneId: number; zoneName: string } & (
  | { kind: 'create'; changes: RRsetChange[]; zone: Pick<NewZone, 'kind' | 'masters'> }
  | { kind: 'records'; changes: RRsetChange[] }
  | { kind: 'properties'; before: ZonePatch; after: ZonePatch }
  | { kind: 'metadata'; before: Metadata; after: Metadata }
  | { kind: 'keys' | 'rectify' | 'delete' }
  /** Taken back by whoever made it, or known not to be made; the write was not made as a whole then. */
  | { kind: 'undone' }
  /** Not made by `write`: see `begin`. */
  | { kind: 'signing'; pendingSigning: object }
)

/** A write that was begun at a name server, and of which nobody knows yet whether it was done. */
export interface UnconfirmedWrite {
  id: string
  /** When it began, or was last said to be at work. ISO 8601, UTC. */
  beganAt: string
  /** As it was given to `WriteSession.intend`, as are `effects`. */
  author: object | null
  effects: object | null
  steps: UnconfirmedStep[]
}

/** Writes that began before a moment (ISO 8601, UTC), or are about some zones. */
export interface WhichWrites {
  zoneIds?: readonly number[]
  before?: string
}

/** What a driver does with writes that were cut off: it keeps them until somebody looks what became of them. */
export interface UnconfirmedWrites {
  /** The oldest first, each once, also where those before it stay. */
  list(which: WhichWrites): AsyncIterable<UnconfirmedWrite>
  /**
   * Stores, in a transaction of Zonewright's tables, that the name server will be asked to change the signing of a zone. The
   * call itself is outside of any write. Returns the id; end it with `settle` or `forget`.
   */
  begin(
    trx: TransactionClientContract,
    zone: BackendZone,
    author: object,
    pendingSigning: object
  ): Promise<string>
  /** Runs the work of a write that `begin` stored, and renews its heartbeat meanwhile. */
  atWork<T>(id: string, work: () => Promise<T>): Promise<T>
  /** Reverses steps that can be reversed safely, such as a new zone without a success answer. Call it before `settle`. */
  clear(write: UnconfirmedWrite): Promise<void>
  /** With a transaction that shares own tables, what is written there with it holds where this does. */
  forget(id: string, trx?: TransactionClientContract): Promise<void>
  /**
   * As `DnsBackend.write`, by whoever settles this write: it is forgotten in the same transaction, and what the work does at
   * the server belongs to it until then. null where that is done already. Zones that are gone are known still (`WriteSession.isGone`).
   */
  settle<T>(id: string, work: (session: WriteSession) => Promise<T>): Promise<T | null>
}
