import { setTimeout as wait } from 'node:timers/promises'
import { BackgroundTask, type KeeperLog } from '#jobs/background/task'
import type { ZoneOrders } from '#zones/list/sort_table'

/** How often it follows the journal, and looks at some hundred other zones. */
const STEP_MS = 1_000
/** After all zones were looked at. */
const PASS_MS = 60_000
/** Between two transactions while there is much to do: others are served meanwhile. */
const BREATH_MS = 20
/** A step of the sweep that finds more wrong rows goes on at once: the table is being filled. */
const MANY = 50

/**
 * Keeps in the background what long lists of zones are sorted by: of zones that were written, and of those that other tools
 * changed, or whose owners have another name. Any number of keepers may run on one database.
 */
export class PlaceKeeper extends BackgroundTask {
  #orders: ZoneOrders | undefined
  /** The id after which the sweep goes on. */
  #after = 0
  #passEndedAt = -Infinity

  /** @param orders asked for in the first step, again until it does not throw */
  constructor(
    private readonly orders: () => Promise<ZoneOrders>,
    logger: KeeperLog
  ) {
    super(logger, { first: STEP_MS, every: STEP_MS, failure: 'Orders of zones cannot be kept' })
  }

  async step(): Promise<void> {
    this.#orders ??= await this.orders()
    while (!this.stopping.aborted && (await this.#orders.follow())) {
      await wait(BREATH_MS)
    }
    while (!this.stopping.aborted && performance.now() - this.#passEndedAt >= PASS_MS) {
      const { next, mended } = await this.#orders.sweep(this.#after)
      this.#after = next ?? 0
      if (next === null) this.#passEndedAt = performance.now()
      if (mended <= MANY) break
      await wait(BREATH_MS)
    }
  }
}
