import db from '@adonisjs/lucid/services/db'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { DatabaseQueryBuilderContract } from '@adonisjs/lucid/types/querybuilder'
import { retryOnConflict } from '#database/conflicts'
import { chunks } from '#database/statements/chunks'
import { databaseTime, timestampOf } from '#database/rows/clock'
import { holdRow } from '#database/rows/row_lock'
import { inTransaction } from '#database/transaction'
import { isOfTypes, type PublishedEvent } from '#events/event'
import { readEventsAfter } from '#events/feed'
import { withoutAction } from '#events/visibility'
import type { WebhookRow } from '#events/webhooks/webhooks'

/** Deliveries of one query: the first of each zone. */
const DELIVERY_BATCH_SIZE = 50

/** Rows of one insert, and of one removal. */
const INSERT_BATCH_SIZE = 500

/** Deletions of one state per pass. The rest follows with the next pass. */
const MAX_REMOVAL_ROUNDS = 100

/** State of a delivery: waiting, delivered, or given up after repeated failures. */
export type DeliveryState = 'waiting' | 'delivered' | 'given_up'

/** A row of zw_webhook_deliveries. */
export interface Delivery {
  id: number
  webhook_id: number
  /** The event. */
  position: number
  type: string
  /** 0 for events that concern no zone. */
  zone_id: number
  body: string
  state: DeliveryState
  attempts: number
  next_at: string
  status: number | null
  error: string | null
  milliseconds: number | null
  created_at: string
  ended_at: string | null
}

/** Outcome of an attempt. */
export interface Attempt {
  isDelivered: boolean
  status: number | null
  error: string | null
  milliseconds: number
}

/**
 * Creates the deliveries of a webhook for the events up to a position, each once, also with concurrent callers. Returns
 * whether there may be more events.
 */
export async function createDeliveries(webhookId: number, last: number): Promise<boolean> {
  const webhookPosition: Pick<WebhookRow, 'position'> | null = await db
    .from('zw_webhooks')
    .where('id', webhookId)
    .first()
  if (!webhookPosition || Number(webhookPosition.position) >= last) {
    return false
  }
  // Read before the transaction: sealed events do not change.
  const { events, until } = await readEventsAfter(Number(webhookPosition.position), last)
  return inTransaction(db.connection(), async (trx) => {
    await holdRow(trx, 'zw_webhooks', webhookId)
    const row: WebhookRow | null = await trx.from('zw_webhooks').where('id', webhookId).first()
    if (!row?.enabled || Number(row.position) !== Number(webhookPosition.position)) {
      return false
    }
    const types = row.types === null ? null : (JSON.parse(row.types) as string[])
    const time = await databaseTime(trx)
    const now = time.toISOString()
    const rows = events
      .filter((event) => isOfTypes(event.type, types) || isTestOf(event, webhookId))
      .map((event) => ({
        webhook_id: webhookId,
        position: event.id,
        type: event.type,
        zone_id: event.zone_id ?? 0,
        body: JSON.stringify(withoutAction(event)),
        state: 'waiting',
        next_at: now,
        created_at: now,
      }))
    for (const part of chunks(rows, 100)) {
      await trx.table('zw_webhook_deliveries').multiInsert(part)
    }
    await trx.from('zw_webhooks').where('id', webhookId).update({ position: until })
    return until < last
  })
}

/** Whether the event is a test of this webhook. */
function isTestOf({ action, object }: PublishedEvent, webhookId: number): boolean {
  return action === 'webhook.tested' && object?.id === webhookId
}

/** Restricts deliveries `d` to due ones: the first waiting delivery of each zone, unless it is paused. */
export function onlyDueAndFirst(
  deliveries: DatabaseQueryBuilderContract,
  now: Date
): DatabaseQueryBuilderContract {
  return deliveries
    .where('d.state', 'waiting')
    .where('d.next_at', '<=', now.toISOString())
    .whereNotExists((earlier) =>
      earlier
        .from('zw_webhook_deliveries as b')
        .whereColumn('b.webhook_id', 'd.webhook_id')
        .where('b.state', 'waiting')
        .whereColumn('b.zone_id', 'd.zone_id')
        .whereColumn('b.position', '<', 'd.position')
    )
}

