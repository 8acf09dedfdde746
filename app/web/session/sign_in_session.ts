import type { HttpContext } from '@adonisjs/core/http'
import db from '@adonisjs/lucid/services/db'
import { findActorOfUser } from '#accounts/authenticate'
import { passwordVersionOf } from '#accounts/passwords/password_version'
import { lifetimeMs } from '#accounts/sessions/sessions'
import { record } from '#audit/record'
import interfaceSettings from '#config/interface'
import { OWNER, outliveBrowser, type Owner } from '#web/session/store'

/** Method of the sign-in, for the audit log. */
export type SignInMethod = 'password' | 'password+totp' | 'password+recovery_code'

/** A user with a valid password who must enter a second factor. */
export interface PendingSecondFactor {
  userId: number
  username: string
  remember: boolean
  /** Milliseconds since 1970. */
  since: number
  /** Version of the password; after a change of it, the sign-in starts again. */
  passwordVersion: string
}

const PENDING_SECOND_FACTOR = 'half_in'
/** Maximum time for the second factor. */
const MAX_SECOND_FACTOR_MS = 5 * 60_000

/** Stores a user with a valid password in the session. The session then allows only the second factor. */
export async function startSecondFactor(
  { session }: HttpContext,
  user: Omit<PendingSecondFactor, 'since' | 'passwordVersion'>
): Promise<void> {
  const passwordVersion = await passwordVersionOf(user.userId)
  if (passwordVersion === null) {
    return
  }
  const intended: unknown = session.get('intended')
  session.clear()
  session.regenerate()
  session.put(PENDING_SECOND_FACTOR, {
    ...user,
    since: Date.now(),
    passwordVersion,
  } satisfies PendingSecondFactor)
  if (typeof intended === 'string') {
    session.put('intended', intended)
  }
}

/** The user who recently entered a valid password that is still valid; null if there is none. */
export async function pendingSecondFactor({
  session,
}: HttpContext): Promise<PendingSecondFactor | null> {
  const user = session.get(PENDING_SECOND_FACTOR) as PendingSecondFactor | undefined
  const isRecent = user !== undefined && Date.now() - user.since < MAX_SECOND_FACTOR_MS
  return isRecent && (await passwordVersionOf(user.userId)) === user.passwordVersion ? user : null
}

/** Begins the session of an authenticated user, and audits it. Returns the path of the requested page. */
export async function signVisitorIn(
  ctx: HttpContext,
  user: { userId: number; remember: boolean },
  method: SignInMethod
): Promise<string> {
  const intended = localPath(ctx.session.get('intended'))
  const remembered = user.remember && interfaceSettings.remember_days > 0
  startSession(ctx, { userId: user.userId, remembered })
  const account = await findActorOfUser(user.userId, 'web')
  if (account) {
    const actor = { ...account.actor, address: ctx.request.ip() }
    await record(db.connection(), actor, { action: 'login.succeeded', detail: { method } })
  }
  return intended
}

/** Begins a session with a new token, and discards the anonymous session. */
export function startSession(ctx: HttpContext, owner: Owner): void {
  ctx.session.clear()
  ctx.session.regenerate()
  ctx.session.put(OWNER, owner)
  if (owner.remembered) {
    outliveBrowser(ctx, lifetimeMs(true) / 1000)
  }
}

/** Ends the session of the visitor. */
export async function signVisitorOut({ session, signedIn, actor }: HttpContext): Promise<void> {
  if (signedIn) {
    await record(db.connection(), actor, {
      action: 'login.ended',
      detail: { reason: 'signed out' },
    })
  }
  session.clear()
  session.regenerate()
}

/** A path of this origin. Browsers treat two slashes as the start of a host. */
function localPath(path: unknown): string {
  return typeof path === 'string' && /^\/(?![/\\])[^\p{Cc}]*$/u.test(path) ? path : '/'
}
