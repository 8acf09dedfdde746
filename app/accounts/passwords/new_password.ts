import hash from '@adonisjs/core/services/hash'
import { checkPassword } from '#accounts/passwords/policy'

/**
 * What is stored of a new password. The one place where a password of a user is judged and hashed, whoever
 * sets it: throws a 400 `Refusal` that never shows it, when it breaks the policy.
 *
 * Takes some fiftieths of a second: not to be called inside a transaction.
 */
export async function storedPassword(
  password: string,
  user: { username: string }
): Promise<string> {
  checkPassword(password, user)
  return hash.make(password)
}
