import { randomUUID } from 'node:crypto'
import webhooks from '#config/webhooks'
import {
  findDueDeliveries,
  createDeliveries,
  settleAttempt,
  type Attempt,
  type Delivery,
} from '#events/webhooks/deliveries'
import { guardedPost, NotReached } from '#events/webhooks/guarded_post'
import { releaseWebhook, renewWebhookLease, leaseWebhook } from '#events/webhooks/leases'
import { SIGNATURE_HEADER, signatureOf } from '#events/webhooks/signature'
import { decryptSecret, type WebhookRow } from '#events/webhooks/webhooks'
import { backoffMs } from '#background/backoff'

/** Maximum number of zones whose events are sent concurrently. */
const MAX_CONCURRENT_ZONES = 4

/** Longest pause between attempts for an unreachable webhook. */
const MAX_PAUSE_MS = 5 * 60_000

/** Longest pass for one webhook; other webhooks are served after it. */
const MAX_PASS_MS = 30_000

const HOUR_MS = 3_600_000

/** Delivers the due events of one webhook, in one process at a time. Events of one zone are sent in order. */
export class WebhookPass {
  readonly #lease = randomUUID()
  #hasWorked = false
  /** Consecutive failures, with those of earlier passes. */
  #failures = 0
  /** Connection error of this pass; null for none. */
  #connectionError: string | null = null
  #lastError: string | null = null

  constructor(
    private readonly id: number,
    private readonly signal: AbortSignal
  ) {}

  /** Delivers due events up to the id `lastEventId` for a limited time. Returns whether there were any. Throws database errors. */
  async run(lastEventId: number): Promise<boolean> {
    const row = await leaseWebhook(this.id, this.#lease)
    if (!row) {
      return false
    }
    this.#hasWorked = Number(row.position) < lastEventId
    this.#failures = row.failures
    this.#lastError = row.last_error
    while (!this.signal.aborted && (await createDeliveries(this.id, lastEventId))) {
      if (!(await renewWebhookLease(this.id, this.#lease))) break
    }
    const secret = decryptSecret(row)
    if (secret === null) {
      this.#failures += 1
      this.#connectionError =
        'The secret cannot be decrypted (was APP_KEY changed?): create a new one'
    } else {
      await this.#deliver(row, secret)
    }
    await releaseWebhook(this.id, this.#lease, {
      failures: this.#failures,
      pauseMs:
        this.#connectionError === null ? null : Math.min(backoffMs(this.#failures), MAX_PAUSE_MS),
      error: this.#connectionError ?? this.#lastError,
    })
    return this.#hasWorked
  }

  async #deliver(row: WebhookRow, secret: string): Promise<void> {
    const deadline = performance.now() + MAX_PASS_MS
    for (;;) {
      const dueDeliveries = await findDueDeliveries(this.id)
      for (let from = 0; from < dueDeliveries.length; from += MAX_CONCURRENT_ZONES) {
        const isOver =
          this.signal.aborted || this.#connectionError !== null || performance.now() >= deadline
        // The lease was not renewed: the webhook has another URL or secret.
        if (isOver || !(await renewWebhookLease(this.id, this.#lease))) {
          return
        }
        this.#hasWorked = true
        const batch = dueDeliveries.slice(from, from + MAX_CONCURRENT_ZONES)
        await Promise.all(batch.map((delivery) => this.#attempt(row, secret, delivery)))
      }
      if (dueDeliveries.length === 0) {
        return
      }
    }
  }

  async #attempt(row: WebhookRow, secret: string, delivery: Delivery): Promise<void> {
    const attempt = await this.#send(row, secret, delivery)
    if (this.signal.aborted && !attempt.isDelivered) {
      // The process stops: the event counts as not tried.
      return
    }
    const isReached = attempt.status !== null
    if (isReached) {
      this.#failures = 0
    } else if (this.#connectionError === null) {
      this.#failures += 1
      this.#connectionError = attempt.error
    }
    this.#lastError = attempt.error
    await settleAttempt(delivery, attempt, {
      pauseMs: backoffMs(delivery.attempts + 1),
      maxRetryMs: webhooks.give_up_hours * HOUR_MS,
    })
  }

  /** Never throws. */
  async #send({ url }: WebhookRow, secret: string, delivery: Delivery): Promise<Attempt> {
    const startedAt = performance.now()
    const { id, position, type, body } = delivery
    const seconds = Math.floor(Date.now() / 1_000)
    const headers = {
      'Content-Type': 'application/json',
      'User-Agent': 'Zonewright',
      'Webhook-Id': String(position),
      'Webhook-Event': type,
      'Webhook-Delivery': String(id),
      [SIGNATURE_HEADER]: signatureOf(secret, seconds, body),
    }
    let status: number | null = null
    let error: string | null = null
    try {
      status = await guardedPost(new URL(url), body, headers, {
        allowedNetworks: webhooks.allowed_networks,
        timeoutMs: webhooks.timeout * 1_000,
        signal: this.signal,
      })
    } catch (failure) {
      error = failure instanceof NotReached ? failure.message : 'Internal error'
    }
    const isDelivered = status !== null && status >= 200 && status < 300
    if (status !== null && !isDelivered) {
      error = `Answered with ${status}`
    }
    return { isDelivered, status, error, milliseconds: Math.round(performance.now() - startedAt) }
  }
}
