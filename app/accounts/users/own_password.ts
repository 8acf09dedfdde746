import type { Actor } from '#access/actor'
import { passwordVersionOf } from '#accounts/passwords/password_version'
import { hashNewPassword } from '#accounts/passwords/new_password'
import { revokeSessionsOf } from '#accounts/sessions/sessions'
import { signIn } from '#accounts/sign_in/sign_in'
import { commandOptions } from '#accounts/terms'
import { lockUser } from '#accounts/users/row'
import { finishUserChange, writeUsers } from '#accounts/users/write'

/** A signed-in user with a client address. */
type SignedInActor = Actor & { userId: number; address: string }

/**
 * Verifies the password of a signed-in user again, in case another person uses the open session.
 * Wrong passwords count as in a sign-in. Throws as `signIn`.
 */
export async function verifyOwnPassword(actor: SignedInActor, password: string): Promise<boolean> {
  const { userId, username, address } = actor
  const verifiedActor = await signIn({ username, password, address, channel: 'web' })
  return verifiedActor?.userId === userId
}

/**
 * Changes the password of the actor and ends all sessions. Returns false if the current password is
 * wrong, was replaced, or is locked. Needs no permission. Throws a 400 `Refusal` if the new
 * password breaks the policy.
 */
export async function changeOwnPassword(
  actor: SignedInActor,
  currentPassword: string,
  newPassword: string
): Promise<boolean> {
  const { userId, username } = actor
  const version = await findVerifiedVersion(actor, currentPassword)
  if (version === null) {
    return false
  }
  const passwordHash = await hashNewPassword(newPassword, { username })
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
      .update({ password: passwordHash, updated_at: updatedAt })
    await revokeSessionsOf(trx, userId)
    await finishUserChange(trx, commandOptions(actor), {
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
async function findVerifiedVersion(actor: SignedInActor, password: string): Promise<string | null> {
  for (;;) {
    const version = await passwordVersionOf(actor.userId)
    if (version === null || !(await verifyOwnPassword(actor, password))) {
      return null
    }
    if ((await passwordVersionOf(actor.userId)) === version) {
      return version
    }
  }
}
