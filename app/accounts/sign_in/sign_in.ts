import { randomBytes } from 'node:crypto'
import type { Actor, Channel } from '#access/actor'
import { stranger } from '#audit/event'
import { recordAside } from '#audit/refused_calls'
import { rightsColumns, rightsIn, type RightsColumns } from '#accounts/rights'
import { writeArgon2 } from '#accounts/passwords/formats'
import { CURRENT, fitsHash } from '#accounts/passwords/hashes'
import { inSlot, turnOf } from '#accounts/passwords/hash_queue'
import { lockout } from '#accounts/sign_in/lockout'
import { renewHash } from '#accounts/sign_in/rehash'
import { lookupBy } from '#database/statements/lookups'
import { VerifiedPasswords } from '#accounts/sign_in/verified_passwords'

/** Somebody who says who they are, by a password. */
export interface SignIn {
  username: string
  password: string
  /** What the password may be instead, where the channel cannot tell: both together are one attempt. */
  alternative?: string
  /** Of the connection. */
  address: string
  channel: Channel
}

/** An account that may sign in with a password: active, local, and with one. */
interface Account extends RightsColumns {
  id: number
  username: string
  /** The stored hash. */
  password: string
  /** 1 where signing in takes a second factor too; null elsewhere. */
  second_factor: number | string | null
}

const LONGEST_USERNAME = 64

/** Sent with every request of clients that show a password. */
const named = lookupBy<Account & { active: boolean | number }>(
  (placeholders, dialect) =>
    `select u.id, u.username, u.password, u.active,
      (select 1 from zw_second_factors f
        where f.user_id = u.id and f.confirmed_at is not null) as second_factor,
      ${rightsColumns(dialect, 'u.id', 'u.permission_template_id')}
    from zw_users u
    where u.username in (${placeholders}) and u.auth_method = 'local' and u.password is not null`,
  (account) => account.username
)

/** Fits no password, and costs what a current one costs. */
const NOBODYS_HASH = writeArgon2({
  kind: 'argon2',
  ...CURRENT,
  salt: randomBytes(16),
  hash: randomBytes(32),
})

const verified = new VerifiedPasswords()

/**
 * The actor who shows a user name and the right password, for every channel that asks for one. null when the
 * password is wrong, there is no such user, they are inactive or have no password, they have a second factor and
 * the channel is that of routers, or the lockout holds: the caller cannot tell which. All but the last take the same time
 * (hashes that were imported in another form take the time of that form until their user signs in).
 *
 * Throws a 429 when too many passwords wait for being checked.
 */
export async function signIn(attempt: SignIn): Promise<Actor | null> {
  if (await lockout.isLocked(attempt)) {
    return null
  }
  const account = (await remembered(attempt)) ?? (await checked(attempt))
  if (!account) {
    return null
  }
  if (account.second_factor !== null && attempt.channel === 'dyndns') {
    // Routers can show none, and are given tokens. HTTP Basic of the API asks for none: so the specification wants it.
    return null
  }
  if (attempt.channel === 'web') {
    await lockout.noteSuccess(attempt)
  }
  return {
    userId: account.id,
    username: account.username,
    ...rightsIn(account),
    key: null,
    address: attempt.address,
    channel: attempt.channel,
  }
}

/** The account, when exactly this password was verified a short while ago. */
async function remembered(attempt: SignIn): Promise<Account | null> {
  const account = await accountNamed(attempt.username)
  const { id: userId = 0, password: stored = NOBODYS_HASH } = account ?? {}
  const isKnown = textsOf(attempt).some((password) => verified.has({ userId, stored, password }))
  return isKnown ? account : null
}

function textsOf({ password, alternative }: SignIn): string[] {
  return alternative === undefined ? [password] : [password, alternative]
}

/**
 * The account, when the password fits its hash. Whether it is locked and what is stored is asked when the hash
 * is about to be computed, which may be seconds later: many attempts at once gain one more try for each further
 * slot, and not one each. A client's own requests at once cost one hash together.
 */
function checked(attempt: SignIn): Promise<Account | null> {
  return inSlot(async () => {
    if (await lockout.isLocked(attempt)) {
      return null
    }
    const account = await accountNamed(attempt.username)
    const { id: userId = 0, password: stored = NOBODYS_HASH } = account ?? {}
    if (textsOf(attempt).some((password) => verified.has({ userId, stored, password }))) {
      return account
    }
    const password = await fittingOf(attempt, stored)
    if (!account || password === null) {
      if (await lockout.countFailure(attempt)) {
        logLock(attempt, account)
      }
      return null
    }
    verified.add({ userId, stored: await renewHash(userId, stored, password), password })
    return account
  }, turnOf(attempt))
}

/** That of the texts which fits the hash; null for none. */
async function fittingOf(attempt: SignIn, stored: string): Promise<string | null> {
  for (const text of textsOf(attempt)) {
    if (await fitsHash(stored, text)) {
      return text
    }
  }
  return null
}

/** Tells the audit log of a lock: whom it is about only where there is somebody, for a name may be a password. */
function logLock({ address, channel }: SignIn, account: Account | null): void {
  recordAside(stranger(address, channel), {
    action: 'login.locked',
    object: account && { kind: 'user', id: account.id, name: account.username },
    detail: { user_known: account !== null },
  })
}

async function accountNamed(username: string): Promise<Account | null> {
  // PostgreSQL takes no NUL in a text.
  if (username.length > LONGEST_USERNAME || username.includes('\0')) {
    return null
  }
  // Exactly this spelling: else each that a database takes for equal would have wrong passwords of its own.
  const account = await named.of(username)
  return account?.active ? account : null
}
