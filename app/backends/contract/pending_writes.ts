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
  | { kind: 'signing'; told: object }
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
   * Keeps, in a transaction that shares own tables, that the name server is going to be asked to change how a zone is signed,
   * which it does outside of any write. Answers the id. To be ended by `settle` or `forget`.
   */
  begin(
    trx: TransactionClientContract,
    zone: BackendZone,
    author: object,
    told: object
  ): Promise<string>
  /** Runs work that belongs to a write that was begun (`begin`), which is one at work as long as that takes. */
  atWork<T>(id: string, work: () => Promise<T>): Promise<T>
  /** Undoes what is undone best, such as a zone that nobody was told of. To be called before `settle`. */
  clear(write: UnconfirmedWrite): Promise<void>
  /** With a transaction that shares own tables, what is written there with it holds where this does. */
  forget(id: string, trx?: TransactionClientContract): Promise<void>
  /**
   * As `DnsBackend.write`, by whoever settles this write: it is forgotten in the same transaction, and what the work does at
   * the server belongs to it until then. null where that is done already. Zones that are gone are known still (`WriteSession.isGone`).
   */
  settle<T>(id: string, work: (session: WriteSession) => Promise<T>): Promise<T | null>
}
