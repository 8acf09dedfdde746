import { createHmac } from 'node:crypto'
import db from '@adonisjs/lucid/services/db'
import type { TransactionClientContract } from '@adonisjs/lucid/types/database'
import type { IntentionMarks } from '#backends/contract/write_session'
import api from '#config/api'
import { hold, LEASE_MS, leaseEnd, owe, payNow } from '#changes/idempotency/leases'
import { isUniqueViolation, retryOnConflict } from '#database/conflicts'
import { inTransaction } from '#database/transaction'
import { Refusal, conflict } from '#exceptions/refusal'
import { derivedKey } from '#support/derived_key'

/** How long an answer is kept for repeats. */
export const KEPT_MS = 24 * 60 * 60 * 1000

/** A request that has run for so long without a change loses its place, also where its process lives. */
export const DEAD_AFTER_MS = 5 * 60 * 1000

/** How often a claim that meets rows which vanish meanwhile looks again. */
const LOOKS = 5

/** Rows that one purge removes. */
const PURGED_AT_ONCE = 500

/** A request that its sender may send again. */
export interface RepeatableRequest {
  /** Who sends it: user and API key; at most 64 characters. */
  caller: string
  /** Value of `Idempotency-Key`. */
  key: string
  method: string
  /** Path with the query, as sent. */
  path: string
  body: string
}

/** The first answer to a request, as it went out. */
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

/** What a claim comes to: the request is new and may run under this id, or it has its answer. */
export type Claim = { repeatId: number } | { answer: StoredAnswer }

/**
 * Registers a request under its key, or finds what became of the first one.
 *
 * Until `letGo`, this process gives signs of life for the row.
 *
 * Throws a 422 when the key came with another request, and a 409 while the first is running or when its
 * change was made and its answer was lost.
 */
export async function claimIdempotencyKey(request: RepeatableRequest): Promise<Claim> {
  const { caller } = request
  const keyHash = digest(request.key)
  const fingerprint = digest(JSON.stringify([request.method, request.path, request.body]))
  for (let look = 0; look < LOOKS; look++) {
    const repeatId = await insertNew(caller, keyHash, fingerprint)
    if (repeatId !== null) {
      hold(repeatId)
      return { repeatId }
    }
    const row: RepeatRow | null = await db
      .from('zw_idempotency_keys')
      .where({ caller, key_hash: keyHash })
      .first()
    if (row && !(await payNow(Number(row.id))) && !(await removeOutdated(row))) {
      return { answer: answerOf(row, fingerprint) }
    }
  }
  throw stillRunning()
}

/** The id of the new row; null when there is one of this key already. */
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
        created_at: moment(now),
        leased_until: leaseEnd(),
        expires_at: moment(now + KEPT_MS),
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
 * Removes a row that no longer counts: an expired one, or one whose request died. A request that was only
 * very slow finds its row gone when it is about to commit (`markApplied`) and changes nothing.
 */
async function removeOutdated(row: RepeatRow): Promise<boolean> {
  const now = Date.now()
  const isExpired = row.expires_at <= moment(now)
  const isLeft = row.leased_until <= moment(now) || row.created_at <= moment(now - DEAD_AFTER_MS)
  const isDead = row.state === 'running' && isLeft
  if (isExpired || isDead) {
    const { id, state } = row
    const same = { id, state, leased_until: row.leased_until }
    await retryOnConflict(() => db.from('zw_idempotency_keys').where(same).delete())
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
    throw stillRunning()
  }
  if (row.state === 'unknown') {
    throw conflict(
      'The DNS server did not confirm the change of the first request with this Idempotency-Key yet; whether it was made is being found out: try again later'
    )
  }
  if (row.state === 'applied') {
    throw conflict(
      'The first request with this Idempotency-Key made its change, but its answer was lost, is just being sent, or was too large to be stored: look at what it changes (records: the history of the zone, /api/v2/zones/{id}/history) before you try again with another key'
    )
  }
  return {
    status: Number(row.status),
    headers: JSON.parse(row.headers ?? '{}'),
    body: row.body,
  }
}

function stillRunning(): Refusal {
  return conflict('The first request with this Idempotency-Key is still running: try again later')
}

/**
 * Notes that the change of a request is made. Call it inside the transaction of the change, so that both
 * are there or none: a repeat then never makes the change twice, whatever happens to the answer. Again for
 * a second change of the same request is fine.
 *
 * Throws a 409 when the request took so long that a repeat has taken its place; the change must roll back.
 */
export async function markApplied(trx: TransactionClientContract, repeatId: number): Promise<void> {
  const marked: unknown = await trx
    .from('zw_idempotency_keys')
    .where('id', repeatId)
    .whereIn('state', ['running', 'unknown', 'applied'])
    .update({ state: 'applied' })
  // Some drivers give the number of rows in a list.
  if (Number(marked) === 0) {
    throw tooSlow()
  }
}

