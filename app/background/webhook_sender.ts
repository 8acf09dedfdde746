import webhooks from '#config/webhooks'
import { onSealed } from '#audit/sealed'
import { readLogExtent } from '#events/feed'
import { purgeDeliveries } from '#events/webhooks/deliveries'
import { findWebhooksWithWork } from '#events/webhooks/leases'
import { BackgroundTask, type BackgroundLog, type TaskSchedule } from '#background/task'
import { WebhookPass } from '#background/webhook_pass'

const PURGE_INTERVAL_MS = 10 * 60 * 1000

/** Webhooks served at the same time by one process. */
const MAX_CONCURRENT_WEBHOOKS = 4

/**
 * Sends events to webhooks: at once after this process sealed events, and in intervals those of other processes. Any
 * number of processes may run it on one database; a lease assigns each webhook to one of them.
 */
export class WebhookSender extends BackgroundTask {
  #purgedAt = -Infinity
  #unsubscribe: (() => void) | undefined
  /** Passes in progress by webhook; a slow one does not delay the others. */
  readonly #passes = new Map<number, Promise<void>>()

  constructor(logger: BackgroundLog) {
    super(logger, 'Webhook delivery failed')
  }

  override start(schedule: TaskSchedule): void {
    super.start(schedule)
    this.#unsubscribe = onSealed(() => this.wake())
  }

  override async stop(): Promise<void> {
    this.#unsubscribe?.()
    await super.stop()
    await Promise.all(this.#passes.values())
  }

  async runOnce(): Promise<void> {
    const { last } = await readLogExtent()
    for (const id of await findWebhooksWithWork(last)) {
      if (
        !this.#passes.has(id) &&
        this.#passes.size < MAX_CONCURRENT_WEBHOOKS &&
        !this.stopping.aborted
      ) {
        this.#begin(id, last)
      }
    }
    if (performance.now() - this.#purgedAt >= PURGE_INTERVAL_MS) {
      this.#purgedAt = performance.now()
      await purgeDeliveries(webhooks.retention_days, this.stopping)
    }
  }

  #begin(id: number, lastEventId: number): void {
    const pass = new WebhookPass(id, this.stopping)
      .run(lastEventId)
      .catch((error: unknown) => {
        this.logFailure(error)
        return false
      })
      .then((hasWorked) => {
        this.#passes.delete(id)
        // For new events and for webhooks above the limit. An empty pass does not wake the task.
        if (hasWorked) this.wake()
      })
    this.#passes.set(id, pass)
  }
}
