import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import { actorOfUser } from '#accounts/authenticate'
import {
  chosenBy,
  DEFAULTS,
  preferencesOf,
  type Preferences,
} from '#accounts/preferences/preferences'
import { shareVisitor } from '#web/page/page'

declare module '@adonisjs/core/http' {
  interface HttpContext {
    /** Of whoever signed in; the defaults for everybody else. */
    preferences: Preferences
  }
}

/** Finds out who looks at a page of the web interface, with the rights of this moment, and how they want it to be. */
export default class VisitorMiddleware {
  async handle(ctx: HttpContext, next: NextFn) {
    const { signedIn } = ctx
    const found = signedIn && (await actorOfUser(signedIn.userId, 'web'))
    if (signedIn && found?.active) {
      ctx.actor = { ...found.actor, address: ctx.request.ip() }
      ctx.preferences = preferencesOf(await chosenBy(signedIn.userId))
    } else {
      ctx.preferences = DEFAULTS
      if (signedIn) {
        // Whoever may not sign in any more has no session either.
        ctx.session.clear()
        ctx.session.regenerate()
        ctx.signedIn = null
      }
    }
    await shareVisitor(ctx)
    return next()
  }
}
