import type { HttpContext } from '@adonisjs/core/http'
import type { AccountTerms } from '#accounts/terms'
import type { Intent } from '#changes/model/intent'
import { settle } from '#changes/model/finish_write'
import { refuseConditions, writeTerms, type CommonMembers } from '#controllers/support/write_terms'

/** The terms of a write to users, groups, permission templates or API keys, which have no entity tags. */
export function accountTerms(ctx: HttpContext, body: CommonMembers): AccountTerms {
  const intent = untaggedIntent(ctx, body)
  return { actor: intent.actor, settle: (trx) => settle(trx, intent) }
}

/** The intent of a write to something that has no entity tag. Throws a 400 for conditions. */
export function untaggedIntent(ctx: HttpContext, body: CommonMembers): Intent {
  refuseConditions(ctx, ['If-Match', 'If-None-Match'], 'it has no entity tag')
  return writeTerms(ctx, body).intent
}
