import { createHash, randomBytes } from 'node:crypto'
import db from '@adonisjs/lucid/services/db'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { countMailTo } from '#accounts/password_reset/limits'
import { passwordVersion } from '#accounts/passwords/password_version'
import { isMailAddress } from '#accounts/users/mail_address'
import security from '#config/security'
import { retryOnConflict } from '#database/conflicts'

export const RESETS_TABLE = 'zw_password_resets'
const TOKEN_BYTES = 32

/** An active local account with a mail address. */
export interface ResettableAccount {
  id: number
  username: string
  email: string
  /** The stored hash; null for none. */
  password: string | null
}

/** A link to send, and its recipient. */
export interface NewReset {
  account: Pick<ResettableAccount, 'id' | 'username' | 'email'>
  token: string
}

const MAX_INPUT_CHARACTERS = 255

/**
 * Creates a reset token for a user name or mail address. null if no account may have one: unknown,
 * inactive, external password, no address, or too many recent mails.
 */
export async function createReset(usernameOrEmail: string): Promise<NewReset | null> {
  const account = await findResettableAccount(usernameOrEmail.trim())
  if (!account || !(await countMailTo(account.id))) {
    return null
  }
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const row = {
    token_hash: tokenHash(token),
    user_id: account.id,
    account_mark: resetVersion(account),
    expires_at: new Date(Date.now() + security.password_reset.valid_minutes * 60_000).toISOString(),
  }
  await retryOnConflict(() => db.table(RESETS_TABLE).insert(row))
  const { id, username, email } = account
  return { account: { id, username, email }, token }
}

/** Returns the stored hash of a token. */
export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/** Changes when the password or the mail address of the account changes. */
export function resetVersion({ password, email }: ResettableAccount): string {
  return passwordVersion(password, email)
}

/** Deletes expired links and returns their number. */
export async function pruneResets(): Promise<number> {
  const removed: unknown = await retryOnConflict(() =>
    db.from(RESETS_TABLE).where('expires_at', '<=', new Date().toISOString()).delete()
  )
  return Number(removed)
}

/** Selects accounts that may reset their password by mail. */
export function selectResettable(client: QueryClientContract) {
  return client
    .from('zw_users')
    .where({ active: true, auth_method: 'local' })
    .whereNotNull('email')
    .whereNot('email', '')
    .select('id', 'username', 'email', 'password')
}

/** Returns the account with this name, else the only one with this address, case-insensitively. */
async function findResettableAccount(usernameOrEmail: string): Promise<ResettableAccount | null> {
  if (
    usernameOrEmail === '' ||
    usernameOrEmail.length > MAX_INPUT_CHARACTERS ||
    /\p{Cc}/u.test(usernameOrEmail)
  ) {
    return null
  }
  const [accountWithName] = (await selectResettable(db.connection())
    .where('username', usernameOrEmail)
    .limit(1)) as ResettableAccount[]
  // Compares again: MariaDB ignores spaces at the end.
  if (accountWithName?.username === usernameOrEmail) {
    return isMailAddress(accountWithName.email) ? accountWithName : null
  }
  const accountsWithAddress = (await selectResettable(db.connection())
    .whereRaw('lower(email) = ?', [usernameOrEmail.toLowerCase()])
    .limit(2)) as ResettableAccount[]
  return accountsWithAddress.length === 1 && isMailAddress(accountsWithAddress[0].email)
    ? accountsWithAddress[0]
    : null
}
