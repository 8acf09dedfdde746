import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import { findActorOfUser } from '#accounts/authenticate'
import {
  loadChosenPreferences,
  DEFAULT_PREFERENCES,
  withDefaults,
  type Preferences,
} from '#accounts/preferences/preferences'
import { shareVisitor } from '#web/page/page'

declare module '@adonisjs/core/http' {
  interface HttpContext {
    /** Preferences of the user; defaults before the sign-in. */
    preferences: Preferences
  }
}

/** Loads the user of a page with current rights and preferences. */
export default class VisitorMiddleware {
  async handle(ctx: HttpContext, next: NextFn) {
    const { signedIn } = ctx
    const user = signedIn && (await findActorOfUser(signedIn.userId, 'web'))
    if (signedIn && user?.active) {
      ctx.actor = { ...user.actor, address: ctx.request.ip() }
      ctx.preferences = withDefaults(await loadChosenPreferences(signedIn.userId))
    } else {
      ctx.preferences = DEFAULT_PREFERENCES
      if (signedIn) {
        // A deactivated user has no session.
        ctx.session.clear()
        ctx.session.regenerate()
        ctx.signedIn = null
      }
    }
    await shareVisitor(ctx)
    return next()
  }
}
