import db from '@adonisjs/lucid/services/db'
import { Keeper, type KeeperLog } from '#jobs/keeper'
import { mendChangeKeys, mendEntryKeys } from '#database/journal_keys'

/** How long filters of a history may miss an entry that an older version wrote. */
const EVERY_MS = 60_000

/**
 * Keeps in the background what entries of the journal are found by, also those of an older version on another node. Looks
 * at all entries once, then at new ones. Any number of keepers may run on one database.
 */
export class JournalKeeper extends Keeper {
  /** Ids of the entries at which the last two steps ended. */
  #ends: [number, number] = [0, 0]

  constructor(logger: KeeperLog) {
    super(logger, { first: 0, every: EVERY_MS, failure: 'Keys of the journal cannot be kept' })
  }

  async step(): Promise<void> {
    const client = db.connection()
    await mendChangeKeys(client, this.stopping)
    // An entry is seen once it is committed, perhaps after others with higher ids: what was new last time is looked at again.
    const [from, last] = this.#ends
    this.#ends = [last, await mendEntryKeys(client, from, this.stopping)]
  }
}
