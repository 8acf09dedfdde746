import { addressId } from '#controllers/support/params'
import type { HttpContext } from '@adonisjs/core/http'
import { demand } from '#access/demand'
import { commandOptions } from '#accounts/terms'
import { formProblem, type FormProblem } from '#controllers/web/accounts/account_form_errors'
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
  type ListedWebhook,
  type WebhookRow,
} from '#events/webhooks/webhooks'
import { stateTag } from '#exceptions/state_tag'
import { deliveryItem, webhookItem } from '#transformers/webhook'
import { createWebhookValidator } from '#validators/webhook'
import { webhookForm, webhookSecretForm } from '#validators/web/operations'
import { formBody } from '#web/forms/body'
import { formTerms, versionForRedisplay } from '#web/forms/version'
import { pageOf, pagerOf } from '#web/page/list_page'
import { onceOnly, formToken } from '#web/forms/form_token'
import { goTo } from '#web/page/page'
import { storedNow } from '#web/forms/edit_conflict'

/** Maximum of deliveries on a page. */
const MAX_DELIVERIES = 50

/** Fields of a webhook form. */
interface Values {
  name: string
  url: string
  types: string
  enabled: boolean
}

/** State of the page of a refused form. */
interface ShownForm {
  problem?: FormProblem | null
  values?: Values
  /** Version of the submitted form. */
  tag?: string
}

const LABELS = {
  name: 'webhooks.name',
  url: 'webhooks.url',
  types: 'webhooks.types',
  enabled: 'webhooks.enabled',
}

const NEW_WEBHOOK: Values = { name: '', url: '', types: '', enabled: true }

/** /webhooks: recipients of events. */
export default class WebhooksController {
  async index(ctx: HttpContext) {
    const webhooks = await listWebhooks(ctx.actor)
    return ctx.view.render('pages/webhooks/index', { webhooks: webhooks.map(webhookItem) })
  }

  create(ctx: HttpContext) {
    demand(ctx.actor, { action: 'server.manage_webhooks' })
    return newPage(ctx, NEW_WEBHOOK)
  }

  async store(ctx: HttpContext) {
    demand(ctx.actor, { action: 'server.manage_webhooks' })
    const { once, ...values } = await valuesOf(ctx)
    try {
      const input = await inputOf(values)
      const created = await onceOnly(ctx, once, (terms) => createWebhook(input, terms))
      return created
        ? await secretPage(ctx, created.id, created.secret)
        : alreadyCreated(ctx, '/webhooks')
    } catch (error) {
      return newPage(ctx, values, formProblem(ctx, error))
    }
  }

  async show(ctx: HttpContext) {
    return showPage(ctx, await findWebhook(ctx.actor, addressId(ctx)))
  }

  async update(ctx: HttpContext) {
    const found = await findWebhook(ctx.actor, addressId(ctx))
    const { tag, ...values } = await valuesOf(ctx)
    try {
      const terms = formTerms(ctx.actor, tag, webhookTag)
      await updateWebhook(found.row.id, await inputOf(values), terms)
    } catch (error) {
      const problem = formProblem(ctx, error, ctx.i18n.t('webhooks.moved'))
      const updated = await findWebhook(ctx.actor, found.row.id)
      return showPage(ctx, updated, { problem, values, tag })
    }
    return goToWebhook(ctx, found.row.id, 'webhooks.saved')
  }

  async destroy(ctx: HttpContext) {
    const { row } = await findWebhook(ctx.actor, addressId(ctx))
    await deleteWebhook(row.id, commandOptions(ctx.actor))
    return goTo(ctx, '/webhooks', ctx.i18n.t('webhooks.deleted', { name: row.name }))
  }

  /** Replaces the secret and shows it once; the old one is invalid at once. */
  async secret(ctx: HttpContext) {
    const found = await findWebhook(ctx.actor, addressId(ctx))
    const { row } = found
    const { sure, once } = await ctx.request.validateUsing(webhookSecretForm)
    if (sure === undefined) {
      const problem = { status: 422, message: ctx.i18n.t('webhooks.renew_unsure') }
      return showPage(ctx, found, { problem })
    }
    const secret = await onceOnly(ctx, once, (terms) => replaceSecret(row.id, terms))
    return secret === null
      ? alreadyCreated(ctx, `/webhooks/${row.id}`)
      : secretPage(ctx, row.id, secret)
  }

