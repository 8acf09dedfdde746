import type { HttpContext } from '@adonisjs/core/http'
import type { AccountWriteOptions } from '#accounts/terms'
import { finishWrite } from '#changes/idempotency/finish_write'
import type { Intent } from '#changes/model/intent'
import { outcomeOf, type Outcome } from '#changes/model/outcome'
import { refuseConditions, writeTerms, type CommonMembers } from '#controllers/support/write_terms'
import { requestItem } from '#transformers/change_request'
import { success } from '#transformers/envelope'
import { planDetailYielding } from '#transformers/plan'

/** Answers a write of the API: with 200 and the plan, with 202 and the change request, or as `answer` does. */
export async function answerOutcome<T, Body>(
  ctx: HttpContext,
  outcome: Outcome<T>,
  answer: (result: T) => Body | Promise<Body>
) {
  switch (outcome.kind) {
    case 'applied':
      return answer(outcome.result)
    case 'planned':
      // A dry run changes nothing: a repeat plans again.
      ctx.repeatable = false
      ctx.response.status(200)
      return success(
        { plan: await planDetailYielding(outcome.plan) },
        'Dry run: nothing was changed'
      )
    case 'filed': {
      const request = requestItem(outcome.request, outcome.isShown)
      ctx.response.status(202)
      return success({ change_request: request }, 'Change request filed for review.')
    }
  }
}

/**
 * The outcome of a write to an object without an entity tag, whose plan has no zones. `finishWrite`
 * rolls a dry run back. Throws a 400 `Refusal` for preconditions.
 */
export function untaggedWrite<T>(
  ctx: HttpContext,
  body: CommonMembers,
  write: (intent: Intent) => Promise<T>
): Promise<Outcome<T>> {
  refuseConditions(ctx, ['If-Match', 'If-None-Match'], 'it has no entity tag')
  const { intent } = writeTerms(ctx, body)
  return outcomeOf(() => write(intent))
}

/** As `untaggedWrite`, for users, groups, permission templates, API keys, webhooks and jobs. */
export function accountWrite<T>(
  ctx: HttpContext,
  body: CommonMembers,
  write: (terms: AccountWriteOptions) => Promise<T>
): Promise<Outcome<T>> {
  return untaggedWrite(ctx, body, (intent) =>
    write({ actor: intent.actor, finish: (trx) => finishWrite(trx, intent) })
  )
}
