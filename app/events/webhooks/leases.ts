import webhooks from '#config/webhooks'
import db from '@adonisjs/lucid/services/db'
import { databaseTime, timestampOf } from '#database/rows/clock'
import { retryOnConflict } from '#database/conflicts'
import { onlyDueAndFirst } from '#events/webhooks/deliveries'
import type { WebhookRow } from '#events/webhooks/webhooks'

/** Time after which another worker takes over the webhook of a dead one. Concurrent attempts take less. */
const leaseMs = () => 10_000 + 2_000 * webhooks.timeout

/** Ids of webhooks with due deliveries and without a lease, the longest unserved first. */
export async function findWebhooksWithWork(last: number): Promise<number[]> {
  const time = await databaseTime(db.connection())
  const now = time.toISOString()
  const rows: { id: number; leased_until: string | null }[] = await db
    .from('zw_webhooks as w')
    .where('w.enabled', true)
    .where((leaseCondition) =>
      leaseCondition.whereNull('w.leased_until').orWhere('w.leased_until', '<=', now)
    )
    .where((retryCondition) =>
      retryCondition.whereNull('w.retry_at').orWhere('w.retry_at', '<=', now)
    )
    .where((workCondition) =>
      workCondition
        .where('w.position', '<', last)
        .orWhereExists((waitingDeliveries) =>
          onlyDueAndFirst(
            waitingDeliveries
              .from('zw_webhook_deliveries as d')
              .whereColumn('d.webhook_id', 'w.id'),
            time
          )
        )
    )
    .orderBy('w.id')
    .select('w.id', 'w.leased_until')
  // Not in SQL: databases order null differently.
  const leaseEndOf = (row: { leased_until: string | null }) =>
    Date.parse(row.leased_until ?? '') || 0
  return rows.sort((a, b) => leaseEndOf(a) - leaseEndOf(b)).map(({ id }) => id)
}

/** Leases a webhook. Returns it, or null if another worker was faster. */
export async function leaseWebhook(id: number, lease: string): Promise<WebhookRow | null> {
  const now = await databaseTime(db.connection())
  const updatedRows = await retryOnConflict(() =>
    db
      .from('zw_webhooks')
      .where({ id, enabled: true })
      .where((leaseCondition) =>
        leaseCondition.whereNull('leased_until').orWhere('leased_until', '<=', now.toISOString())
      )
      .update({ lease, leased_until: timestampOf(now.getTime() + leaseMs()) })
  )
  return Number(updatedRows) > 0 ? db.from('zw_webhooks').where({ id, lease }).first() : null
}

/** Extends a lease. Returns whether it is valid, and the webhook is enabled and unchanged since it was leased. */
export async function renewWebhookLease(id: number, lease: string): Promise<boolean> {
  const now = await databaseTime(db.connection())
  const updatedRows = await retryOnConflict(() =>
    db
      .from('zw_webhooks')
      .where({ id, lease, enabled: true })
      .update({ leased_until: timestampOf(now.getTime() + leaseMs()) })
  )
  return Number(updatedRows) > 0
}

/** Releases a webhook. `pauseMs` is null if it was reached. Does nothing if the lease is not valid. */
export async function releaseWebhook(
  id: number,
  lease: string,
  { failures, pauseMs, error }: { failures: number; pauseMs: number | null; error: string | null }
): Promise<void> {
  const now = await databaseTime(db.connection())
  await retryOnConflict(() =>
    db
      .from('zw_webhooks')
      .where({ id, lease })
      .update({
        lease: null,
        // The end of the lease is now: webhooks with the earliest end are served first.
        leased_until: now.toISOString(),
        failures,
        retry_at: pauseMs === null ? null : timestampOf(now.getTime() + pauseMs),
        last_error: error?.slice(0, 500) ?? null,
      })
  )
}
