import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/** By what an autoprimary is told from others. */
export interface AutoprimaryKey {
  /** IPv4 or IPv6, canonical. */
  ip: string
  /** Name of the server as NS records of its zones have it: absolute, lower case, without final dot. */
  nameserver: string
}

/** A primary that may bring zones of its own into being here, by telling of them (PowerDNS' autosecondary). */
export interface Autoprimary extends AutoprimaryKey {
  /** Noted at the zones that it brings; may be empty. */
  account: string
}

/**
 * The autoprimaries of the name server. Writes take the transaction of the product's own tables, in which the audit
 * log tells of them: they commit with it where they are in the same database. Otherwise they are done at once, so
 * that nothing may come after them in the transaction.
 *
 * A name server that cannot be reached is a `BackendUnavailable`, one that keeps none a `CapabilityMissing`.
 */
export interface Autoprimaries {
  /** All of them, in no order. */
  list(): Promise<Autoprimary[]>
  /** Throws `AutoprimaryExists`. */
  add(autoprimary: Autoprimary, trx: TransactionClientContract): Promise<void>
  /**
   * Puts one in the place of another. Throws `AutoprimaryExists` where the new one is a third that is there, and
   * `AutoprimaryMoved` where the first is not there as it is given: then nothing was written.
   */
  replace(before: Autoprimary, after: Autoprimary, trx: TransactionClientContract): Promise<void>
  /** Throws `AutoprimaryMoved` where it is not there as it is given. */
  remove(autoprimary: Autoprimary, trx: TransactionClientContract): Promise<void>
}

/** An autoprimary of this address and name server is already there. */
export class AutoprimaryExists extends Error {
  readonly code = 'E_AUTOPRIMARY_EXISTS'
}

/** An autoprimary is no longer what it was, or gone. */
export class AutoprimaryMoved extends Error {
  readonly code = 'E_AUTOPRIMARY_MOVED'
}

/** Whether both mean the same autoprimary. */
export function isSameAutoprimary(one: AutoprimaryKey, other: AutoprimaryKey): boolean {
  return one.ip === other.ip && one.nameserver === other.nameserver
}
