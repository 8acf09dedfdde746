import logger from '@adonisjs/core/services/logger'
import db from '@adonisjs/lucid/services/db'
import { chunks } from '#database/statements/chunks'
import { retryOnConflict } from '#database/conflicts'
import { withoutValues } from '#exceptions/database_errors'
import { BufferedWriter, flushedAtShutdown } from '#support/buffered_writer'

/** Interval between writes of buffered uses. */
const INTERVAL_MS = 60_000

/** After this time a use is in the database, whichever process recorded it. */
export const MAX_WRITE_DELAY_MS = 2 * INTERVAL_MS

/** Keys in the buffer; uses of further keys are not written this time. */
const MAX_BUFFERED_KEYS = 100_000

/** Maximum length of a stored address. */
const MAX_ADDRESS = 45

/** A use of a key. */
export interface KeyUse {
  /** Time, ISO 8601. */
  at: string
  /** Client address. */
  from: string
}

/**
 * Last use of keys: time in seconds, and address. Buffered and written in the background, so that
 * reads cause no writes. A killed process loses the uses of one minute; of several processes, the
 * latest use is stored.
 */
export class KeyUses extends BufferedWriter {
  readonly #uses = new Map<number, KeyUse>()

  /** Records a use. Never throws. */
  recordUse(keyId: number, use: KeyUse): void {
    if (this.#uses.size < MAX_BUFFERED_KEYS || this.#uses.has(keyId)) {
      // A proxy can send addresses of any length.
      this.#uses.set(keyId, { ...use, from: use.from.slice(0, MAX_ADDRESS) })
    }
    this.writeWithin(INTERVAL_MS)
  }

  /** Returns the buffered use; null for none. */
  bufferedUseOf(keyId: number): KeyUse | null {
    return this.#uses.get(keyId) ?? null
  }

  /** Drops the buffered use of a regenerated key. */
  forget(keyId: number): void {
    this.#uses.delete(keyId)
  }

  /** After a failure, uses stay in the buffer for the next write. */
  protected async write(): Promise<void> {
    const bySecond = new Map<string, [id: number, use: KeyUse][]>()
    for (const [id, use] of this.#uses) {
      const second = `${use.at.slice(0, 19)}.000Z`
      const uses = bySecond.get(second) ?? []
      uses.push([id, use])
      bySecond.set(second, uses)
    }
    try {
      for (const [second, uses] of bySecond) {
        for (const part of chunks(uses)) {
          await storeUses(part, second)
          part.forEach(([id, use]) => this.#uses.get(id) === use && this.#uses.delete(id))
        }
      }
    } catch (error) {
      logger.warn({ err: withoutValues(error) }, 'Last use of API keys: write failed')
      this.writeWithin(INTERVAL_MS)
    }
  }
}

/** Does not overwrite later uses of other processes. */
async function storeUses(uses: [id: number, use: KeyUse][], second: string): Promise<void> {
  const cases = uses.map(() => 'when ? then ?').join(' ')
  const values = uses.flatMap(([id, { from }]) => [id, from])
  await retryOnConflict(() =>
    db
      .from('zw_api_keys')
      .whereIn(
        'id',
        uses.map(([id]) => id)
      )
      .where((olderUse) => olderUse.whereNull('last_used_at').orWhere('last_used_at', '<', second))
      .update({ last_used_at: second, last_used_from: db.raw(`case id ${cases} end`, values) })
  )
}

/** One instance per process. */
export const keyUses = flushedAtShutdown(new KeyUses())
