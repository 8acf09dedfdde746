import db from '@adonisjs/lucid/services/db'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { hashNewPassword } from '#accounts/passwords/new_password'
import {
  resetVersion,
  RESETS_TABLE,
  selectResettable,
  type ResettableAccount,
} from '#accounts/password_reset/requests'
import { revokeSessionsOf } from '#accounts/sessions/sessions'
import { resetFailures } from '#accounts/sign_in/failures'
import { lockUser } from '#accounts/users/row'
import { writeUsers } from '#accounts/users/write'
import { record } from '#audit/record'

/** Returns the account of a valid link; null for an invalid link. */
export async function findResetAccount(hash: string): Promise<{ username: string } | null> {
  const account = await findAccountOfReset(db.connection(), hash)
  return account && { username: account.username }
}

/**
 * Sets a password by a link and clears failed sign-ins. The link works once: all links and sessions
 * of the account end. Returns false for an invalid link. Throws a 400 `Refusal` if the password
 * breaks the policy.
 *
 * @param address client address, for the audit log
 */
export async function redeemReset(
  hash: string,
  newPassword: string,
  address: string
): Promise<boolean> {
  const candidate = await findAccountOfReset(db.connection(), hash)
  if (!candidate) {
    return false
  }
  const hashed = await hashNewPassword(newPassword, candidate)
  const isSet = await writeUsers(async (trx) => {
    await lockUser(trx, candidate.id)
    const account = await findAccountOfReset(trx, hash)
    if (!account) {
      return false
    }
    const { id, username } = account
    await trx
      .from('zw_users')
      .where('id', id)
      .update({ password: hashed, updated_at: new Date().toISOString() })
    await trx.from(RESETS_TABLE).where('user_id', id).delete()
    await revokeSessionsOf(trx, id)
    await record(
      trx,
      { userId: id, username, key: null, address, channel: 'web' },
      {
        action: 'user.password',
        object: { kind: 'user', id, name: username },
        detail: { by: 'mail' },
      }
    )
    return true
  })
  if (isSet) {
    await resetFailures({ username: candidate.username })
  }
  return isSet
}

/**
 * Returns the account of a link that has not expired, if password and address did not change since.
 */
async function findAccountOfReset(
  client: QueryClientContract,
  hash: string
): Promise<ResettableAccount | null> {
  const reset: { user_id: number; account_mark: string } | null = await client
    .from(RESETS_TABLE)
    .where('token_hash', hash)
    .where('expires_at', '>', new Date().toISOString())
    .first()
  const account =
    reset &&
    ((await selectResettable(client).where('id', reset.user_id).first()) as ResettableAccount)
  return account && resetVersion(account) === reset.account_mark ? account : null
}
