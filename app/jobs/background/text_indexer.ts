import { setTimeout as wait } from 'node:timers/promises'
import db from '@adonisjs/lucid/services/db'
import { feedTexts, sweepTexts } from '#database/trigram_index/indexer'
import { TEXT_SOURCES } from '#database/trigram_index/source'
import { BackgroundTask, type KeeperLog } from '#jobs/background/task'

/** How long a new text may wait; searches look at the rows themselves until then. */
const POLL_MS = 2_000

/** Rows of one transaction. SQLite's driver is synchronous: requests wait for all of it. */
const ROWS_AT_ONCE = { sqlite: 200, other: 1000 }

/** Between two transactions while there is much to do: others are served meanwhile. */
const BREATH_MS = 20

/** How often rows are looked at again, so many at once: a million of them in some hours. */
const SWEEP_MS = { sqlite: 6_000, other: 30_000 }

/**
 * Keeps the index of texts in the background: of what the product wrote, of what other tools added, and, row by
 * row, of what they changed. Any number of keepers may run on one database; one works at a time. With an index
 * that the database keeps by itself there is nothing to do.
 */
export class TextKeeper extends BackgroundTask {
  #sweptAt = Date.now()

  constructor(logger: KeeperLog) {
    super(logger, { first: POLL_MS, every: POLL_MS, failure: 'The index of texts cannot be kept' })
  }

  /** Indexes what waits; a first index of millions of rows takes some minutes. */
  async step(): Promise<void> {
    const client = db.connection()
    const pace = client.dialect.name === 'better-sqlite3' ? 'sqlite' : 'other'
    for (const source of TEXT_SOURCES) {
      while (!this.stopping.aborted && (await feedTexts(client, source, ROWS_AT_ONCE[pace]))) {
        await wait(BREATH_MS)
      }
    }
    if (Date.now() - this.#sweptAt >= SWEEP_MS[pace]) {
      this.#sweptAt = Date.now()
      for (const source of TEXT_SOURCES) {
        await sweepTexts(client, source, ROWS_AT_ONCE[pace])
      }
    }
  }
}
