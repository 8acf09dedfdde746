import { createHmac } from 'node:crypto'
import db from '@adonisjs/lucid/services/db'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { PendingWriteHooks } from '#backends/contract/write_session'
import api from '#config/api'
import {
  startRenewal,
  LEASE_MS,
  leaseEnd,
  postponeWrite,
  runPostponedNow,
} from '#changes/idempotency/leases'
import { isUniqueViolation, retryOnConflict } from '#database/conflicts'
import { inTransaction } from '#database/transaction'
import { Refusal, conflict } from '#exceptions/refusal'
import { derivedKey } from '#support/derived_key'

/** How long an answer is stored for repeats. */
export const RETENTION_MS = 24 * 60 * 60 * 1000

/** A request that runs longer without a commit loses its row, even while its process lives. */
export const MAX_RUN_MS = 5 * 60 * 1000

/** Attempts of a claim whose conflicting row was deleted in between. */
const MAX_CLAIMS = 5

/** Rows that one purge deletes. */
const PURGE_BATCH_SIZE = 500

/** A request that its client may repeat. */
export interface RepeatableRequest {
  /** The client: user and API key; at most 64 characters. */
  caller: string
  /** Value of `Idempotency-Key`. */
  key: string
  method: string
  /** Path with the query, as sent. */
  path: string
  body: string
}

/** The first answer to a request, as sent. */
export interface StoredAnswer {
  status: number
  headers: Record<string, string | string[]>
  /** null: no body. */
  body: string | null
}

interface RepeatRow {
  id: number | string
  fingerprint: string
  state: 'running' | 'unknown' | 'applied' | 'done'
  status: number | null
  headers: string | null
  body: string | null
  created_at: string
  leased_until: string
  expires_at: string
}

/** Result of a claim: the row id of a new request, or the answer of the first request. */
export type Claim = { repeatId: number } | { answer: StoredAnswer }

/**
 * Registers a request under its key, or finds the result of the first request. This process renews
 * the lease of the row until `stopRenewal`.
 *
 * @throws 422 if the key was used for another request
 * @throws 409 if the first request is running, or if it was applied and its answer is not stored
 */
export async function claimIdempotencyKey(request: RepeatableRequest): Promise<Claim> {
  const { caller } = request
  const keyHash = digest(request.key)
  const fingerprint = digest(JSON.stringify([request.method, request.path, request.body]))
  for (let attempt = 0; attempt < MAX_CLAIMS; attempt++) {
    const repeatId = await insertNew(caller, keyHash, fingerprint)
    if (repeatId !== null) {
      startRenewal(repeatId)
      return { repeatId }
    }
    const row: RepeatRow | null = await db
      .from('zw_idempotency_keys')
      .where({ caller, key_hash: keyHash })
      .first()
    if (row && !(await runPostponedNow(Number(row.id))) && !(await removeOutdated(row))) {
      return { answer: answerOf(row, fingerprint) }
    }
  }
  throw runningError()
}

/** The id of the new row; null if the key has a row already. */
async function insertNew(
  caller: string,
  keyHash: string,
  fingerprint: string
): Promise<number | null> {
  const now = Date.now()
  try {
    return await inTransaction(db.connection(), async (trx) => {
      await trx.table('zw_idempotency_keys').insert({
        caller,
        key_hash: keyHash,
        fingerprint,
        state: 'running',
        created_at: timestamp(now),
        leased_until: leaseEnd(),
        expires_at: timestamp(now + RETENTION_MS),
      })
      const row: { id: number | string } = await trx
        .from('zw_idempotency_keys')
        .where({ caller, key_hash: keyHash })
        .select('id')
        .firstOrFail()
      return Number(row.id)
    })
  } catch (error) {
    if (isUniqueViolation(error)) {
      return null
    }
    throw error
  }
}

/**
 * Deletes an expired row, or the row of a request that died. A request that is only slow finds its
 * row deleted before its commit (`recordApplied`), and rolls back.
 */
async function removeOutdated(row: RepeatRow): Promise<boolean> {
  const now = Date.now()
  const isExpired = row.expires_at <= timestamp(now)
  const isUnleased =
    row.leased_until <= timestamp(now) || row.created_at <= timestamp(now - MAX_RUN_MS)
  const isDead = row.state === 'running' && isUnleased
  if (isExpired || isDead) {
    const { id, state } = row
    const unchangedRow = { id, state, leased_until: row.leased_until }
    await retryOnConflict(() => db.from('zw_idempotency_keys').where(unchangedRow).delete())
  }
  return isExpired || isDead
}

function answerOf(row: RepeatRow, fingerprint: string): StoredAnswer {
  if (row.fingerprint !== fingerprint) {
    throw new Refusal(
      422,
      "Header 'Idempotency-Key': this key was used for another request (method, path, query or body differ); allowed: the same request again, or a new key"
    )
  }
  if (row.state === 'running') {
    throw runningError()
  }
  if (row.state === 'unknown') {
    throw conflict(
      'The DNS server has not yet confirmed the change made by the first request with this Idempotency-Key. The outcome is being verified; try again later'
    )
  }
  if (row.state === 'applied') {
    throw conflict(
      'The first request with this Idempotency-Key was applied, but its response was lost, is being sent, or was too large to store. Check the changed object (records: the history of the zone, /api/v2/zones/{id}/history) before you try again with another key'
    )
  }
  return {
    status: Number(row.status),
    headers: JSON.parse(row.headers ?? '{}'),
    body: row.body,
  }
}

function runningError(): Refusal {
  return conflict('The first request with this Idempotency-Key is still running: try again later')
}

