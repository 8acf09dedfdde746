import { RuntimeException } from '@adonisjs/core/exceptions'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { DnsBackend } from '#backends/contract/backend'
import type { WriteSession } from '#backends/contract/write_session'
import { adjustZoneCount } from '#lists/sql/zone_count'

/** Effects of a transaction on the zone list, collected until its end. */
export class ZoneTally {
  #delta = 0
  #isTouched = false

  /** Adds to the number of listed zones; negative for removed ones. */
  add(zones: number): void {
    this.#delta += zones
    this.#isTouched ||= zones !== 0
  }

  /** A listed zone has another name, kind or owner. */
  touch(): void {
    this.#isTouched = true
  }

  /**
   * Stores the effects if there are any. Call it once, as the last statement of the transaction.
   */
  async settle(trx: TransactionClientContract): Promise<void> {
    if (this.#isTouched) {
      await adjustZoneCount(trx, this.#delta)
    }
  }
}

/** A write session, its transaction with Zonewright tables, and its effects on the zone list. */
export interface ZoneWrite {
  session: WriteSession
  trx: TransactionClientContract
  tally: ZoneTally
}

/**
 * Work on zones as a backend runs it: in one transaction with Zonewright tables. Updates the zone
 * list at its end. Throws a `RuntimeException` for a backend that shares no transaction.
 */
export function zoneWork<T>(
  backend: DnsBackend,
  work: (write: ZoneWrite) => Promise<T>
): (session: WriteSession) => Promise<T> {
  return async (session) => {
    const trx = session.transaction
    if (!trx) {
      throw new RuntimeException(
        `Backend '${backend.name}' does not share transactions with Zonewright's tables; writes are not possible`
      )
    }
    const tally = new ZoneTally()
    const result = await work({ session, trx, tally })
    await tally.settle(trx)
    return result
  }
}
