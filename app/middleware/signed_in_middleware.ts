import type { HttpContext } from '@adonisjs/core/http'
import { hasSecondFactor } from '#accounts/second_factor/second_factor'
import { mustHaveSecondFactor } from '#access/second_factor'
import { Refusal } from '#exceptions/refusal'
import type { NextFn } from '@adonisjs/core/types/http'
import { pageBehind } from '#web/page/referring_page'
import { ENDED } from '#web/session/store'

/** Where a second factor is set up, and what somebody who has to may still do. */
const FACTOR = '/account/second-factor'
const ALLOWED = [FACTOR, '/logout']

/** Characters of an address that is gone back to. */
const LONGEST_KEPT = 1_500

/**
 * Sends whoever did not sign in to the page where they can, and remembers what they were after: of a form, whose session has
 * ended, the page that it is on. Nothing of the form is done, then or later.
 */
export default class SignedInMiddleware {
  async handle(ctx: HttpContext, next: NextFn) {
    if (ctx.signedIn) {
      return (await lacksFactor(ctx)) ? ctx.response.redirect().status(303).toPath(FACTOR) : next()
    }
    const isPage = ctx.request.accepts(['html', 'json', 'text/event-stream']) === 'html'
    if (!isPage || ctx.request.header('x-fragment') !== undefined) {
      // A script asks, which cannot show the page of the sign-in.
      throw new Refusal(401, 'Nobody is signed in any more')
    }
    const isForm = !['GET', 'HEAD'].includes(ctx.request.method())
    const intended = isForm ? pageBehind(ctx) : ctx.request.url(true)
    // Browsers keep no cookie that is larger than 4096 bytes, and this one is needed to sign in.
    ctx.session.put('intended', intended.length <= LONGEST_KEPT ? intended : '/')
    if (isForm) {
      ctx.session.put(ENDED, true)
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
