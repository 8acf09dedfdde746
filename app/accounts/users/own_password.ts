import type { Actor } from '#access/actor'
import { passwordVersionOf } from '#accounts/passwords/password_version'
import { storedPassword } from '#accounts/passwords/new_password'
import { revokeSessionsOf } from '#accounts/sessions/sessions'
import { signIn } from '#accounts/sign_in/sign_in'
import { plainTerms } from '#accounts/terms'
import { lockUser } from '#accounts/users/row'
import { settleUser, writeUsers } from '#accounts/users/write'

/** A signed-in user with a client address. */
type Self = Actor & { userId: number; address: string }

/**
 * Verifies the password of a signed-in user again, in case another person uses the open session.
 * Wrong passwords count as in a sign-in. Throws as `signIn`.
 */
export async function confirmsOwnPassword(actor: Self, password: string): Promise<boolean> {
  const { userId, username, address } = actor
  const shown = await signIn({ username, password, address, channel: 'web' })
  return shown?.userId === userId
}

/**
 * Changes the password of the actor and ends all sessions. Returns false if the current password is
 * wrong, was replaced, or is locked. Needs no permission. Throws a 400 `Refusal` if the new
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
    // While the hash waited in the queue, an administrator may have set another password.
    if ((await passwordVersionOf(userId, trx)) !== version) {
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
 * Returns the version of the verified password; null if it is wrong. Repeats the check after a
 * replacement, since a sign-in can renew the hash.
 */
async function versionOfShown(actor: Self, password: string): Promise<string | null> {
  for (;;) {
    const version = await passwordVersionOf(actor.userId)
    if (version === null || !(await confirmsOwnPassword(actor, password))) {
      return null
    }
    if ((await passwordVersionOf(actor.userId)) === version) {
      return version
    }
  }
}
