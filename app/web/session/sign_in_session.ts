import type { HttpContext } from '@adonisjs/core/http'
import db from '@adonisjs/lucid/services/db'
import { actorOfUser } from '#accounts/authenticate'
import { passwordVersionOf } from '#accounts/passwords/password_version'
import { lifetimeMs } from '#accounts/sessions/sessions'
import { record } from '#audit/record'
import interfaceSettings from '#config/interface'
import { OWNER, outliveBrowser, type Owner } from '#web/session/store'

/** How somebody showed who they are, for the audit log. */
export type SignInMethod = 'password' | 'password+totp' | 'password+recovery_code'

/** Somebody whose password was right, and who has to show a second factor yet. */
export interface HalfIn {
  userId: number
  username: string
  remember: boolean
  /** Milliseconds since 1970. */
  since: number
  /** Of the password that was shown: with another one, all begins again. */
  mark: string
}

const HALF_IN = 'half_in'
/** So long there is time for the second factor. */
const HALF_IN_MS = 5 * 60_000

/** Remembers who showed a right password. Nothing can be done with it but to show the second factor. */
export async function startSecondFactor(
  { session }: HttpContext,
  who: Omit<HalfIn, 'since' | 'mark'>
): Promise<void> {
  const mark = await passwordVersionOf(who.userId)
  if (mark === null) {
    return
  }
  const intended: unknown = session.get('intended')
  session.clear()
  session.regenerate()
  session.put(HALF_IN, { ...who, since: Date.now(), mark } satisfies HalfIn)
  if (typeof intended === 'string') {
    session.put('intended', intended)
  }
}

/** Who showed a right password a short while ago, which is right still; null for nobody. */
export async function pendingSecondFactor({ session }: HttpContext): Promise<HalfIn | null> {
  const who = session.get(HALF_IN) as HalfIn | undefined
  const isRecent = who !== undefined && Date.now() - who.since < HALF_IN_MS
  return isRecent && (await passwordVersionOf(who.userId)) === who.mark ? who : null
}

/**
 * Begins the session of somebody who showed who they are, and tells the audit log. Gives the path of the page that they
 * were after.
 */
export async function signVisitorIn(
  ctx: HttpContext,
  who: { userId: number; remember: boolean },
  method: SignInMethod
): Promise<string> {
  const intended = localPath(ctx.session.get('intended'))
  const remembered = who.remember && interfaceSettings.remember_days > 0
  startSession(ctx, { userId: who.userId, remembered })
  const found = await actorOfUser(who.userId, 'web')
  if (found) {
    const actor = { ...found.actor, address: ctx.request.ip() }
    await record(db.connection(), actor, { action: 'login.succeeded', detail: { method } })
  }
  return intended
}

/** Begins a session under a token that nobody knew before. What the visitor had until now is gone. */
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

/** A path of this origin; browsers take one that begins with two slashes for a host. */
function localPath(path: unknown): string {
  return typeof path === 'string' && /^\/(?![/\\])[^\p{Cc}]*$/u.test(path) ? path : '/'
}
