import type { HttpContext } from '@adonisjs/core/http'
import { hasSecondFactor } from '#accounts/second_factor/second_factor'
import { mustHaveSecondFactor } from '#access/second_factor'
import { Refusal } from '#exceptions/refusal'
import type { NextFn } from '@adonisjs/core/types/http'

/** Where a second factor is set up, and what somebody who has to may still do. */
const FACTOR = '/account/second-factor'
const ALLOWED = [FACTOR, '/logout']

/** Sends whoever did not sign in to the page where they can, and remembers what they were after. */
export default class SignedInMiddleware {
  async handle(ctx: HttpContext, next: NextFn) {
    if (ctx.signedIn) {
      return (await lacksFactor(ctx)) ? ctx.response.redirect().status(303).toPath(FACTOR) : next()
    }
    if (ctx.request.accepts(['html', 'json', 'text/event-stream']) !== 'html') {
      // A script asks, which cannot show the page of the sign-in.
      throw new Refusal(401, 'Nobody is signed in any more')
    }
    if (ctx.request.method() === 'GET') {
      ctx.session.put('intended', ctx.request.url(true))
    }
    return ctx.response.redirect().status(303).toPath('/login')
  }
}

/** Whether somebody has to set up a second factor before anything else. */
async function lacksFactor({ actor, signedIn, request }: HttpContext): Promise<boolean> {
  return (
    !ALLOWED.includes(request.url()) &&
    mustHaveSecondFactor(actor) &&
    !(await hasSecondFactor(signedIn!.userId))
  )
}
