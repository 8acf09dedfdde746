import { createHash, randomBytes } from 'node:crypto'
import db from '@adonisjs/lucid/services/db'
import type { QueryClientContract } from '@adonisjs/lucid/types/database'
import { mayMail } from '#accounts/password_reset/limits'
import { passwordMark } from '#accounts/passwords/password_version'
import { isMailAddress } from '#accounts/users/mail_address'
import security from '#config/security'
import { retryOnConflict } from '#database/conflicts'

export const RESETS = 'zw_password_resets'
const TOKEN_BYTES = 32

/** An account whose password is kept here and may be set by mail. */
export interface ResettableAccount {
  id: number
  username: string
  email: string
  /** The stored hash; null for none. */
  password: string | null
}

/** A link that is to be sent: to whom, and what it holds. */
export interface NewReset {
  account: Pick<ResettableAccount, 'id' | 'username' | 'email'>
  token: string
}

const LONGEST = 255

/**
 * Makes a token for a new password of the account of that user name or mail address. null where there is none that may
 * have one: nobody of that name, inactive, with the password elsewhere, without an address, or with too many mails lately.
 */
export async function newReset(who: string): Promise<NewReset | null> {
  const account = await accountOf(who.trim())
  if (!account || !(await mayMail(account.id))) {
    return null
  }
  const token = randomBytes(TOKEN_BYTES).toString('base64url')
  const row = {
    token_hash: tokenHash(token),
    user_id: account.id,
    account_mark: markOf(account),
    expires_at: new Date(Date.now() + security.password_reset.valid_minutes * 60_000).toISOString(),
  }
  await retryOnConflict(() => db.table(RESETS).insert(row))
  const { id, username, email } = account
  return { account: { id, username, email }, token }
}

/** What is stored of a token. */
export function tokenHash(token: string): string {
  return createHash('sha256').update(token).digest('hex')
}

/** Other than it was once the password or the mail address of the account is. */
export function markOf({ password, email }: ResettableAccount): string {
  return passwordMark(password, email)
}

/** Removes links that are too old. Returns how many. */
export async function pruneResets(): Promise<number> {
  const removed: unknown = await retryOnConflict(() =>
    db.from(RESETS).where('expires_at', '<=', new Date().toISOString()).delete()
  )
  return Number(removed)
}

/** Accounts that may have a new password by mail. */
export function resettable(client: QueryClientContract) {
  return client
    .from('zw_users')
    .where({ active: true, auth_method: 'local' })
    .whereNotNull('email')
    .whereNot('email', '')
    .select('id', 'username', 'email', 'password')
}

/** The one of that name; else the one of that address, in whatever case, where it is one alone. */
async function accountOf(who: string): Promise<ResettableAccount | null> {
  if (who === '' || who.length > LONGEST || /\p{Cc}/u.test(who)) {
    return null
  }
  const [named] = (await resettable(db.connection())
    .where('username', who)
    .limit(1)) as ResettableAccount[]
  // MariaDB takes no notice of blanks at the end.
  if (named?.username === who) {
    return isMailAddress(named.email) ? named : null
  }
  const addressed = (await resettable(db.connection())
    .whereRaw('lower(email) = ?', [who.toLowerCase()])
    .limit(2)) as ResettableAccount[]
  return addressed.length === 1 && isMailAddress(addressed[0].email) ? addressed[0] : null
}
