import hash from '@adonisjs/core/services/hash'
import { checkPassword } from '#accounts/passwords/policy'

/**
 * Validates and hashes a new password; all changes of passwords use it. Throws a 400 `Refusal`
 * without the password in its message if it breaks the policy.
 *
 * Must not be called inside a transaction, because it takes some 20 ms.
 */
export async function hashNewPassword(
  password: string,
  user: { username: string }
): Promise<string> {
  checkPassword(password, user)
  return hash.make(password)
}
