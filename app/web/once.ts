import { randomBytes } from 'node:crypto'
import type { HttpContext } from '@adonisjs/core/http'
import { plainTerms, type AccountTerms } from '#accounts/terms'
import { claimRepeat, purgeRepeats, releaseRepeat } from '#changes/repeats'
import { settle } from '#changes/settle'
import { withoutValues } from '#exceptions/database_errors'
import { Refusal } from '#exceptions/refusal'
import { whoIs } from '#web/signed_in'

/** What a form carries that makes a secret: sent again from the history of a browser, it makes no other one. */
export function onceToken(): string {
  return randomBytes(12).toString('base64url')
}

/**
 * Does the work of a form that carries a token, once, also where it is sent twice at the same moment: its token is taken
 * before, and is free again where the work throws. null where the form did its work before, or is doing it.
 *
 * @param work has to change what it changes on these terms
 */
export async function onceOnly<Made>(
  ctx: HttpContext,
  token: string | undefined,
  work: (terms: AccountTerms) => Promise<Made>
): Promise<Made | null> {
  const { actor } = whoIs(ctx)
  if (token === undefined) {
    return work(plainTerms(actor))
  }
  const repeatId = await claimed(`${actor.userId}:form`, token)
  if (repeatId === null) {
    return null
  }
  purgeRepeats().catch((error: unknown) => {
    ctx.logger.warn({ err: withoutValues(error) }, 'Tokens of old forms were not removed')
  })
  try {
    return await work({ actor, settle: (trx) => settle(trx, { dryRun: false, repeatId }) })
  } catch (error) {
    await releaseRepeat(repeatId)
    throw error
  }
}

/** As `Idempotency-Key` does it, but that nothing is kept of the answer, which holds a secret. */
async function claimed(caller: string, key: string): Promise<number | null> {
  try {
    const claim = await claimRepeat({ caller, key, method: 'POST', path: '', body: '' })
    return 'repeatId' in claim ? claim.repeatId : null
  } catch (error) {
    if (error instanceof Refusal) return null
    throw error
  }
}
