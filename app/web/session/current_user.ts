import type { HttpContext } from '@adonisjs/core/http'
import type { Actor } from '#access/actor'
import type { Session } from '#accounts/sessions/sessions'

/** A signed-in user, with the client address. */
export type WebActor = Actor & { userId: number; address: string }

/** The user of a page that requires a sign-in. Throws on other pages: a fault of the code. */
export function currentUser({ actor, signedIn, request }: HttpContext): {
  actor: WebActor
  session: Session
} {
  if (!signedIn) {
    throw new Error('No user is signed in')
  }
  return { actor: { ...actor, userId: signedIn.userId, address: request.ip() }, session: signedIn }
}
