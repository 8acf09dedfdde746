import { randomBytes } from 'node:crypto'
import encryption from '@adonisjs/core/services/encryption'
import db from '@adonisjs/lucid/services/db'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { Actor } from '#access/actor'
import { generateRecoveryCode, recoveryHash } from '#accounts/second_factor/recovery_code'
import { stepOfCode } from '#accounts/second_factor/totp'
import { revokeSessionsOf } from '#accounts/sessions/sessions'
import { record } from '#audit/record'
import { retryOnConflict } from '#database/conflicts'
import { inTransaction } from '#database/transaction'

const TABLE = 'zw_second_factors'
const RECOVERY_CODES_TABLE = 'zw_recovery_codes'
/** Bytes of a secret (RFC 4226, 4: 160 bits). */
const SECRET_BYTES = 20
const RECOVERY_CODE_COUNT = 10
/**
 * Each time so many wrong codes follow each other, codes are refused for twice the previous time.
 * An attacker at this point has the password.
 */
const MAX_FAILURES = 5
const LOCK_MS = 15 * 60_000
const MAX_LOCK_MS = 24 * 60 * 60_000
const SECRET_PURPOSE = 'second factor'

interface Row {
  secret: string
  confirmed_at: string | null
  last_step: number | string
  failures: number
  locked_until: string | null
}

/** Result of a code check. */
export type CodeOutcome = 'totp' | 'recovery_code' | 'wrong' | 'locked'

/** Returns whether the user has a second factor. */
export async function hasSecondFactor(userId: number): Promise<boolean> {
  const row = await rowOf(db.connection(), userId)
  return row !== null && row.confirmed_at !== null
}

/** Returns whether the user has a second factor, and the number of recovery codes left. */
export async function readSecondFactor(
  userId: number
): Promise<{ isOn: boolean; recoveryCodes: number }> {
  const isOn = await hasSecondFactor(userId)
  const [{ total }] = (await db
    .from(RECOVERY_CODES_TABLE)
    .where('user_id', userId)
    .count('* as total')) as [{ total: number | string }]
  return { isOn, recoveryCodes: Number(total) }
}

/**
 * Creates a secret for a user without a second factor; inactive until `confirmSecondFactor`. Replaces an
 * earlier secret, which others may have read.
 */
export async function prepareSecret(userId: number): Promise<Buffer> {
  const secret = randomBytes(SECRET_BYTES)
  const stored = encryption.encrypt(secret.toString('base64'), { purpose: SECRET_PURPOSE })
  await retryOnConflict(() =>
    db
      .table(TABLE)
      .knexQuery.insert({ user_id: userId, secret: stored })
      .onConflict('user_id')
      .ignore()
  )
  const unconfirmedRow = () => db.from(TABLE).where('user_id', userId).whereNull('confirmed_at')
  await retryOnConflict(() => unconfirmedRow().update({ secret: stored }))
  return secret
}

/** Returns the unconfirmed secret; null for none. */
export async function findPreparedSecret(userId: number): Promise<Buffer | null> {
  const row = await rowOf(db.connection(), userId)
  return row?.confirmed_at === null ? decryptSecret(row) : null
}

/**
 * Enables the second factor if the code matches the prepared secret, and ends all sessions except
 * `session`. Returns the recovery codes, which are displayed once; null for a wrong code.
 */
export async function confirmSecondFactor(
  actor: Actor & { userId: number },
  code: string,
  session: number
): Promise<string[] | null> {
  return inTransaction(db.connection(), async (trx) => {
    const row = await rowOf(trx, actor.userId, true)
    const step = row && stepOfCode(decryptSecret(row), code, { now: Date.now(), lastStep: 0 })
    if (!row || row.confirmed_at !== null || step === null) {
      return null
    }
    await trx
      .from(TABLE)
      .where('user_id', actor.userId)
      .update({ confirmed_at: new Date().toISOString(), last_step: step })
    const codes = await createRecoveryCodes(trx, actor.userId)
    await revokeSessionsOf(trx, actor.userId, session)
    await record(trx, actor, {
      action: 'user.mfa',
      object: auditObjectOf(actor),
      detail: { to: 'on' },
    })
    return codes
  })
}

