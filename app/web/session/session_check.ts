import type { HttpContext } from '@adonisjs/core/http'
import type { Actor } from '#access/actor'
import { mustHaveSecondFactor } from '#access/second_factor'
import { findActorOfUser } from '#accounts/authenticate'
import { hasSecondFactor } from '#accounts/second_factor/second_factor'
import { isSessionOpen } from '#accounts/sessions/sessions'

/**
 * The actor of a long request, with current rights; null after the end of the session, and for accounts that may not sign in
 * any more.
 */
export async function stillSignedIn({ signedIn, request }: HttpContext): Promise<Actor | null> {
  if (!signedIn || !(await isSessionOpen(signedIn.id))) {
    return null
  }
  const user = await findActorOfUser(signedIn.userId, 'web')
  if (!user?.active) {
    return null
  }
  const lacksFactor = mustHaveSecondFactor(user.actor) && !(await hasSecondFactor(signedIn.userId))
  return lacksFactor ? null : { ...user.actor, address: request.ip() }
}
