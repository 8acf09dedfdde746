import db from '@adonisjs/lucid/services/db'
import { BackgroundTask, type KeeperLog } from '#jobs/background/task'
import { mendUserKeys } from '#database/user_sort_keys'

/** How long a user whom others wrote may stand elsewhere in a sorted list than they belong. */
const EVERY_MS = 60_000

/** Keeps in the background what users are sorted by. Any number of keepers may run on one database. */
export class UserKeeper extends BackgroundTask {
  constructor(logger: KeeperLog) {
    super(logger, { first: 0, every: EVERY_MS, failure: 'Sort keys of users cannot be kept' })
  }

  async step(): Promise<void> {
    await mendUserKeys(db.connection(), this.stopping)
  }
}
