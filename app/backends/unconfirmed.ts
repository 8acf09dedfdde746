import type { NewZone } from '#backends/types'
import type { WriteSession } from '#backends/write_session'
import type { RRsetChange } from '#dns/types'

/** A write that was begun at a name server, and of which nobody knows yet whether it was done. */
export interface UnconfirmedWrite {
  id: string
  /** ISO 8601, UTC. */
  beganAt: string
  /** As it was given to `WriteSession.intend`. */
  author: object | null
  steps: {
    zoneId: number
    zoneName: string
    /** `records`, `create`, `delete`, `properties`, `metadata`, `keys` or `rectify`. */
    kind: string
    /** RRsets of a step of the kinds `records` and `create`. */
    changes: RRsetChange[]
    /** The zone of a step of the kind `create`. */
    zone?: Pick<NewZone, 'kind' | 'masters'>
  }[]
}

/** What a driver does with writes that were cut off: it keeps them until somebody looks what became of them. */
export interface UnconfirmedWrites {
  /** Those that began before a moment, or are about some zones; the oldest first. */
  list(which: { zoneIds?: readonly number[]; before?: string }): Promise<UnconfirmedWrite[]>
  /** Undoes what is undone best, such as a zone that nobody was told of. To be called before `forget`. */
  clear(write: UnconfirmedWrite): Promise<void>
  forget(id: string): Promise<void>
  /**
   * As `DnsBackend.write`, by whoever settles this write: it is forgotten in the same transaction. null where that is
   * done already.
   */
  settle<T>(id: string, work: (session: WriteSession) => Promise<T>): Promise<T | null>
}
