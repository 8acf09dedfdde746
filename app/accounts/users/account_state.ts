import type { Actor } from '#access/actor'
import { checkPassword } from '#accounts/passwords/policy'
import { plainTerms } from '#accounts/terms'
import { findUser } from '#accounts/users/named_users'
import { lift } from '#accounts/users/unlock'
import { updateUser } from '#accounts/users/update'
import { notFound } from '#exceptions/refusal'
import type User from '#models/user'

/**
 * Sets the password of a user for the actor, and forgets wrong ones that were counted. Throws a 404 for an
 * unknown user, a 400 when the password breaks the policy or is kept elsewhere.
 */
export async function setPassword(
  username: string,
  password: string,
  actor: Actor
): Promise<{ id: number }> {
  const { id } = await userNamed(username)
  checkPassword(password, { username })
  await updateUser(plainTerms(actor), id, { password })
  return { id }
}

/**
 * Activates or deactivates a user for the actor; false when they were so already. Throws a 404 for an unknown
 * user, a 409 for the last active one who may do everything. Activating forgets wrong passwords that were
 * counted, also of a user who is active.
 */
export async function setActive(username: string, active: boolean, actor: Actor): Promise<boolean> {
  const { id } = await userNamed(username)
  const isChanged = await updateUser(plainTerms(actor), id, { active })
  if (active) {
    await lift(plainTerms(actor), { id, username })
  }
  return isChanged
}

/** The user of a name. Throws a 404 for an unknown one. */
export async function userNamed(username: string): Promise<User> {
  const user = await findUser(username)
  if (!user) {
    throw notFound(`There is no user named '${username}'`)
  }
  return user
}
