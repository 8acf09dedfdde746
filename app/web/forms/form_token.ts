import { randomBytes } from 'node:crypto'
import type { HttpContext } from '@adonisjs/core/http'
import db from '@adonisjs/lucid/services/db'
import { commandOptions, type AccountWriteOptions } from '#accounts/terms'
import { stopRenewal } from '#changes/idempotency/leases'
import {
  claimIdempotencyKey,
  recordApplied,
  purgeRepeats,
  releaseRepeat,
  settleWhenAvailable,
} from '#changes/idempotency/requests'
import { finishWrite } from '#changes/idempotency/finish_write'
import { inTransaction } from '#database/transaction'
import { withoutValues } from '#exceptions/database_errors'
import { Refusal } from '#exceptions/refusal'
import { LocalizedError } from '#web/forms/localized_error'
import { currentUser } from '#web/session/current_user'

/** Terms of the write of a form, with its row of idempotency keys. */
export interface FormTerms extends AccountWriteOptions {
  repeatId: number | null
}

/**
 * Returns a token for a form that must take effect only once: it creates a secret or files a
 * request.
 */
export function formToken(): string {
  return randomBytes(12).toString('base64url')
}

/**
 * Runs the work of a form with a token once, also for concurrent submissions: claims the token first, and releases it if the
 * work throws. Returns null if the form was submitted before.
 *
 * @param work must use these terms for its writes
 */
export async function onceOnly<Result>(
  ctx: HttpContext,
  token: string | undefined,
  work: (terms: FormTerms) => Promise<Result>
): Promise<Result | null> {
  const { actor } = currentUser(ctx)
  if (token === undefined) {
    return work({ ...commandOptions(actor), repeatId: null })
  }
  const repeatId = await claimRepeat(`${actor.userId}:form`, token)
  if (repeatId === null) {
    return null
  }
  purgeRepeats().catch((error: unknown) => {
    ctx.logger.warn({ err: withoutValues(error) }, 'Deletion of old form tokens failed')
  })
  try {
    return await work({
      actor,
      repeatId,
      finish: (trx) => finishWrite(trx, { dryRun: false, repeatId }),
    })
  } catch (error) {
    await releaseRepeat(repeatId).catch(() => settleWhenAvailable(repeatId, null))
    throw error
  } finally {
    stopRenewal(repeatId)
  }
}

/**
 * As `onceOnly`, for a form with its token in the field `once`. Throws `AlreadySubmitted`, with a
 * translated message, if the form was submitted before.
 *
 * @param work has to write on an intent with this `repeatId`
 */
export async function submitOnce<Result>(
  ctx: HttpContext,
  work: (repeatId: number | null) => Promise<Result>
): Promise<Result> {
  const given: unknown = ctx.request.input('once')
  const token = typeof given === 'string' ? given.slice(0, 64) : undefined
  const stored = await onceOnly(ctx, token, async ({ repeatId }) => ({
    made: await work(repeatId),
  }))
  if (!stored) {
    throw new AlreadySubmitted(ctx)
  }
  return stored.made
}

/** Records that a form was applied, for work that is no single change and cannot record it in its transaction. */
export async function recordFormDone(repeatId: number | null): Promise<void> {
  if (repeatId !== null) {
    await inTransaction(db.connection(), (trx) => recordApplied(trx, repeatId))
  }
}

/** The form was submitted before; its work is done or in progress. */
export class AlreadySubmitted extends LocalizedError {
  constructor({ i18n }: HttpContext) {
    super(409, i18n.t('plan.sent_before'))
  }
}

/** As for `Idempotency-Key`, but without a stored answer, which contains a secret. */
async function claimRepeat(caller: string, key: string): Promise<number | null> {
  try {
    const claim = await claimIdempotencyKey({ caller, key, method: 'POST', path: '', body: '' })
    return 'repeatId' in claim ? claim.repeatId : null
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}
