import db from '@adonisjs/lucid/services/db'
import type { AccountWriteOptions } from '#accounts/terms'
import { inTransaction } from '#database/transaction'
import { replayDelivery, type Delivery } from '#events/webhooks/deliveries'
import { lockWebhook } from '#events/webhooks/webhooks'
import { notFound } from '#exceptions/refusal'

/**
 * Repeats a delivery of a webhook. Throws a 403 `Refusal` for all but administrators, and a 404 for an unknown webhook or
 * delivery.
 */
export async function replay(
  webhookId: number,
  id: number,
  { actor, finish }: AccountWriteOptions
): Promise<Delivery> {
  return inTransaction(db.connection(), async (trx) => {
    await lockWebhook(trx, actor, webhookId)
    const delivery = await replayDelivery(trx, webhookId, id)
    if (!delivery) {
      throw notFound('Delivery not found')
    }
    await finish(trx)
    return delivery
  })
}
