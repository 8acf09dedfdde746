import type { TransactionClientContract } from '@adonisjs/lucid/types/database'

/** The key of an autoprimary. */
export interface AutoprimaryKey {
  /** IPv4 or IPv6, canonical. */
  ip: string
  /** Name of the server as NS records of its zones have it: absolute, lower case, without final dot. */
  nameserver: string
}

/** A primary that may create zones here by NOTIFY (PowerDNS' autosecondary). */
export interface Autoprimary extends AutoprimaryKey {
  /** Account of the zones that it creates; may be empty. */
  account: string
}

/**
 * The autoprimaries of the name server. Writes take the transaction of Zonewright's tables, with the audit event. They commit
 * with it if they are in the same database; otherwise they are done at once, and must be the last step of the transaction.
 *
 * Throws `BackendUnavailable` if the name server does not answer, `CapabilityMissing` if it has none.
 */
export interface Autoprimaries {
  /** All autoprimaries, in any order. */
  list(): Promise<Autoprimary[]>
  /** Throws `AutoprimaryExists`. */
  add(autoprimary: Autoprimary, trx: TransactionClientContract): Promise<void>
  /**
   * Replaces an autoprimary. Throws `AutoprimaryExists` if the new one exists already, and `AutoprimaryChanged` if
   * `before` differs from the stored one. Writes nothing then.
   */
  replace(before: Autoprimary, after: Autoprimary, trx: TransactionClientContract): Promise<void>
  /** Throws `AutoprimaryChanged` if it differs from the stored one. */
  remove(autoprimary: Autoprimary, trx: TransactionClientContract): Promise<void>
}

/** An autoprimary of this address and name server is already there. */
export class AutoprimaryExists extends Error {
  readonly code = 'E_AUTOPRIMARY_EXISTS'
}

/** The autoprimary was changed or deleted. */
export class AutoprimaryChanged extends Error {
  readonly code = 'E_AUTOPRIMARY_MOVED'
}

/** Whether both keys identify the same autoprimary. */
export function isSameAutoprimary(one: AutoprimaryKey, other: AutoprimaryKey): boolean {
  return one.ip === other.ip && one.nameserver === other.nameserver
}
