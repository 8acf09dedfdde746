import logger from '@adonisjs/core/services/logger'
import db from '@adonisjs/lucid/services/db'
import { chunks } from '#database/statements/chunks'
import { retryOnConflict } from '#database/conflicts'
import { withoutValues } from '#exceptions/database_errors'
import { BufferedWriter, flushedAtShutdown } from '#support/buffered_writer'

/** How long uses gather before they are written. */
const INTERVAL_MS = 60_000

/** A use that is older than this is in the database, whichever process noted it; a write may take its time. */
export const WRITTEN_AFTER_MS = 2 * INTERVAL_MS

/** Keys whose uses are remembered at once; those of more are not written this time. */
const MAX_KEYS = 100_000

/** Characters of an address that are kept. */
const MAX_ADDRESS = 45

/** That a key was used. */
export interface KeyUse {
  /** Moment. */
  at: string
  /** Address. */
  from: string
}

/**
 * When and from where keys were last used. Gathered in memory and written in the background, to the second, so that a
 * request that reads writes nothing. A process that is killed loses the uses of a minute; several processes
 * write beside each other, and the latest use stays.
 */
export class KeyUses extends BufferedWriter {
  readonly #uses = new Map<number, KeyUse>()

  /** Remembers a use. Never throws. */
  note(keyId: number, use: KeyUse): void {
    if (this.#uses.size < MAX_KEYS || this.#uses.has(keyId)) {
      // What a proxy says of addresses may be anything.
      this.#uses.set(keyId, { ...use, from: use.from.slice(0, MAX_ADDRESS) })
    }
    this.writeWithin(INTERVAL_MS)
  }

  /** The use that is remembered and perhaps not written yet; null for none. */
  lastOf(keyId: number): KeyUse | null {
    return this.#uses.get(keyId) ?? null
  }

  /** Forgets a key whose use so far no longer counts: it was regenerated. */
  forget(keyId: number): void {
    this.#uses.delete(keyId)
  }

  /** Uses that cannot be written stay for the next time. */
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
          await stamp(part, second)
          part.forEach(([id, use]) => this.#uses.get(id) === use && this.#uses.delete(id))
        }
      }
    } catch (error) {
      logger.warn({ err: withoutValues(error) }, 'The uses of API keys were not written')
      this.writeWithin(INTERVAL_MS)
    }
  }
}

/** Later uses that another process wrote stay. */
async function stamp(uses: [id: number, use: KeyUse][], second: string): Promise<void> {
  const cases = uses.map(() => 'when ? then ?').join(' ')
  const values = uses.flatMap(([id, { from }]) => [id, from])
  await retryOnConflict(() =>
    db
      .from('zw_api_keys')
      .whereIn(
        'id',
        uses.map(([id]) => id)
      )
      .where((known) => known.whereNull('last_used_at').orWhere('last_used_at', '<', second))
      .update({ last_used_at: second, last_used_from: db.raw(`case id ${cases} end`, values) })
  )
}

/** The uses of this process. */
export const keyUses = flushedAtShutdown(new KeyUses())
