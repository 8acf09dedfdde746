import webhooks from '#config/webhooks'
import { onSealed } from '#audit/sealed'
import { extentOfEvents } from '#events/feed'
import { purgeDeliveries } from '#events/webhooks/deliveries'
import { webhooksWithWork } from '#events/webhooks/leases'
import { BackgroundTask, type KeeperLog } from '#jobs/background/task'
import { WebhookPass } from '#jobs/webhook_pass'

const POLL_MS = 2_000
const PURGE_INTERVAL_MS = 10 * 60 * 1000

/** Webhooks that one process works on at once. */
const AT_ONCE = 4

/**
 * Delivers events to webhooks, in the background: right after this process has sealed some, and every few seconds for what
 * others left. Any number of keepers may run on one database; each webhook is in the hands of one.
 */
export class WebhookKeeper extends BackgroundTask {
  #purgedAt = -Infinity
  #unsubscribe: (() => void) | undefined
  /** Those that are worked on; a slow one holds up no other. */
  readonly #passes = new Map<number, Promise<void>>()

  constructor(logger: KeeperLog, pollMs = POLL_MS) {
    super(logger, { first: pollMs, every: pollMs, failure: 'Webhooks cannot be told of events' })
  }

  override start(): void {
    super.start()
    this.#unsubscribe = onSealed(() => this.hurry())
  }

  override async stop(): Promise<void> {
    this.#unsubscribe?.()
    await super.stop()
    await Promise.all(this.#passes.values())
  }

  async step(): Promise<void> {
    const { last } = await extentOfEvents()
    for (const id of await webhooksWithWork(last)) {
      if (!this.#passes.has(id) && this.#passes.size < AT_ONCE && !this.stopping.aborted) {
        this.#begin(id, last)
      }
    }
    if (performance.now() - this.#purgedAt >= PURGE_INTERVAL_MS) {
      this.#purgedAt = performance.now()
      await purgeDeliveries(webhooks.keep_days, this.stopping)
    }
  }

  #begin(id: number, last: number): void {
    const pass = new WebhookPass(id, this.stopping)
      .run(last)
      .catch((error: unknown) => {
        this.tell(error)
        return false
      })
      .then((hasWorked) => {
        this.#passes.delete(id)
        // What came meanwhile, and those who wait for a place; but nothing turns round in vain.
        if (hasWorked) this.hurry()
      })
    this.#passes.set(id, pass)
  }
}
