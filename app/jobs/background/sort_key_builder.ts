import { setTimeout as wait } from 'node:timers/promises'
import type { DnsBackend } from '#backends/contract/backend'
import { BackgroundTask, type KeeperLog } from '#jobs/background/task'

/** How long a zone may wait; its lists are sorted as they are read until then. */
const POLL_MS = 2_000

/** Between two transactions while there is much to do: others are served meanwhile. */
const BREATH_MS = 20

/** How often rows are looked at again. */
const LOOK_MS = 15_000

/**
 * Keeps in the background what a backend stores for sorted lists of large zones: of zones that became large, or that
 * other tools wrote. Any number of keepers may run on one database.
 */
export class OrderKeeper extends BackgroundTask {
  #lookedAt = Date.now()

  constructor(
    private readonly backend: () => DnsBackend,
    logger: KeeperLog
  ) {
    super(logger, { first: POLL_MS, every: POLL_MS, failure: 'Sort keys cannot be kept' })
  }

  async step(): Promise<void> {
    const { listOrders } = this.backend()
    if (!listOrders) {
      return
    }
    while (!this.stopping.aborted && (await listOrders.feed())) {
      await wait(BREATH_MS)
    }
    if (Date.now() - this.#lookedAt >= LOOK_MS) {
      this.#lookedAt = Date.now()
      await listOrders.look()
    }
  }
}
