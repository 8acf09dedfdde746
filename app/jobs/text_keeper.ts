import { setTimeout as wait } from 'node:timers/promises'
import db from '@adonisjs/lucid/services/db'
import { feedTexts, sweepTexts } from '#database/text_index/feed'
import { TEXT_SOURCES } from '#database/text_index/source'
import { Keeper, type KeeperLog } from '#jobs/keeper'

/** How long a new text may wait; searches look at the rows themselves until then. */
const POLL_MS = 2_000

/** Between two transactions while there is much to do: others are served meanwhile. */
const BREATH_MS = 20

/** How often rows are looked at again, and how many: a million of them in some hours. */
const SWEEP_MS = 30_000
const SWEPT_AT_ONCE = 1_000

/**
 * Keeps the index of texts in the background: of what the product wrote, of what other tools added, and, row by
 * row, of what they changed. Any number of keepers may run on one database; one works at a time. With an index
 * that the database keeps by itself there is nothing to do.
 */
export class TextKeeper extends Keeper {
  #sweptAt = Date.now()

  constructor(logger: KeeperLog) {
    super(logger, { first: POLL_MS, every: POLL_MS, failure: 'The index of texts cannot be kept' })
  }

  /** Indexes what waits; a first index of millions of rows takes some minutes. */
  async step(): Promise<void> {
    for (const source of TEXT_SOURCES) {
      while (!this.stopping.aborted && (await feedTexts(db.connection(), source))) {
        await wait(BREATH_MS)
      }
    }
    if (Date.now() - this.#sweptAt >= SWEEP_MS) {
      this.#sweptAt = Date.now()
      for (const source of TEXT_SOURCES) {
        await sweepTexts(db.connection(), source, SWEPT_AT_ONCE)
      }
    }
  }
}
