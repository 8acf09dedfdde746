import type { Actor } from '#access/actor'
import { checkPassword } from '#accounts/passwords/policy'
import { commandOptions } from '#accounts/terms'
import { findUser } from '#accounts/users/named_users'
import { removeLock } from '#accounts/users/unlock'
import { updateUser } from '#accounts/users/update'
import { notFound } from '#exceptions/refusal'
import type User from '#models/user'

/**
 * Sets the password of a user, and resets wrong passwords. Throws a 404 for an unknown user, and a
 * 400 if the password breaks the policy or the account is external.
 */
export async function setPassword(
  username: string,
  password: string,
  actor: Actor
): Promise<{ id: number }> {
  const { id } = await findUserByName(username)
  checkPassword(password, { username })
  await updateUser(commandOptions(actor), id, { password })
  return { id }
}

/**
 * Activates or deactivates a user; returns false without a change. Throws a 404 for an unknown
 * user, and a 409 for the last active administrator. An activation always resets wrong passwords.
 */
export async function setActive(username: string, active: boolean, actor: Actor): Promise<boolean> {
  const { id } = await findUserByName(username)
  const isChanged = await updateUser(commandOptions(actor), id, { active })
  if (active) {
    await removeLock(commandOptions(actor), { id, username })
  }
  return isChanged
}

/** Returns the user with this name. Throws a 404 if it does not exist. */
export async function findUserByName(username: string): Promise<User> {
  const user = await findUser(username)
  if (!user) {
    throw notFound(`There is no user named '${username}'`)
  }
  return user
}
