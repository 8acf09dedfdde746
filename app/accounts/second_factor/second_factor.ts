import { createHash, randomBytes } from 'node:crypto'
import encryption from '@adonisjs/core/services/encryption'
import db from '@adonisjs/lucid/services/db'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import type { Actor } from '#access/actor'
import { base32, stepOfCode } from '#accounts/second_factor/totp'
import { record } from '#audit/record'
import { retryOnConflict } from '#database/conflicts'
import { inTransaction } from '#database/transaction'

const TABLE = 'zw_second_factors'
const CODES = 'zw_recovery_codes'
/** Bytes of a secret (RFC 4226, 4: 160 bits). */
const SECRET_BYTES = 20
const RECOVERY_CODES = 10
const RECOVERY_BYTES = 10
/** So many wrong codes in a row, and none is taken for a while: whoever guesses has the password already. */
const MOST_FAILURES = 5
const LOCK_MS = 15 * 60_000
const PURPOSE = 'second factor'

interface Row {
  secret: string
  confirmed_at: string | null
  last_step: number | string
  failures: number
  locked_until: string | null
}

/** What came of a code. */
export type CodeOutcome = 'totp' | 'recovery_code' | 'wrong' | 'locked'

/** Whether somebody signs in with a second factor, and how many recovery codes are left. */
export async function secondFactorOf(
  userId: number
): Promise<{ isOn: boolean; recoveryCodes: number }> {
  const row = await rowOf(db.connection(), userId)
  const [{ total }] = (await db.from(CODES).where('user_id', userId).count('* as total')) as [
    { total: number | string },
  ]
  return { isOn: row !== null && row.confirmed_at !== null, recoveryCodes: Number(total) }
}

/** Makes a secret for somebody who has no second factor yet; it asks for nothing until `confirm`. */
export async function prepareSecret(userId: number): Promise<Buffer> {
  const waiting = await rowOf(db.connection(), userId)
  if (waiting && waiting.confirmed_at === null) {
    return secretIn(waiting)
  }
  const secret = randomBytes(SECRET_BYTES)
  const stored = encryption.encrypt(secret.toString('base64'), { purpose: PURPOSE })
  await retryOnConflict(() =>
    db
      .table(TABLE)
      .knexQuery.insert({ user_id: userId, secret: stored })
      .onConflict('user_id')
      .ignore()
  )
  const row = await rowOf(db.connection(), userId)
  return row ? secretIn(row) : secret
}

/** Turns the second factor on when the code fits the prepared secret. Gives the recovery codes, which are shown once; null for a wrong code. */
export async function confirm(
  actor: Actor & { userId: number },
  code: string
): Promise<string[] | null> {
  return inTransaction(db.connection(), async (trx) => {
    const row = await rowOf(trx, actor.userId, true)
    const step = row && stepOfCode(secretIn(row), code, { now: Date.now(), lastStep: 0 })
    if (!row || row.confirmed_at !== null || step === null) {
      return null
    }
    await trx
      .from(TABLE)
      .where('user_id', actor.userId)
      .update({ confirmed_at: new Date().toISOString(), last_step: step })
    const codes = await newRecoveryCodes(trx, actor.userId)
    await record(trx, actor, { action: 'user.mfa', object: aboutOf(actor), detail: { to: 'on' } })
    return codes
  })
}

/** Replaces the recovery codes of somebody who has a second factor. They are shown once. */
export async function renewRecoveryCodes(actor: Actor & { userId: number }): Promise<string[]> {
  return inTransaction(db.connection(), async (trx) => {
    const codes = await newRecoveryCodes(trx, actor.userId)
    await record(trx, actor, {
      action: 'user.mfa',
      object: aboutOf(actor),
      detail: { to: 'new recovery codes' },
    })
    return codes
  })
}

/** Turns the second factor off. */
export async function removeSecondFactor(actor: Actor & { userId: number }): Promise<void> {
  await inTransaction(db.connection(), async (trx) => {
    await trx.from(CODES).where('user_id', actor.userId).delete()
    await trx.from(TABLE).where('user_id', actor.userId).delete()
    await record(trx, actor, { action: 'user.mfa', object: aboutOf(actor), detail: { to: 'off' } })
  })
}

/**
 * Takes a code of the authenticator, or a recovery code, which is gone then. No code is taken twice, and none for a
 * while after too many wrong ones: in one transaction, so that many attempts at once count as many.
 */
export function takeCode(userId: number, code: string): Promise<CodeOutcome> {
  return inTransaction(db.connection(), async (trx) => {
    const row = await rowOf(trx, userId, true)
    if (!row || row.confirmed_at === null) {
      return 'wrong'
    }
    if (row.locked_until !== null && row.locked_until > new Date().toISOString()) {
      return 'locked'
    }
    const own = () => trx.from(TABLE).where('user_id', userId)
    const lastStep = Number(row.last_step)
    const step = stepOfCode(secretIn(row), code, { now: Date.now(), lastStep })
    if (step !== null) {
      await own().update({ last_step: step, failures: 0, locked_until: null })
      return 'totp'
    }
    const used: unknown = await trx
      .from(CODES)
      .where({ user_id: userId, code_hash: hashOf(code) })
      .delete()
    if (Number(used) > 0) {
      await own().update({ failures: 0, locked_until: null })
      return 'recovery_code'
    }
    const failures = row.failures + 1
    const isTooMany = failures >= MOST_FAILURES
    await own().update({
      failures: isTooMany ? 0 : failures,
      locked_until: isTooMany ? new Date(Date.now() + LOCK_MS).toISOString() : null,
    })
    return isTooMany ? 'locked' : 'wrong'
  })
}

async function newRecoveryCodes(trx: QueryClientContract, userId: number): Promise<string[]> {
  const codes = Array.from({ length: RECOVERY_CODES }, () =>
    base32(randomBytes(RECOVERY_BYTES)).replaceAll(/(.{4})(?=.)/g, '$1-')
  )
  await trx.from(CODES).where('user_id', userId).delete()
  await trx
    .table(CODES)
    .multiInsert(codes.map((code) => ({ user_id: userId, code_hash: hashOf(code) })))
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

function secretIn({ secret }: Row): Buffer {
  const text = encryption.decrypt<string>(secret, PURPOSE)
  if (text === null) {
    throw new Error('The secret of a second factor was encrypted with another APP_KEY')
  }
  return Buffer.from(text, 'base64')
}

/** However it is typed: without blanks and dashes, in capitals. */
function hashOf(code: string): string {
  return createHash('sha256')
    .update(code.toUpperCase().replaceAll(/[^A-Z2-7]/g, ''))
    .digest('hex')
}

function aboutOf({ userId, username }: Actor & { userId: number }) {
  return { kind: 'user' as const, id: userId, name: username }
}
