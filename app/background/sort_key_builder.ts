import { setTimeout as wait } from 'node:timers/promises'
import type { DnsBackend } from '#backends/contract/backend'
import { BackgroundTask, type BackgroundLog } from '#background/task'

/** Between two transactions of a large backlog, so that requests are served. */
const YIELD_MS = 20

/** How often stored keys are compared with the rows. */
const CHECK_INTERVAL_MS = 15_000

/**
 * Builds the sort keys of the record lists of large zones: for zones that became large, or that other tools changed.
 * Any number of processes may run it on one database. Lists of zones without keys are sorted on read.
 */
export class SortKeyBuilder extends BackgroundTask {
  #checkedAt = Date.now()

  constructor(
    private readonly backend: () => DnsBackend,
    logger: BackgroundLog
  ) {
    super(logger, 'Update of sort keys failed')
  }

  async runOnce(): Promise<void> {
    const { listOrders } = this.backend()
    if (!listOrders) {
      return
    }
    while (!this.stopping.aborted && (await listOrders.buildNext())) {
      await wait(YIELD_MS)
    }
    if (Date.now() - this.#checkedAt >= CHECK_INTERVAL_MS) {
      this.#checkedAt = Date.now()
      await listOrders.verifyNext()
    }
  }
}