function tooSlow(): Refusal {
  return conflict(
    `The request took longer than ${DEAD_AFTER_MS / 1000} seconds, or its process gave no sign of life for ${LEASE_MS / 1000}, and another one with the same Idempotency-Key took its place`
  )
}

/**
 * Takes back `markApplied`, for a change that was marked before somebody else was asked for it, and who then
 * definitely did not make it.
 */
export async function unmarkApplied(
  trx: TransactionClientContract,
  repeatId: number
): Promise<void> {
  await trx
    .from('zw_idempotency_keys')
    .where({ id: repeatId, state: 'applied' })
    .update({ state: 'running' })
}

/**
 * What becomes of the key of a request whose change is made at a name server, which shares no transaction: from when the change
 * is kept as one that may be cut off, nobody knows whether it was made. Its key is not free then, whatever becomes of this process, before
 * the change commits (`markApplied`), is withdrawn, or is found out (`settleRepeat`).
 *
 * `begun` throws as `markApplied`.
 */
export function repeatMarks(repeatId: number): IntentionMarks {
  const row = (trx: TransactionClientContract) =>
    trx.from('zw_idempotency_keys').where('id', repeatId)
  return {
    async begun(trx) {
      await row(trx).where('state', 'running').update({ state: 'unknown' })
      const isThere: unknown = await row(trx).whereIn('state', ['unknown', 'applied']).first()
      if (!isThere) {
        throw tooSlow()
      }
    },
    async withdrawn(trx) {
      await row(trx).where('state', 'unknown').update({ state: 'running' })
    },
  }
}

/**
 * Says what became of a change that was not confirmed, in the transaction that finds it out: made, or not, or not as a whole;
 * then the key is free again. A request whose row is gone had too much time.
 */
export async function settleRepeat(
  trx: TransactionClientContract,
  repeatId: number,
  isMade: boolean
): Promise<void> {
  const row = trx
    .from('zw_idempotency_keys')
    .where('id', repeatId)
    .whereIn('state', ['running', 'unknown'])
  await (isMade ? row.update({ state: 'applied' }) : row.delete())
}

/** Answers of up to so many characters are stored without asking what else is stored. */
const SMALL = 4_096

/**
 * Whether there is room for an answer: it is no larger than `api.max_kept_answer_bytes`, and those of its caller together are
 * no larger than `api.max_kept_answers_bytes`.
 */
export async function hasRoomFor(caller: string, { body }: StoredAnswer): Promise<boolean> {
  const size = Buffer.byteLength(body ?? '')
  if (size <= SMALL) {
    return true
  }
  if (size > api.max_kept_answer_bytes) {
    return false
  }
  const [row] = (await db
    .from('zw_idempotency_keys')
    .where('caller', caller)
    .where('expires_at', '>', moment(Date.now()))
    .select(db.raw('sum(length(body)) as kept'))) as { kept: number | string | null }[]
  return Number(row.kept ?? 0) + size <= api.max_kept_answers_bytes
}

/** Stores the answer that repeats of the request will get. */
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

/** Frees the key of a request, so that a repeat is carried out; not when its change is made already. */
export async function releaseRepeat(repeatId: number): Promise<void> {
  await retryOnConflict(() =>
    db.from('zw_idempotency_keys').where({ id: repeatId, state: 'running' }).delete()
  )
}

/**
 * Writes the answer, or frees the key without one, as soon as the database takes it: for a request that ended while the
 * database was away. A large answer is not kept for that.
 */
export function settleLater(repeatId: number, answer: StoredAnswer | null): void {
  const isSmall = answer !== null && Buffer.byteLength(answer.body ?? '') <= SMALL
  owe(repeatId, () => (isSmall ? storeAnswer(repeatId, answer) : releaseRepeat(repeatId)))
}

/** Removes expired rows, a bounded number of them. Returns how many. */
export async function purgeRepeats(): Promise<number> {
  const rows: { id: number | string }[] = await db
    .from('zw_idempotency_keys')
    .where('expires_at', '<=', moment(Date.now()))
    .orderBy('expires_at')
    .limit(PURGED_AT_ONCE)
    .select('id')
  if (rows.length > 0) {
    const ids = rows.map(({ id }) => id)
    await retryOnConflict(() => db.from('zw_idempotency_keys').whereIn('id', ids).delete())
  }
  return rows.length
}

function moment(milliseconds: number): string {
  return new Date(milliseconds).toISOString()
}

/** With a key: a body may hold a password, which nobody is to guess from what is stored of it. */
function digest(text: string): string {
  return createHmac('sha256', derivedKey('repeated requests')).update(text).digest('hex')
}
