import { randomBytes } from 'node:crypto'
import type { Actor, Channel } from '#access/actor'
import { anonymousActor } from '#audit/event'
import { recordInBackground } from '#audit/refused_calls'
import { rightsColumns, parseRights, type RightsColumns } from '#accounts/rights'
import { formatArgon2 } from '#accounts/passwords/formats'
import { CURRENT_COST, matchesHash } from '#accounts/passwords/hashes'
import { runInSlot, fairnessKeyOf } from '#accounts/passwords/hash_queue'
import { lockout } from '#accounts/sign_in/lockout'
import { replaceOutdatedHash } from '#accounts/sign_in/rehash'
import { lookupBy } from '#database/statements/lookups'
import { VerifiedPasswords } from '#accounts/sign_in/verified_passwords'

/** A sign-in attempt with a password. */
export interface PasswordSignIn {
  username: string
  password: string
  /** Another possible password, if the channel cannot decide; both count as one attempt. */
  alternative?: string
  /** Client address. */
  address: string
  channel: Channel
}

/** An active local account with a password. */
interface Account extends RightsColumns {
  id: number
  username: string
  /** The stored hash. */
  password: string
  /** 1 if the user has a second factor; null otherwise. */
  second_factor: number | string | null
}

const MAX_USERNAME_CHARACTERS = 64

/** Cached statement: clients with a password send it with every request. */
const accountByName = lookupBy<Account & { active: boolean | number }>(
  (placeholders, dialect) =>
    `select u.id, u.username, u.password, u.active,
      (select 1 from zw_second_factors f
        where f.user_id = u.id and f.confirmed_at is not null) as second_factor,
      ${rightsColumns(dialect, 'u.id', 'u.permission_template_id')}
    from zw_users u
    where u.username in (${placeholders}) and u.auth_method = 'local' and u.password is not null`,
  (account) => account.username
)

/** Matches no password, and costs the same as a current hash. */
const UNMATCHED_HASH = formatArgon2({
  kind: 'argon2',
  ...CURRENT_COST,
  salt: randomBytes(16),
  hash: randomBytes(32),
})

const verifiedPasswords = new VerifiedPasswords()

/**
 * Returns the actor for a user name and password, for every channel. null for a wrong password, a
 * missing, inactive or locked account, or a second factor in the router channel; the caller cannot
 * distinguish these. All but the lock take the same time, except for imported hashes. Throws a 429
 * if too many passwords wait.
 */
export async function signIn(attempt: PasswordSignIn): Promise<Actor | null> {
  if (await lockout.isLocked(attempt)) {
    return null
  }
  const account = (await findCachedAccount(attempt)) ?? (await verifyAccount(attempt))
  if (!account) {
    return null
  }
  if (account.second_factor !== null && attempt.channel === 'dyndns') {
    // Routers cannot send a second factor; they use tokens. HTTP Basic of the API requires none by
    // specification.
    return null
  }
  if (attempt.channel === 'web') {
    await lockout.recordSuccess(attempt)
  }
  return {
    userId: account.id,
    username: account.username,
    ...parseRights(account),
    key: null,
    address: attempt.address,
    channel: attempt.channel,
  }
}

/** Returns the account if this password was verified a short time ago. */
async function findCachedAccount(attempt: PasswordSignIn): Promise<Account | null> {
  const account = await findAccountByName(attempt.username)
  const { id: userId = 0, password: stored = UNMATCHED_HASH } = account ?? {}
  const isCached = passwordsOf(attempt).some((password) =>
    verifiedPasswords.has({ userId, stored, password })
  )
  return isCached ? account : null
}

function passwordsOf({ password, alternative }: PasswordSignIn): string[] {
  return alternative === undefined ? [password] : [password, alternative]
}

/**
 * Returns the account if the password matches. The lock and the hash are read when the slot starts,
 * so concurrent attempts gain one try per slot. Equal concurrent requests share one hash
 * computation.
 */
function verifyAccount(attempt: PasswordSignIn): Promise<Account | null> {
  return runInSlot(async () => {
    if (await lockout.isLocked(attempt)) {
      return null
    }
    const account = await findAccountByName(attempt.username)
    const { id: userId = 0, password: stored = UNMATCHED_HASH } = account ?? {}
    if (
      passwordsOf(attempt).some((password) => verifiedPasswords.has({ userId, stored, password }))
    ) {
      return account
    }
    const password = await findMatchingPassword(attempt, stored)
    if (!account || password === null) {
      if (await lockout.countFailure(attempt)) {
        logLock(attempt, account)
      }
      return null
    }
    verifiedPasswords.add({
      userId,
      stored: await replaceOutdatedHash(userId, stored, password),
      password,
    })
    return account
  }, fairnessKeyOf(attempt))
}

/** Returns the text that matches the hash; null for none. */
async function findMatchingPassword(
  attempt: PasswordSignIn,
  stored: string
): Promise<string | null> {
  for (const text of passwordsOf(attempt)) {
    if (await matchesHash(stored, text)) {
      return text
    }
  }
  return null
}

/**
 * Writes the lock to the audit log. Names only existing users, because a typed name may be a
 * password.
 */
function logLock({ address, channel }: PasswordSignIn, account: Account | null): void {
  recordInBackground(anonymousActor(address, channel), {
    action: 'login.locked',
    object: account && { kind: 'user', id: account.id, name: account.username },
    detail: { user_known: account !== null },
  })
}

async function findAccountByName(username: string): Promise<Account | null> {
  // PostgreSQL text cannot contain NUL.
  if (username.length > MAX_USERNAME_CHARACTERS || username.includes('\0')) {
    return null
  }
  // Requires the exact spelling: otherwise each equivalent spelling would have its own counter.
  const account = await accountByName.load(username)
  return account?.active ? account : null
}