/** Deliveries of a webhook that are due, the oldest event first. */
export async function findDueDeliveries(webhookId: number): Promise<Delivery[]> {
  const now = await databaseTime(db.connection())
  const ofWebhook = db.from('zw_webhook_deliveries as d').where('d.webhook_id', webhookId)
  const rows = await onlyDueAndFirst(ofWebhook, now)
    .orderBy('d.position')
    .limit(DELIVERY_BATCH_SIZE)
    .select('d.*')
  return (rows as Delivery[]).map(deliveryFromRow)
}

/** Stores the outcome of an attempt: delivered, waiting after a pause, or given up. */
export async function settleAttempt(
  { id, attempts, created_at: createdAt }: Delivery,
  { isDelivered, status, error, milliseconds }: Attempt,
  { pauseMs, maxRetryMs }: { pauseMs: number; maxRetryMs: number }
): Promise<DeliveryState> {
  const now = await databaseTime(db.connection())
  const isOver = now.getTime() - Date.parse(createdAt) >= maxRetryMs
  const state = isDelivered ? 'delivered' : isOver ? 'given_up' : 'waiting'
  await retryOnConflict(() =>
    db
      .from('zw_webhook_deliveries')
      .where({ id, state: 'waiting' })
      .update({
        state,
        attempts: attempts + 1,
        status,
        error: error?.slice(0, 500) ?? null,
        milliseconds,
        next_at: timestampOf(now.getTime() + pauseMs),
        ended_at: state === 'waiting' ? null : now.toISOString(),
      })
  )
  return state
}

/** Deliveries of a webhook, the newest event first. */
export async function listDeliveries(
  webhookId: number,
  { offset, limit }: { offset: number; limit: number }
): Promise<{ rows: Delivery[]; total: number }> {
  const ofWebhook = () => db.from('zw_webhook_deliveries').where('webhook_id', webhookId)
  const [count] = await ofWebhook().count('* as total')
  const rows: Delivery[] = await ofWebhook().orderBy('position', 'desc').offset(offset).limit(limit)
  return { rows: rows.map(deliveryFromRow), total: Number(count.total) }
}

/** Resets a delivery to its state before the first attempt. Returns it, or null without one of this id. */
export async function replayDelivery(
  trx: QueryClientContract,
  webhookId: number,
  id: number
): Promise<Delivery | null> {
  const time = await databaseTime(trx)
  const now = time.toISOString()
  await trx
    .from('zw_webhook_deliveries')
    .where({ id, webhook_id: webhookId })
    .update({ state: 'waiting', attempts: 0, next_at: now, created_at: now, ended_at: null })
  const row: Delivery | null = await trx
    .from('zw_webhook_deliveries')
    .where({ id, webhook_id: webhookId })
    .first()
  return row && deliveryFromRow(row)
}

/** Deletes deliveries that ended more than `days` days ago, in batches, until `signal` ends it. */
export async function purgeDeliveries(days: number, signal?: AbortSignal): Promise<void> {
  const now = await databaseTime(db.connection())
  const earlier = timestampOf(now.getTime() - days * 86_400_000)
  for (const state of ['delivered', 'given_up'] as const) {
    for (let round = 0; round < MAX_REMOVAL_ROUNDS && !signal?.aborted; round += 1) {
      if ((await removeBatch(state, earlier)) < INSERT_BATCH_SIZE) break
    }
  }
}

/** Returns how many there were. */
async function removeBatch(state: DeliveryState, earlier: string): Promise<number> {
  const rows: { id: number | string }[] = await db
    .from('zw_webhook_deliveries')
    .where('state', state)
    .where('ended_at', '<', earlier)
    .orderBy('ended_at')
    .limit(INSERT_BATCH_SIZE)
    .select('id')
  const ids = rows.map(({ id }) => Number(id))
  await retryOnConflict(() => db.from('zw_webhook_deliveries').whereIn('id', ids).delete())
  return ids.length
}

function deliveryFromRow(row: Delivery): Delivery {
  return {
    ...row,
    id: Number(row.id),
    position: Number(row.position),
    attempts: Number(row.attempts),
  }
}
