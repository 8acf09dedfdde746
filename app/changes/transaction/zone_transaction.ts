import { setTimeout as wait } from 'node:timers/promises'
import { RuntimeException } from '@adonisjs/core/exceptions'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { DnsBackend } from '#backends/contract/backend'
import { WritesPending } from '#backends/contract/errors'
import type { WriteSession } from '#backends/contract/write_session'
import { markZones } from '#lists/sql/zone_count'

/** How often writes that were cut off are settled before one of the same zones. */
const SETTLED_BEFORE = 3

/** Before it is looked again at a write that is at work. */
const PAUSE_MS = 300

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
 * Runs work that writes zones and own tables in one transaction, and marks the list of zones at its end where
 * it changed. May run it again after a conflict with another writer.
 *
 * Throws a `RuntimeException` where own tables do not commit together with the backend's.
 */
export async function writeZones<T>(
  backend: DnsBackend,
  work: (write: ZoneWrite) => Promise<T>
): Promise<T> {
  for (let left = SETTLED_BEFORE; ; left--) {
    try {
      return await backend.write(zoneWork(backend, work))
    } catch (error) {
      if (!(error instanceof WritesPending) || left === 0) {
        throw error
      }
      const { recoverPendingWrites } = await import('#changes/recovery/recover')
      try {
        await recoverPendingWrites(backend, { zoneIds: error.zoneIds })
      } catch (cause) {
        if (!(cause instanceof WritesPending)) {
          throw cause
        }
        await wait(PAUSE_MS)
      }
    }
  }
}

/** Work on zones as a backend takes it. Throws as `writeZones`. */
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
