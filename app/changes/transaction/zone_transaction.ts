import { RuntimeException } from '@adonisjs/core/exceptions'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { DnsBackend } from '#backends/contract/backend'
import type { WriteSession } from '#backends/contract/write_session'
import { adjustZoneCount } from '#lists/sql/zone_count'

/** Effects of a transaction on the zone list, collected until its end. */
export class ZoneCountChange {
  #delta = 0
  #hasChanges = false

  /** Adds to the number of listed zones; negative for removed ones. */
  add(zones: number): void {
    this.#delta += zones
    this.#hasChanges ||= zones !== 0
  }

  /** A listed zone has another name, kind or owner. */
  markChanged(): void {
    this.#hasChanges = true
  }

  /**
   * Stores the effects if there are any. Call it once, as the last statement of the transaction.
   */
  async store(trx: TransactionClientContract): Promise<void> {
    if (this.#hasChanges) {
      await adjustZoneCount(trx, this.#delta)
    }
  }
}

/** A write session, its transaction with Zonewright tables, and its effects on the zone list. */
export interface ZoneWrite {
  session: WriteSession
  trx: TransactionClientContract
  countChange: ZoneCountChange
}

/**
 * Work on zones as a backend runs it: in one transaction with Zonewright tables. Updates the zone
 * list at its end. Throws a `RuntimeException` for a backend that shares no transaction.
 */
export function runZoneWork<T>(
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
    const countChange = new ZoneCountChange()
    const result = await work({ session, trx, countChange })
    await countChange.store(trx)
    return result
  }
}
