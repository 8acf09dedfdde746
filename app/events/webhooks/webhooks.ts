import encryption from '@adonisjs/core/services/encryption'
import db from '@adonisjs/lucid/services/db'
import type { QueryClientContract, TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { Actor } from '#access/actor'
import { demand } from '#access/demand'
import type { AccountWriteOptions } from '#accounts/terms'
import type { AuditAction } from '#audit/actions'
import { readEnds } from '#audit/head'
import { record } from '#audit/record'
import { holdRow } from '#database/rows/row_lock'
import { isRowId } from '#database/rows/row_ids'
import { inTransaction } from '#database/transaction'
import { conflict, notFound } from '#exceptions/refusal'
import { serializeTypes, parseWebhookUrl } from '#events/webhooks/input'
import { generateSecret } from '#events/webhooks/signature'

const SECRET_PURPOSE = 'webhook-secret'

/** A webhook as it is stored. */
export interface WebhookRow {
  id: number
  name: string
  url: string
  secret: string
  types: string | null
  enabled: boolean | number
  position: number | string
  failures: number
  retry_at: string | null
  last_error: string | null
  lease: string | null
  leased_until: string | null
  created_by: string | null
  created_at: string
}

/** Input of a webhook. Absent members do not change. */
export interface WebhookInput {
  name?: string
  url?: string
  /** Types of events or their first words; empty is all. */
  types?: string[]
  enabled?: boolean
}

/** A webhook with the number of its waiting events. */
export interface ListedWebhook {
  row: WebhookRow
  waiting: number
}

/** Every webhook. Throws a 403 `Refusal` for all but administrators. */
export async function listWebhooks(actor: Actor): Promise<ListedWebhook[]> {
  demand(actor, { action: 'server.manage_webhooks' })
  const rows: WebhookRow[] = await db.from('zw_webhooks').orderBy('id')
  const counts: { webhook_id: number; total: number | string }[] = await db
    .from('zw_webhook_deliveries')
    .where('state', 'waiting')
    .groupBy('webhook_id')
    .select('webhook_id')
    .count('* as total')
  const waiting = new Map(counts.map((one) => [one.webhook_id, Number(one.total)]))
  return rows.map((row) => ({ row, waiting: waiting.get(row.id) ?? 0 }))
}

/** One webhook. Throws as `listWebhooks`, and a 404. */
export async function findWebhook(actor: Actor, id: number): Promise<ListedWebhook> {
  const all = await listWebhooks(actor)
  const found = all.find(({ row }) => row.id === id)
  if (!found) {
    throw notFound('Webhook not found')
  }
  return found
}

/** Creates a webhook, which receives events from now on. Returns the secret; the database stores it encrypted. */
export async function createWebhook(
  input: WebhookInput & { name: string; url: string },
  terms: AccountWriteOptions
): Promise<{ id: number; secret: string }> {
  const { actor } = terms
  demand(actor, { action: 'server.manage_webhooks' })
  demand(actor, { action: 'key.change_access' })
  const secret = generateSecret()
  const columns = {
    ...webhookColumns(input),
    secret: encryption.encrypt(secret, { purpose: SECRET_PURPOSE }),
  }
  const id = await inTransaction(db.connection(), async (trx) => {
    const [inserted] = await trx
      .insertQuery<{ id: number } | number>()
      .table('zw_webhooks')
      .returning('id')
      .insert({
        enabled: true,
        ...columns,
        position: await lastPosition(trx),
        created_by: actor.username,
        created_at: new Date().toISOString(),
      })
    const webhookId = Number(typeof inserted === 'object' ? inserted.id : inserted)
    await auditChange(trx, terms, 'webhook.created', webhookId)
    return webhookId
  })
  return { id, secret }
}

/**
 * Updates a webhook. A webhook that is enabled again receives events from then on. Throws like `findWebhook` and
 * `terms.expect`, which checks the row.
 */
export async function updateWebhook(
  id: number,
  input: WebhookInput,
  terms: AccountWriteOptions
): Promise<void> {
  await changeWebhook(id, terms, 'webhook.updated', async (trx, row) => {
    const isReenabled = input.enabled === true && !row.enabled
    // After a new URL or a new activation, the webhook is tried at once.
    const retryReset = { failures: 0, retry_at: null, last_error: null }
    return {
      ...webhookColumns(input),
      ...(input.url !== undefined || isReenabled ? retryReset : {}),
      ...(isReenabled ? { position: await lastPosition(trx) } : {}),
    }
  })
}

/** Replaces the secret of a webhook, which signs from now on, and returns it. Throws as `findWebhook`. */
export async function replaceSecret(id: number, terms: AccountWriteOptions): Promise<string> {
  const secret = generateSecret()
  const encrypted = encryption.encrypt(secret, { purpose: SECRET_PURPOSE })
  await changeWebhook(id, terms, 'webhook.secret', () => Promise.resolve({ secret: encrypted }))
  return secret
}

/** Creates an event for the webhook, whatever types it receives. Throws like `findWebhook`, and a 409 for a disabled one. */
export async function testWebhook(id: number, terms: AccountWriteOptions): Promise<void> {
  await inTransaction(db.connection(), async (trx) => {
    const row = await lockWebhook(trx, terms.actor, id)
    if (!row.enabled) {
      throw conflict('The webhook is disabled and receives no events')
    }
    await auditChange(trx, terms, 'webhook.tested', id)
  })
}

/** Deletes a webhook and its waiting deliveries. Throws like `findWebhook`. */
export async function deleteWebhook(id: number, terms: AccountWriteOptions): Promise<void> {
  await inTransaction(db.connection(), async (trx) => {
    await lockWebhook(trx, terms.actor, id)
    await auditChange(trx, terms, 'webhook.deleted', id)
    await trx.from('zw_webhook_deliveries').where('webhook_id', id).delete()
    await trx.from('zw_webhooks').where('id', id).delete()
  })
}

/** The secret; null if it cannot be decrypted because `APP_KEY` changed. */
export function decryptSecret({ secret }: Pick<WebhookRow, 'secret'>): string | null {
  return encryption.decrypt<string>(secret, SECRET_PURPOSE)
}

/** Locks the row of a webhook until the end of the transaction. */
export async function lockWebhook(
  trx: TransactionClientContract,
  actor: Actor,
  id: number
): Promise<WebhookRow> {
  demand(actor, { action: 'server.manage_webhooks' })
  demand(actor, { action: 'key.change_access' })
  if (isRowId(id)) {
    await holdRow(trx, 'zw_webhooks', id)
    const row: WebhookRow | null = await trx.from('zw_webhooks').where('id', id).first()
    if (row) return row
  }
  throw notFound('Webhook not found')
}

/** Columns that end the lease, because its worker has the old properties. */
const RELEASED_LEASE = { lease: null, leased_until: null }

async function changeWebhook(
  id: number,
  terms: AccountWriteOptions,
  action: AuditAction,
  columns: (trx: TransactionClientContract, row: WebhookRow) => Promise<object>
): Promise<void> {
  await inTransaction(db.connection(), async (trx) => {
    const row = await lockWebhook(trx, terms.actor, id)
    terms.checkStored?.(row)
    const changed = await columns(trx, row)
    if (Object.keys(changed).length > 0) {
      await trx
        .from('zw_webhooks')
        .where('id', id)
        .update({ ...changed, ...RELEASED_LEASE })
      await auditChange(trx, terms, action, id)
    }
  })
}

/** Audits a change, without the path of the URL, which can contain a secret of the receiver. */
async function auditChange(
  trx: TransactionClientContract,
  { actor, finish }: AccountWriteOptions,
  action: AuditAction,
  id: number
): Promise<void> {
  const row = (await trx.from('zw_webhooks').where('id', id).first()) as WebhookRow
  await record(trx, actor, {
    action,
    object: { kind: 'webhook', id, name: row.name },
    detail: { host: new URL(row.url).host, enabled: Boolean(row.enabled) },
  })
  await finish(trx)
}

function webhookColumns({ name, url, types, enabled }: WebhookInput) {
  return {
    ...(name === undefined ? {} : { name }),
    ...(url === undefined ? {} : { url: parseWebhookUrl(url) }),
    ...(types === undefined ? {} : { types: serializeTypes(types) }),
    ...(enabled === undefined ? {} : { enabled }),
  }
}

async function lastPosition(client: QueryClientContract): Promise<number> {
  const logEnds = await readEnds(client)
  return logEnds?.head.position ?? 0
}
