import { setTimeout as wait } from 'node:timers/promises'
import db from '@adonisjs/lucid/services/db'
import { feedTexts, verifyTexts } from '#database/trigram_index/indexer'
import { TEXT_SOURCES } from '#database/trigram_index/source'
import { BackgroundTask, type BackgroundLog } from '#background/task'
import { dialectOf } from '#database/dialects/dialect_of'

/** Rows of one transaction. SQLite's driver is synchronous: requests wait for all of it. */
const BATCH_SIZE = { embedded: 200, server: 1000 }

/** Between two transactions of a large backlog, so that requests are served. */
const YIELD_MS = 20

/** Time between two comparisons of a batch of indexed rows with the table. A million rows take some hours. */
const VERIFY_INTERVAL_MS = { embedded: 6_000, server: 30_000 }

/**
 * Updates the trigram index: with rows that Zonewright wrote, that other tools added, and, batch by batch, that they changed.
 * Any number of processes may run it on one database; one works at a time. Searches read rows that are not indexed yet.
 * An index of the database itself needs no updates.
 */
export class TextIndexer extends BackgroundTask {
  #verifiedAt = Date.now()

  constructor(logger: BackgroundLog) {
    super(logger, 'Update of the text index failed')
  }

  /** Indexes all waiting rows; the first index of millions of rows takes some minutes. */
  async runOnce(): Promise<void> {
    const client = db.connection()
    const deployment = dialectOf(client).isEmbedded ? 'embedded' : 'server'
    for (const source of TEXT_SOURCES) {
      while (!this.stopping.aborted && (await feedTexts(client, source, BATCH_SIZE[deployment]))) {
        await wait(YIELD_MS)
      }
    }
    if (Date.now() - this.#verifiedAt >= VERIFY_INTERVAL_MS[deployment]) {
      this.#verifiedAt = Date.now()
      for (const source of TEXT_SOURCES) {
        await verifyTexts(client, source, BATCH_SIZE[deployment])
      }
    }
  }
}
