import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import db from '@adonisjs/lucid/services/db'
import { retryOnConflict } from '#database/conflicts'

const TABLE = 'zw_first_run_tokens'
const TOKEN_BYTES = 24
const VALID_MS = 24 * 3_600_000
/** Several nodes can start at once, and each prints a token. */
const MAX_TOKENS = 8

/**
 * Creates a token for the first administrator, valid for a day. A limited number of earlier tokens
 * stays valid, on every node.
 */
export async function createFirstRunToken(): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const now = Date.now()
  await retryOnConflict(async () => {
    await db.from(TABLE).where('expires_at', '<=', new Date(now).toISOString()).delete()
    const newest: { id: number }[] = await db
      .from(TABLE)
      .orderBy('id', 'desc')
      .limit(MAX_TOKENS - 1)
      .select('id')
    const ids = newest.map(({ id }) => id)
    await db
      .from(TABLE)
      .whereNotIn('id', [0, ...ids])
      .delete()
    await db.table(TABLE).insert({
      token_hash: hashOf(token),
      expires_at: new Date(now + VALID_MS).toISOString(),
    })
  })
  return token
}

/** Returns whether the token is valid. */
export async function isFirstRunToken(token: string): Promise<boolean> {
  const rows: { token_hash: string }[] = await db
    .from(TABLE)
    .where('expires_at', '>', new Date().toISOString())
    .select('token_hash')
  const tokenDigest = Buffer.from(hashOf(token))
  return rows.reduce((isMatch, { token_hash: known }) => {
    return timingSafeEqual(Buffer.from(known), tokenDigest) || isMatch
  }, false)
}

/** Deletes all tokens. Returns false if another request deleted them first. */
export async function redeemFirstRunTokens(): Promise<boolean> {
  const deletedRows: unknown = await retryOnConflict(() => db.from(TABLE).delete())
  return Number(deletedRows) > 0
}

/** Makes a redeemed token valid again after a failure. */
export async function restoreFirstRunToken(token: string): Promise<void> {
  await retryOnConflict(() =>
    db.table(TABLE).insert({
      token_hash: hashOf(token),
      expires_at: new Date(Date.now() + VALID_MS).toISOString(),
    })
  )
}

function hashOf(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}
