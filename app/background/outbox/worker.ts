import { randomUUID } from 'node:crypto'
import { outbox } from '#changes/transaction/outbox'
import { backoffMs } from '#background/backoff'
import type { BackgroundWorker, TaskSchedule } from '#background/task'
import type { Deliveries } from '#background/outbox/deliveries'
import { OutboxPass, type OutboxLog, type PassResult } from '#background/outbox/pass'
import { purgeOutbox } from '#background/outbox/store'
import { withoutValues } from '#exceptions/database_errors'

/** The response of the request that woke the worker is sent first. */
const WAKE_DELAY_MS = 10

/** The interval is shortened by up to a quarter at random, so that nodes do not poll together. */
export const OUTBOX_SCHEDULE: TaskSchedule = { firstRunMs: WAKE_DELAY_MS, intervalMs: 5_000 }

/** Longest pause between attempts while the server or the database is unavailable. */
const MAX_RETRY_PAUSE_MS = 30_000

const PURGE_INTERVAL_MS = 10 * 60 * 1000

/**
 * Delivers the outbox in the background: after a wake-up, and every few seconds the events of other processes. Any number of
 * workers may run on one database.
 */
export class OutboxWorker implements BackgroundWorker {
  #timer: NodeJS.Timeout | undefined
  #currentRun: Promise<void> | undefined
  #isWakeRequested = false
  #failures = 0
  #intervalMs = OUTBOX_SCHEDULE.intervalMs
  #purgedAt = 0
  #unsubscribe: (() => void) | undefined
  readonly #stopping = new AbortController()

  constructor(
    private readonly deliveries: Deliveries,
    private readonly logger: OutboxLog
  ) {}

  /** Starts the worker, also for events of earlier processes. */
  start({ firstRunMs, intervalMs }: TaskSchedule = OUTBOX_SCHEDULE): void {
    this.#intervalMs = intervalMs
    this.#unsubscribe = outbox.onWake(() => this.#wake())
    this.#schedule(firstRunMs)
  }

  /**
   * Aborts the current delivery and releases undelivered events. Resolves when nothing runs; the worker does not start again.
   */
  async stop(): Promise<void> {
    this.#unsubscribe?.()
    clearTimeout(this.#timer)
    this.#stopping.abort()
    await this.#currentRun
  }

  /** Delivers all events that are due now. Ends early if the server is unavailable. Throws database errors. */
  async runOnce(): Promise<{ delivered: number; failed: number }> {
    const total = { delivered: 0, failed: 0 }
    for (;;) {
      const result = await this.#pass()
      total.delivered += result.delivered
      total.failed += result.failed
      if (!canDeliverMore(result)) {
        return total
      }
    }
  }

  #wake(): void {
    if (this.#currentRun) {
      this.#isWakeRequested = true
    } else if (!this.#isWakeRequested && this.#failures === 0) {
      this.#isWakeRequested = true
      this.#schedule(WAKE_DELAY_MS)
    }
  }

  #schedule(milliseconds: number): void {
    clearTimeout(this.#timer)
    if (this.#stopping.signal.aborted) {
      return
    }
    this.#timer = setTimeout(() => {
      this.#currentRun = this.#run().finally(() => {
        this.#currentRun = undefined
        this.#schedule(this.#nextPauseMs())
      })
    }, milliseconds)
    this.#timer.unref()
  }

  #nextPauseMs(): number {
    if (this.#failures > 0) {
      return Math.min(backoffMs(this.#failures), MAX_RETRY_PAUSE_MS)
    }
    return this.#isWakeRequested ? WAKE_DELAY_MS : this.#intervalMs * (1 - Math.random() / 4)
  }

  /** Passes until nothing is due. Never throws. */
  async #run(): Promise<void> {
    this.#isWakeRequested = false
    try {
      let result: PassResult
      do {
        result = await this.#pass()
        this.#failures = result.isServerDown ? this.#failures + 1 : 0
      } while (canDeliverMore(result) && !this.#stopping.signal.aborted)
      await this.#purge()
    } catch (error) {
      this.#failures += 1
      this.logger.warn({ err: withoutValues(error) }, 'Access to the outbox failed')
    }
  }

  #pass(): Promise<PassResult> {
    return new OutboxPass(this.deliveries, this.logger, this.#stopping.signal).run(randomUUID())
  }

  async #purge(): Promise<void> {
    if (Date.now() - this.#purgedAt >= PURGE_INTERVAL_MS) {
      this.#purgedAt = Date.now()
      await purgeOutbox()
    }
  }
}

/** Whether another pass may find more that can be delivered now. */
function canDeliverMore({ delivered, failed, isServerDown }: PassResult): boolean {
  return delivered + failed > 0 && !isServerDown
}
