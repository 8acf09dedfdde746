import logger from '@adonisjs/core/services/logger'
import db from '@adonisjs/lucid/services/db'
import { chunks } from '#database/chunks'
import { retryOnConflict } from '#database/conflicts'
import { withoutValues } from '#exceptions/database_errors'

/** How long uses gather before they are written. */
const INTERVAL_MS = 60_000

/** A use that is older than this is in the database, whichever process noted it; a write may take its time. */
export const WRITTEN_AFTER_MS = 2 * INTERVAL_MS

/** Keys whose uses are remembered at once; those of more are not written this time. */
const MAX_KEYS = 100_000

/**
 * When keys were last used. Gathered in memory and written in the background, to the second, so that a
 * request that reads writes nothing. A process that is killed loses the uses of a minute; several processes
 * write beside each other, and the latest use stays.
 */
export class KeyUses {
  readonly #uses = new Map<number, string>()
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> | undefined

  /** Remembers a use. Never throws. */
  note(keyId: number, now: Date): void {
    if (this.#uses.size < MAX_KEYS || this.#uses.has(keyId)) {
      this.#uses.set(keyId, now.toISOString())
    }
    this.#timer ??= setTimeout(() => void this.flush(), INTERVAL_MS).unref()
  }

  /** The use that is remembered and perhaps not written yet; null for none. */
  lastOf(keyId: number): string | null {
    return this.#uses.get(keyId) ?? null
  }

  /** Forgets a key whose use so far no longer counts: it was regenerated. */
  forget(keyId: number): void {
    this.#uses.delete(keyId)
  }

  /** Writes what was gathered; what cannot be written now stays for the next time. Never throws. */
  async flush(): Promise<void> {
    clearTimeout(this.#timer)
    this.#timer = undefined
    await this.#writing
    this.#writing = this.#write()
    await this.#writing
  }

  async #write(): Promise<void> {
    const bySecond = new Map<string, [id: number, moment: string][]>()
    for (const [id, moment] of this.#uses) {
      const second = `${moment.slice(0, 19)}.000Z`
      const uses = bySecond.get(second) ?? []
      uses.push([id, moment])
      bySecond.set(second, uses)
    }
    try {
      for (const [second, uses] of bySecond) {
        for (const part of chunks(uses)) {
          await stamp(
            part.map(([id]) => id),
            second
          )
          part.forEach(([id, moment]) => this.#uses.get(id) === moment && this.#uses.delete(id))
        }
      }
    } catch (error) {
      logger.warn({ err: withoutValues(error) }, 'The uses of API keys were not written')
      this.#timer ??= setTimeout(() => void this.flush(), INTERVAL_MS).unref()
    }
  }
}

/** Later uses that another process wrote stay. */
async function stamp(ids: number[], second: string): Promise<void> {
  await retryOnConflict(() =>
    db
      .from('zw_api_keys')
      .whereIn('id', ids)
      .where((known) => known.whereNull('last_used_at').orWhere('last_used_at', '<', second))
      .update({ last_used_at: second })
  )
}

/** The uses of this process. */
export const keyUses = new KeyUses()