  /** Creates a test event for the webhook. */
  async test(ctx: HttpContext) {
    const found = await findWebhook(ctx.actor, addressId(ctx))
    try {
      await testWebhook(found.row.id, commandOptions(ctx.actor))
    } catch (error) {
      return showPage(ctx, found, { problem: formProblem(ctx, error) })
    }
    return goToWebhook(ctx, found.row.id, 'webhooks.tested')
  }

  /** Repeats a delivery, even if it succeeded. */
  async replay(ctx: HttpContext) {
    const id = addressId(ctx)
    await findWebhook(ctx.actor, id)
    await replay(id, addressId(ctx, 'delivery'), commandOptions(ctx.actor))
    return goToWebhook(ctx, id, 'webhooks.replayed')
  }
}

/** The submitted fields, the version of the form and its form token. */
async function valuesOf(ctx: HttpContext): Promise<Values & { tag?: string; once?: string }> {
  const form = await ctx.request.validateUsing(webhookForm)
  const { name = '', url = '', types = '', enabled, tag, once } = form
  return { name, url, types, enabled: enabled === '1', tag, once }
}

/** A form that created a secret must not create another one when it is repeated. */
function alreadyCreated(ctx: HttpContext, path: string) {
  return goTo(ctx, path, ctx.i18n.t('keys.made_already'), 'warning')
}

/** The body as for the API. Throws a 400 `Refusal`. */
function inputOf({ name, url, types, enabled }: Values) {
  const list = typesIn(types)
  return formBody(createWebhookValidator, { name, url: url.trim(), types: list, enabled })
}

function typesIn(text: string): string[] {
  return text.split(/[\s,]+/).filter(Boolean)
}

/** The version of the fields that a form changes. */
function webhookTag({ name, url, types, enabled }: WebhookRow): string {
  return stateTag([name, url, types, Boolean(enabled)])
}

function newPage(ctx: HttpContext, values: Values, problem: FormProblem | null = null) {
  ctx.response.status(problem?.status ?? 200)
  return ctx.view.render('pages/webhooks/new', { values, problem, once: formToken() })
}

async function showPage(
  ctx: HttpContext,
  found: ListedWebhook,
  { problem = null, values, tag }: ShownForm = {}
) {
  const webhook = webhookItem(found)
  const page = pageOf(ctx, MAX_DELIVERIES)
  const window = { offset: page.offset, limit: page.size }
  const { rows, total } = await listDeliveries(webhook.id, window)
  const storedValues = { ...webhook, types: webhook.types.join('\n') }
  const textsOf = ({ name, url, types, enabled }: Values) => {
    const words = typesIn(types).sort().join('\n')
    return {
      name,
      url,
      types: words,
      enabled: ctx.i18n.t(enabled ? 'webhooks.on' : 'webhooks.off'),
    }
  }
  const formValues = values ?? storedValues
  ctx.response.status(problem?.status ?? 200)
  return ctx.view.render('pages/webhooks/show', {
    webhook,
    values: formValues,
    storedNow: storedNow(ctx, problem, LABELS, textsOf(storedValues), textsOf(formValues)),
    tag: versionForRedisplay(webhookTag(found.row), problem, tag),
    once: formToken(),
    problem,
    deliveries: rows.map((row) => {
      const item = deliveryItem(row)
      return { ...item, body: JSON.stringify(item.body, null, 2) }
    }),
    maxRows: MAX_DELIVERIES,
    pager: pagerOf(ctx, page, total, rows.length, `/webhooks/${webhook.id}`),
  })
}

/** The only page that shows the secret. */
async function secretPage(ctx: HttpContext, id: number, secret: string) {
  const { row } = await findWebhook(ctx.actor, id)
  ctx.response.header('Cache-Control', 'no-store')
  return ctx.view.render('pages/webhooks/secret', { id, name: row.name, secret })
}

function goToWebhook(ctx: HttpContext, id: number, messageKey: string) {
  return goTo(ctx, `/webhooks/${id}`, ctx.i18n.t(messageKey))
}
