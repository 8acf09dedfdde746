import db from '@adonisjs/lucid/services/db'
import { BackgroundTask, type BackgroundLog } from '#background/task'
import { repairUserSortKeys } from '#database/user_sort_keys'

/** Corrects the sort keys of users that other tools wrote. Any number of processes may run it on one database. */
export class UserSortKeys extends BackgroundTask {
  constructor(logger: BackgroundLog) {
    super(logger, 'Update of the sort keys of users failed')
  }

  async runOnce(): Promise<void> {
    await repairUserSortKeys(db.connection(), this.stopping)
  }
}
