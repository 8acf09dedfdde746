import { addressId } from '#controllers/support/params'
import type { HttpContext } from '@adonisjs/core/http'
import type { Actor } from '#access/actor'
import { demand } from '#access/demand'
import { accountWrite, answerOutcome } from '#controllers/support/answer_outcome'
import { paged, pageOf } from '#controllers/support/paging'
import { optionalBody, validBody } from '#controllers/support/request_body'
import { listDeliveries } from '#events/webhooks/deliveries'
import { replay } from '#events/webhooks/replay'
import {
  createWebhook,
  deleteWebhook,
  findWebhook,
  listWebhooks,
  replaceSecret,
  testWebhook,
  updateWebhook,
} from '#events/webhooks/webhooks'
import { success } from '#transformers/envelope'
import { deliveryItem, webhookItem } from '#transformers/webhook'
import { createWebhookValidator, updateWebhookValidator } from '#validators/webhook'
import { writeValidator } from '#validators/fields'

/** Default page of the list. */
const FIRST_PAGE = { number: 1, size: 100, offset: 0 }

/** /api/v2/webhooks */
export default class WebhooksController {
  async index({ actor }: HttpContext) {
    const webhooks = await listWebhooks(actor)
    return success({ webhooks: webhooks.map(webhookItem) }, 'Webhooks retrieved successfully')
  }

  async show(ctx: HttpContext) {
    const webhook = webhookItem(await findWebhook(ctx.actor, addressId(ctx)))
    return success({ webhook }, 'Webhook retrieved successfully')
  }

  async store(ctx: HttpContext) {
    ctx.repeatable = false
    demand(ctx.actor, { action: 'server.manage_webhooks' })
    demand(ctx.actor, { action: 'key.change_access' })
    const body = await validBody(ctx, createWebhookValidator)
    const outcome = await accountWrite(ctx, body, (terms) => createWebhook(body, terms))
    return answerOutcome(ctx, outcome, async ({ id, secret }) => {
      ctx.response.status(201)
      const webhook = webhookItem(await findWebhook(ctx.actor, id))
      return success(
        { webhook, secret },
        'Webhook created successfully. The secret is shown only once.'
      )
    })
  }

  async update(ctx: HttpContext) {
    const id = addressId(ctx)
    await openToWrite(ctx.actor, id)
    const body = await validBody(ctx, updateWebhookValidator)
    const outcome = await accountWrite(ctx, body, (terms) => updateWebhook(id, body, terms))
    return answerOutcome(ctx, outcome, async () => {
      const webhook = webhookItem(await findWebhook(ctx.actor, id))
      return success({ webhook }, 'Webhook updated successfully')
    })
  }

  async destroy(ctx: HttpContext) {
    const id = addressId(ctx)
    await openToWrite(ctx.actor, id)
    const body = await optionalBody(ctx, writeValidator)
    const outcome = await accountWrite(ctx, body, (terms) => deleteWebhook(id, terms))
    return answerOutcome(ctx, outcome, () => {
      ctx.response.status(204)
    })
  }

  /** Replaces the secret; the old one is invalid at once. */
  async secret(ctx: HttpContext) {
    ctx.repeatable = false
    const id = addressId(ctx)
    await openToWrite(ctx.actor, id)
    const body = await optionalBody(ctx, writeValidator)
    const outcome = await accountWrite(ctx, body, (terms) => replaceSecret(id, terms))
    return answerOutcome(ctx, outcome, (secret) =>
      success({ secret }, 'Secret replaced. The new secret is shown only once.')
    )
  }

  /** Creates a test event for the webhook. */
  async test(ctx: HttpContext) {
    const id = addressId(ctx)
    await openToWrite(ctx.actor, id)
    const body = await optionalBody(ctx, writeValidator)
    const outcome = await accountWrite(ctx, body, (terms) => testWebhook(id, terms))
    return answerOutcome(ctx, outcome, () => {
      ctx.response.status(202)
      return success(null, 'Test event sent to the webhook')
    })
  }

  async deliveries(ctx: HttpContext) {
    const { row } = await findWebhook(ctx.actor, addressId(ctx))
    const page = pageOf(ctx) ?? FIRST_PAGE
    const { rows, total } = await listDeliveries(row.id, { offset: page.offset, limit: page.size })
    return success(
      { deliveries: rows.map(deliveryItem) },
      'Deliveries retrieved successfully',
      paged(page, total)
    )
  }

  /** Repeats a delivery, even if it succeeded. */
  async replay(ctx: HttpContext) {
    const id = addressId(ctx)
    await openToWrite(ctx.actor, id)
    const body = await optionalBody(ctx, writeValidator)
    const outcome = await accountWrite(ctx, body, (terms) =>
      replay(id, addressId(ctx, 'delivery'), terms)
    )
    return answerOutcome(ctx, outcome, (delivery) => {
      ctx.response.status(202)
      return success({ delivery: deliveryItem(delivery) }, 'Delivery rescheduled')
    })
  }
}

/** A webhook that the caller may change. A 403 has precedence over a 404. */
async function openToWrite(actor: Actor, id: number): Promise<void> {
  demand(actor, { action: 'server.manage_webhooks' })
  demand(actor, { action: 'key.change_access' })
  await findWebhook(actor, id)
}