/**
 * Marks a request as applied. Runs inside the transaction of the change, so that a repeat never
 * applies the change twice. May be called again for a second change of the same request.
 *
 * @throws 409 if a repeat has replaced the row of a slow request; the change must roll back
 */
export async function recordApplied(
  trx: TransactionClientContract,
  repeatId: number
): Promise<void> {
  const updated: unknown = await trx
    .from('zw_idempotency_keys')
    .where('id', repeatId)
    .whereIn('state', ['running', 'unknown', 'applied'])
    .update({ state: 'applied' })
  // Some drivers return the number of rows in a list.
  if (Number(updated) === 0) {
    throw tooSlowError()
  }
}

function tooSlowError(): Refusal {
  return conflict(
    `The request took longer than ${MAX_RUN_MS / 1000} seconds, or its process did not respond for ${LEASE_MS / 1000} seconds, and another request with the same Idempotency-Key replaced it`
  )
}

/** Reverts `recordApplied` of a change that another server definitely did not apply. */
export async function revertApplied(
  trx: TransactionClientContract,
  repeatId: number
): Promise<void> {
  await trx
    .from('zw_idempotency_keys')
    .where({ id: repeatId, state: 'applied' })
    .update({ state: 'running' })
}

/**
 * States of the key of a change on a name server, which shares no transaction. The key is blocked
 * from the stored pending write until its commit (`recordApplied`), withdrawal or recovery
 * (`settleRepeat`). `begun` throws as `recordApplied` does.
 */
export function idempotencyHooks(repeatId: number): PendingWriteHooks {
  const row = (trx: TransactionClientContract) =>
    trx.from('zw_idempotency_keys').where('id', repeatId)
  return {
    async onStored(trx) {
      await row(trx).where('state', 'running').update({ state: 'unknown' })
      const isThere: unknown = await row(trx).whereIn('state', ['unknown', 'applied']).first()
      if (!isThere) {
        throw tooSlowError()
      }
    },
    async onWithdrawn(trx) {
      await row(trx).where('state', 'unknown').update({ state: 'running' })
    },
  }
}

/**
 * Stores whether an unconfirmed change was applied, in the transaction of the recovery. If it was
 * not applied, or in part only, the key is free again. No row: the request ran too long.
 */
export async function settleRepeat(
  trx: TransactionClientContract,
  repeatId: number,
  isApplied: boolean
): Promise<void> {
  const row = trx
    .from('zw_idempotency_keys')
    .where('id', repeatId)
    .whereIn('state', ['running', 'unknown'])
  await (isApplied ? row.update({ state: 'applied' }) : row.delete())
}

/** Answers of at most this many bytes are stored without a check of the quota. */
const MAX_SMALL_BYTES = 4_096

/**
 * Whether an answer may be stored: at most `api.max_stored_answer_bytes`, and at most
 * `api.max_stored_answers_bytes` for all answers of its caller.
 */
export async function isWithinQuota(caller: string, { body }: StoredAnswer): Promise<boolean> {
  const size = Buffer.byteLength(body ?? '')
  if (size <= MAX_SMALL_BYTES) {
    return true
  }
  if (size > api.max_stored_answer_bytes) {
    return false
  }
  const [row] = (await db
    .from('zw_idempotency_keys')
    .where('caller', caller)
    .where('expires_at', '>', timestamp(Date.now()))
    .select(db.raw('sum(length(body)) as stored_bytes'))) as {
    stored_bytes: number | string | null
  }[]
  return Number(row.stored_bytes ?? 0) + size <= api.max_stored_answers_bytes
}

/** Stores the answer for repeats of the request. */
export async function storeAnswer(repeatId: number, answer: StoredAnswer): Promise<void> {
  await retryOnConflict(() =>
    db
      .from('zw_idempotency_keys')
      .where('id', repeatId)
      .update({
        state: 'done',
        status: answer.status,
        headers: JSON.stringify(answer.headers),
        body: answer.body,
      })
  )
}

/** Frees the key of a request, so that a repeat is executed; not after its change was applied. */
export async function releaseRepeat(repeatId: number): Promise<void> {
  await retryOnConflict(() =>
    db.from('zw_idempotency_keys').where({ id: repeatId, state: 'running' }).delete()
  )
}

/**
 * Stores the answer, or frees the key, when the database is available again. A large answer is not
 * held in memory for that.
 */
export function settleWhenAvailable(repeatId: number, answer: StoredAnswer | null): void {
  const isSmall = answer !== null && Buffer.byteLength(answer.body ?? '') <= MAX_SMALL_BYTES
  postponeWrite(repeatId, () => (isSmall ? storeAnswer(repeatId, answer) : releaseRepeat(repeatId)))
}

/** Deletes at most `PURGE_BATCH_SIZE` expired rows. Returns their number. */
export async function purgeRepeats(): Promise<number> {
  const rows: { id: number | string }[] = await db
    .from('zw_idempotency_keys')
    .where('expires_at', '<=', timestamp(Date.now()))
    .orderBy('expires_at')
    .limit(PURGE_BATCH_SIZE)
    .select('id')
  if (rows.length > 0) {
    const ids = rows.map(({ id }) => id)
    await retryOnConflict(() => db.from('zw_idempotency_keys').whereIn('id', ids).delete())
  }
  return rows.length
}

function timestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}

/** Keyed hash: a body may contain a password, which a plain hash would allow to guess. */
function digest(text: string): string {
  return createHmac('sha256', derivedKey('repeated requests')).update(text).digest('hex')
}
