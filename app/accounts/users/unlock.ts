import db from '@adonisjs/lucid/services/db'
import type { Actor } from '#access/actor'
import { demand } from '#access/demand'
import { resetFailures } from '#accounts/sign_in/failures'
import { lockout } from '#accounts/sign_in/lockout'
import type { AccountWriteOptions } from '#accounts/terms'
import { demandUserEdit } from '#accounts/users/update'
import { record } from '#audit/record'
import { inTransaction } from '#database/transaction'

/**
 * Removes the lock of a user, from all networks; returns false if there was none. Resets wrong
 * passwords in both cases. Throws a 403 `Refusal` if the actor may not activate the user, and a 404
 * for a missing user.
 */
export async function unlockUser(terms: AccountWriteOptions, id: number): Promise<boolean> {
  const { actor } = terms
  const { facts, username } = await demandUserEdit(actor, id)
  demand(actor, { action: 'user.change_guarded', user: facts, field: 'active' })
  return removeLock(terms, { id, username })
}

/** As `unlockUser`, after a check of the right by the caller. */
export async function removeLock(
  { actor, finish }: { actor: Actor } & Pick<AccountWriteOptions, 'finish'>,
  { id, username }: { id: number; username: string }
): Promise<boolean> {
  const locked = await lockout.findLockedNames([username])
  await inTransaction(db.connection(), async (trx) => {
    if (locked.has(username)) {
      const object = { kind: 'user' as const, id, name: username }
      await record(trx, actor, { action: 'login.unlocked', object })
    }
    await finish(trx)
  })
  await resetFailures({ username })
  return locked.has(username)
}
