import { setTimeout as wait } from 'node:timers/promises'
import db from '@adonisjs/lucid/services/db'
import { feedTexts, verifyTexts } from '#database/trigram_index/indexer'
import { TEXT_SOURCES } from '#database/trigram_index/source'
import { BackgroundTask, type BackgroundLog } from '#background/task'

/** Rows of one transaction. SQLite's driver is synchronous: requests wait for all of it. */
const BATCH_SIZE = { sqlite: 200, other: 1000 }

/** Between two transactions of a large backlog, so that requests are served. */
const YIELD_MS = 20

/** How often a batch of indexed rows is compared with the table: a million rows take some hours. */
const VERIFY_MS = { sqlite: 6_000, other: 30_000 }

/**
 * Updates the trigram index: with rows that Zonewright wrote, that other tools added, and, batch by batch, that they changed.
 * Any number of processes may run it on one database; one works at a time. Searches read rows that are not indexed yet.
 * An index of the database itself needs no updates.
 */
export class TextIndexer extends BackgroundTask {
  #verifiedAt = Date.now()

  constructor(logger: BackgroundLog) {
    super(logger, 'The index of texts cannot be kept')
  }

  /** Indexes all waiting rows; the first index of millions of rows takes some minutes. */
  async runOnce(): Promise<void> {
    const client = db.connection()
    const pace = client.dialect.name === 'better-sqlite3' ? 'sqlite' : 'other'
    for (const source of TEXT_SOURCES) {
      while (!this.stopping.aborted && (await feedTexts(client, source, BATCH_SIZE[pace]))) {
        await wait(YIELD_MS)
      }
    }
    if (Date.now() - this.#verifiedAt >= VERIFY_MS[pace]) {
      this.#verifiedAt = Date.now()
      for (const source of TEXT_SOURCES) {
        await verifyTexts(client, source, BATCH_SIZE[pace])
      }
    }
  }
}
