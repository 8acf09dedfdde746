import db from '@adonisjs/lucid/services/db'
import type { Actor } from '#access/actor'
import { demand } from '#access/demand'
import { forgetFailures } from '#accounts/sign_in/failures'
import { lockout } from '#accounts/sign_in/lockout'
import type { AccountTerms } from '#accounts/terms'
import { demandUserEdit } from '#accounts/users/update'
import { record } from '#audit/record'
import { inTransaction } from '#database/transaction'

/**
 * Lifts the lock of a user after wrong passwords, from wherever these came; false where there is none, and wrong passwords
 * that were counted are forgotten all the same. Throws a 403 `Refusal` for whoever may not activate the user, a 404 for no
 * such user.
 */
export async function unlockUser(terms: AccountTerms, id: number): Promise<boolean> {
  const { actor } = terms
  const { facts, username } = await demandUserEdit(actor, id)
  demand(actor, { action: 'user.change_guarded', user: facts, field: 'active' })
  return lift(terms, { id, username })
}

/** As `unlockUser`, for an actor whose right to it was asked for. */
export async function lift(
  { actor, settle }: { actor: Actor } & Pick<AccountTerms, 'settle'>,
  { id, username }: { id: number; username: string }
): Promise<boolean> {
  const locked = await lockout.lockedAmong([username])
  await inTransaction(db.connection(), async (trx) => {
    if (locked.has(username)) {
      const object = { kind: 'user' as const, id, name: username }
      await record(trx, actor, { action: 'login.unlocked', object })
    }
    await settle(trx)
  })
  await forgetFailures({ username })
  return locked.has(username)
}
