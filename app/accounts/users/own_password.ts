import type { Actor } from '#access/actor'
import { markOfUser } from '#accounts/passwords/password_version'
import { storedPassword } from '#accounts/passwords/new_password'
import { revokeSessionsOf } from '#accounts/sessions/sessions'
import { signIn } from '#accounts/sign_in/sign_in'
import { plainTerms } from '#accounts/terms'
import { lockUser } from '#accounts/users/row'
import { settleUser, writeUsers } from '#accounts/users/write'

/** Somebody who signed in, at the address that they do something from. */
type Self = Actor & { userId: number; address: string }

/**
 * Whether somebody who is signed in shows their password again: a window may stand open. Wrong ones count as those of a
 * sign-in do. Throws as `signIn`.
 */
export async function showsOwnPassword(actor: Self, password: string): Promise<boolean> {
  const { userId, username, address } = actor
  const shown = await signIn({ username, password, address, channel: 'web' })
  return shown?.userId === userId
}

/**
 * Gives somebody who shows their password another one, and ends all of their sessions. False when the password that
 * they show is wrong, or was replaced meanwhile, or the lockout holds. Needs no right but to be who they are. Throws a 400 `Refusal` when the new
 * password breaks the policy.
 */
export async function changeOwnPassword(
  actor: Self,
  current: string,
  wanted: string
): Promise<boolean> {
  const { userId, username } = actor
  const version = await versionOfShown(actor, current)
  if (version === null) {
    return false
  }
  const hashed = await storedPassword(wanted, { username })
  return writeUsers(async (trx) => {
    const user = await lockUser(trx, userId)
    // Hashing takes its turn: meanwhile somebody may have given them another password, to keep others out.
    if ((await markOfUser(userId, trx)) !== version) {
      return false
    }
    const updatedAt = new Date().toISOString()
    await trx
      .from('zw_users')
      .where('id', userId)
      .update({ password: hashed, updated_at: updatedAt })
    await revokeSessionsOf(trx, userId)
    await settleUser(trx, plainTerms(actor), {
      action: 'user.update',
      user: { id: userId, username: user.username },
      before: user,
      after: user,
      password: 'set',
    })
    return true
  })
}

/**
 * The mark of the password that somebody shows, while that is theirs; null where it is not. One that was replaced between
 * two looks is shown once more, since signing in may renew its hash.
 */
async function versionOfShown(actor: Self, password: string): Promise<string | null> {
  for (;;) {
    const version = await markOfUser(actor.userId)
    if (version === null || !(await showsOwnPassword(actor, password))) {
      return null
    }
    if ((await markOfUser(actor.userId)) === version) {
      return version
    }
  }
}
