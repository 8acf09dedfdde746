import { setTimeout as wait } from 'node:timers/promises'
import { BackgroundTask, type BackgroundLog } from '#background/task'
import type { ZoneOrders } from '#zones/list/sort_table'

/** Between two passes over all zones. */
const PASS_INTERVAL_MS = 60_000
/** Between two transactions of a large backlog, so that requests are served. */
const YIELD_MS = 20
/** After a batch with more wrong rows, the next batch follows without a pause: the table is being filled. */
const MANY_WRONG_ROWS = 50

/**
 * Updates the sort table of zone lists: rows of written zones, from the journal, and rows of zones that other tools changed
 * or whose owners were renamed, in passes over all zones. Any number of processes may run it on one database.
 */
export class SortTableUpdater extends BackgroundTask {
  #zoneOrders: ZoneOrders | undefined
  /** The pass continues after this id. */
  #lastCheckedId = 0
  #passEndedAt = -Infinity

  /** @param orders called in each run until it does not throw */
  constructor(
    private readonly orders: () => Promise<ZoneOrders>,
    logger: BackgroundLog
  ) {
    super(logger, 'Update of the zone sort table failed')
  }

  async runOnce(): Promise<void> {
    this.#zoneOrders ??= await this.orders()
    while (!this.stopping.aborted && (await this.#zoneOrders.updateStale())) {
      await wait(YIELD_MS)
    }
    while (!this.stopping.aborted && performance.now() - this.#passEndedAt >= PASS_INTERVAL_MS) {
      const { next, repaired } = await this.#zoneOrders.updateNext(this.#lastCheckedId)
      this.#lastCheckedId = next ?? 0
      if (next === null) this.#passEndedAt = performance.now()
      if (repaired <= MANY_WRONG_ROWS) break
      await wait(YIELD_MS)
    }
  }
}
