import type { HttpContext } from '@adonisjs/core/http'
import db from '@adonisjs/lucid/services/db'
import { actorOfUser } from '#accounts/authenticate'
import { lifetimeMs } from '#accounts/sessions/sessions'
import { record } from '#audit/record'
import interfaceSettings from '#config/interface'
import { OWNER, outliveBrowser, type Owner } from '#web/session_store'

/** How somebody showed who they are, for the audit log. */
export type SignInMethod = 'password' | 'password+totp' | 'password+recovery_code'

/**
 * Begins the session of somebody who showed who they are, under a token that nobody knew before. Gives the path of the
 * page that they were after.
 */
export async function signVisitorIn(
  ctx: HttpContext,
  who: { userId: number; remember: boolean },
  method: SignInMethod
): Promise<string> {
  const { session, request } = ctx
  const found = await actorOfUser(who.userId, 'web')
  const remembered = who.remember && interfaceSettings.remember_days > 0
  const intended = localPath(session.get('intended'))
  session.clear()
  session.regenerate()
  session.put(OWNER, { userId: who.userId, remembered } satisfies Owner)
  if (remembered) {
    outliveBrowser(ctx, lifetimeMs(true) / 1000)
  }
  if (found) {
    const actor = { ...found.actor, address: request.ip() }
    await record(db.connection(), actor, { action: 'login.succeeded', detail: { method } })
  }
  return intended
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
