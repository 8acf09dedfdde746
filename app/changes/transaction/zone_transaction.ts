import { RuntimeException } from '@adonisjs/core/exceptions'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { DnsBackend } from '#backends/contract/backend'
import type { WriteSession } from '#backends/contract/write_session'
import { markZones } from '#lists/sql/zone_count'

/** What a transaction does to the list of zones, gathered until its end. */
export class ZoneTally {
  #delta = 0
  #isTouched = false

  /** So many zones come into the list; negative where they leave it. Zero is nothing. */
  add(zones: number): void {
    this.#delta += zones
    this.#isTouched ||= zones !== 0
  }

  /** A zone of the list has another name, kind or owner. */
  touch(): void {
    this.#isTouched = true
  }

  /** Writes it down, where there is something. To be called last in the transaction, and once. */
  async settle(trx: TransactionClientContract): Promise<void> {
    if (this.#isTouched) {
      await markZones(trx, this.#delta)
    }
  }
}

/** A write session, the transaction that it shares with own tables, and what it does to the list of zones. */
export interface ZoneWrite {
  session: WriteSession
  trx: TransactionClientContract
  tally: ZoneTally
}

/**
 * Work on zones as a backend runs it: in one transaction with Zonewright's tables. Updates the list of zones at its end.
 * Throws a `RuntimeException` for a backend that shares no transaction.
 */
export function zoneWork<T>(
  backend: DnsBackend,
  work: (write: ZoneWrite) => Promise<T>
): (session: WriteSession) => Promise<T> {
  return async (session) => {
    const trx = session.transaction
    if (!trx) {
      throw new RuntimeException(
        `Backend '${backend.name}' shares no transaction with the product's own tables; nothing can be changed`
      )
    }
    const tally = new ZoneTally()
    const result = await work({ session, trx, tally })
    await tally.settle(trx)
    return result
  }
}
