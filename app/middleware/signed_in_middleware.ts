import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'

/** Sends whoever did not sign in to the page where they can, and remembers what they were after. */
export default class SignedInMiddleware {
  handle(ctx: HttpContext, next: NextFn) {
    if (ctx.signedIn) {
      return next()
    }
    if (ctx.request.method() === 'GET') {
      ctx.session.put('intended', ctx.request.url(true))
    }
    return ctx.response.redirect().status(303).toPath('/login')
  }
}
