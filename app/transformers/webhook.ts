import type { Delivery } from '#events/webhooks/deliveries'
import type { ListedWebhook } from '#events/webhooks/webhooks'

/** A webhook of the API, without its secret. */
export function webhookItem({ row, waiting }: ListedWebhook) {
  return {
    id: row.id,
    name: row.name,
    url: row.url,
    types: row.types === null ? [] : (JSON.parse(row.types) as string[]),
    enabled: Boolean(row.enabled),
    waiting,
    failures: Number(row.failures),
    retry_at: row.retry_at,
    last_error: row.last_error,
    created_at: row.created_at,
    created_by: row.created_by,
  }
}

/** A delivery of the API. */
export function deliveryItem(delivery: Delivery) {
  const { id, position, type, state, attempts, status, error, milliseconds } = delivery
  return {
    id,
    event_id: position,
    type,
    zone_id: delivery.zone_id === 0 ? null : delivery.zone_id,
    state,
    attempts,
    status,
    error,
    milliseconds,
    created_at: delivery.created_at,
    next_at: state === 'waiting' ? delivery.next_at : null,
    ended_at: delivery.ended_at,
    body: JSON.parse(delivery.body) as object,
  }
}
