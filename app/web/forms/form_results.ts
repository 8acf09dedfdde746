import { createHash, randomBytes } from 'node:crypto'
import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { HttpContext } from '@adonisjs/core/http'
import db from '@adonisjs/lucid/services/db'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import { chunks, textParts } from '#database/statements/chunks'
import { retryOnConflict } from '#database/conflicts'
import { inTransaction } from '#database/transaction'
import { holdsPrivateKey } from '#dns/wizards/dkim'
import { goTo } from '#web/page/page'
import { pageAbove } from '#web/page/referring_page'
import { currentUser } from '#web/session/current_user'

/** Lifetime of a stored result, in ms. */
export const RETENTION_MS = 24 * 60 * 60 * 1000
/**
 * Limits of stored results per user: their number, their total characters, and the number of
 * unfinished runs in addition.
 */
export const MAX_RESULTS = 30
const MAX_CHARACTERS = 33_554_432

const TABLE = 'zw_form_results'
const compress = promisify(gzip)
const decompress = promisify(gunzip)

/** A stored result, and the address of its form. */
interface StoredResult {
  path: string
  content: unknown
}

/**
 * Stores the result of a form, so that its page has an address: reloading it, or going back to it, does not submit the form
 * again. Only the user of the form can open it.
 *
 * @param name replaces the stored result of this name
 * @param isUnfinished whether it is a run that continues: other results do not displace it
 * @returns the address; null if the result is too large
 */
export async function storeFormResult(
  ctx: HttpContext,
  content: unknown,
  { name = randomBytes(16).toString('base64url'), isUnfinished = false } = {}
): Promise<string | null> {
  const { actor } = currentUser(ctx)
  const path = formPath(ctx)
  const bytes = await compress(JSON.stringify({ path, content } satisfies StoredResult))
  const text = bytes.toString('base64')
  if (text.length > MAX_CHARACTERS) {
    return null
  }
  const kind = { user_id: actor.userId, is_unfinished: isUnfinished }
  const created = { ...kind, created_at: new Date().toISOString(), name }
  const rows = textParts(text).map((part, index) => {
    return { ...created, part: index, content: part, size: part.length }
  })
  await inTransaction(db.connection(), async (trx) => {
    await trx.from(TABLE).where({ user_id: actor.userId, name }).delete()
    for (const batch of chunks(rows)) await trx.table(TABLE).multiInsert(batch)
    await dropOthers(trx, kind)
  })
  return `${path}/results/${name}`
}

/** Whether any field of a form contains a private key, which is never stored. */
export function holdsSecret(form: unknown): boolean {
  return holdsPrivateKey(JSON.stringify(form))
}

/** The stored result at this address for its user; null if it does not exist. */
export async function loadFormResult(ctx: HttpContext): Promise<unknown> {
  return loadFormResultNamed(ctx, String(ctx.params.result))
}

/** The stored result of this name, of the form at this address. */
export async function loadFormResultNamed(ctx: HttpContext, name: string): Promise<unknown> {
  const rows: { content: string }[] = await db
    .from(TABLE)
    .where({ user_id: currentUser(ctx).actor.userId, name })
    .where('created_at', '>', since())
    .orderBy('part')
    .select('content')
  if (rows.length === 0) {
    return null
  }
  const bytes = Buffer.from(rows.map(({ content }) => content).join(''), 'base64')
  const json = await decompress(bytes)
  const { path, content } = JSON.parse(json.toString()) as StoredResult
  return path === formPath(ctx) ? content : null
}

/** The field `once` of a stored page: equal for the same plan, so that a plan is not applied twice by going back. */
export function resultToken(name: string, about: string): string {
  return createHash('sha256').update(`${name} ${about}`).digest('base64url')
}

/** Redirects from an address without a stored result to the page above, with a message. */
export function leadAbove(ctx: HttpContext): void {
  goTo(ctx, pageAbove(ctx), ctx.i18n.t('layout.error_not_kept'), 'warning')
}

/** The address of the form, or of the form of this stored result. */
function formPath({ request }: HttpContext): string {
  return request.url().replace(/\/results\/[^/]*$/, '')
}

/** Deletes the oldest results of a user beyond the limits, of one kind. */
async function dropOthers(
  trx: TransactionClientContract,
  kind: { user_id: number; is_unfinished: boolean }
): Promise<void> {
  const userResults: { name: string; size: number | string }[] = await trx
    .from(TABLE)
    .where(kind)
    .groupBy('name')
    .select('name')
    .sum('size as size')
    .max('id as newest')
    .orderBy('newest', 'desc')
  let totalBytes = 0
  const dropped = userResults.filter(({ size }, index) => {
    totalBytes += Number(size)
    return index >= MAX_RESULTS || totalBytes > MAX_CHARACTERS
  })
  const names = dropped.map(({ name }) => name)
  if (names.length > 0) {
    await trx.from(TABLE).where(kind).whereIn('name', names).delete()
  }
}

/** Deletes expired results. */
export async function pruneFormResults(): Promise<void> {
  await retryOnConflict(() => db.from(TABLE).where('created_at', '<=', since()).delete())
}

function since(): string {
  return new Date(Date.now() - RETENTION_MS).toISOString()
}