/** Replaces the recovery codes, which are displayed once. */
export async function renewRecoveryCodes(actor: Actor & { userId: number }): Promise<string[]> {
  return inTransaction(db.connection(), async (trx) => {
    const codes = await createRecoveryCodes(trx, actor.userId)
    await record(trx, actor, {
      action: 'user.mfa',
      object: auditObjectOf(actor),
      detail: { to: 'new recovery codes' },
    })
    return codes
  })
}

/** Disables the second factor. Returns false if the user has none. */
export function removeSecondFactor(
  actor: Actor,
  user: { id: number; username: string }
): Promise<boolean> {
  return inTransaction(db.connection(), async (trx) => {
    const row = await rowOf(trx, user.id, true)
    await trx.from(RECOVERY_CODES_TABLE).where('user_id', user.id).delete()
    await trx.from(TABLE).where('user_id', user.id).delete()
    if (!row || row.confirmed_at === null) {
      return false
    }
    const object = { kind: 'user' as const, id: user.id, name: user.username }
    await record(trx, actor, { action: 'user.mfa', object, detail: { to: 'off' } })
    return true
  })
}

/**
 * Verifies a code of the authenticator, or uses up a recovery code. Each code works once; after too
 * many wrong ones, all are refused for a time. One transaction, so that concurrent attempts all
 * count.
 */
export function verifyCode(userId: number, code: string): Promise<CodeOutcome> {
  return inTransaction(db.connection(), async (trx) => {
    const row = await rowOf(trx, userId, true)
    if (!row || row.confirmed_at === null) {
      return 'wrong'
    }
    const rowsOfUser = () => trx.from(TABLE).where('user_id', userId)
    const now = Date.now()
    if (row.locked_until !== null && Date.parse(row.locked_until) > now) {
      return 'locked'
    }
    const hash = recoveryHash(code)
    const used: unknown =
      hash === null
        ? 0
        : await trx.from(RECOVERY_CODES_TABLE).where({ user_id: userId, code_hash: hash }).delete()
    if (Number(used) > 0) {
      await rowsOfUser().update({ failures: 0, locked_until: null })
      return 'recovery_code'
    }
    const step = stepOfCode(decryptSecret(row), code, { now, lastStep: Number(row.last_step) })
    if (step !== null) {
      await rowsOfUser().update({ last_step: step, failures: 0, locked_until: null })
      return 'totp'
    }
    const failures = row.failures + 1
    if (failures % MAX_FAILURES !== 0) {
      await rowsOfUser().update({ failures })
      return 'wrong'
    }
    const doublings = Math.min(failures / MAX_FAILURES - 1, 10)
    const lockMs = Math.min(LOCK_MS * 2 ** doublings, MAX_LOCK_MS)
    await rowsOfUser().update({ failures, locked_until: new Date(now + lockMs).toISOString() })
    return 'locked'
  })
}

async function createRecoveryCodes(trx: QueryClientContract, userId: number): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODE_COUNT }, generateRecoveryCode)
  await trx.from(RECOVERY_CODES_TABLE).where('user_id', userId).delete()
  await trx
    .table(RECOVERY_CODES_TABLE)
    .multiInsert(codes.map((code) => ({ user_id: userId, code_hash: recoveryHash(code) })))
  return codes
}

async function rowOf(
  client: QueryClientContract,
  userId: number,
  isLocked = false
): Promise<Row | null> {
  const query = client.from(TABLE).where('user_id', userId)
  return (await (isLocked ? query.forUpdate() : query).first()) as Row | null
}

function decryptSecret({ secret }: Row): Buffer {
  const text = encryption.decrypt<string>(secret, SECRET_PURPOSE)
  if (text === null) {
    throw new Error('The secret of a second factor was encrypted with another APP_KEY')
  }
  return Buffer.from(text, 'base64')
}

function auditObjectOf({ userId, username }: Actor & { userId: number }) {
  return { kind: 'user' as const, id: userId, name: username }
}
