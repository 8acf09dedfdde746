import type { HttpContext } from '@adonisjs/core/http'
import { hasSecondFactor } from '#accounts/second_factor/second_factor'
import { mustHaveSecondFactor } from '#access/second_factor'
import { Refusal } from '#exceptions/refusal'
import type { NextFn } from '@adonisjs/core/types/http'
import { pageBehind } from '#web/page/referring_page'
import { SESSION_ENDED } from '#web/session/store'

/** The page that sets up a second factor, and what is allowed before it is set up. */
const SECOND_FACTOR_PATH = '/account/second-factor'
const ALLOWED_PATHS = [SECOND_FACTOR_PATH, '/logout']

/** Maximal length of a stored URL. */
const MAX_URL_LENGTH = 1_500

/**
 * Redirects to the sign-in page, and stores the requested URL. For a form whose session has ended,
 * it stores the URL of the page with the form; the form is not executed.
 */
export default class SignedInMiddleware {
  async handle(ctx: HttpContext, next: NextFn) {
    if (ctx.signedIn) {
      return (await lacksFactor(ctx))
        ? ctx.response.redirect().status(303).toPath(SECOND_FACTOR_PATH)
        : next()
    }
    const isPage = ctx.request.accepts(['html', 'json', 'text/event-stream']) === 'html'
    if (!isPage || ctx.request.header('x-fragment') !== undefined) {
      // A request of a script, which cannot show the sign-in page.
      throw new Refusal(401, 'You are no longer signed in')
    }
    const isForm = !['GET', 'HEAD'].includes(ctx.request.method())
    const intended = isForm ? pageBehind(ctx) : ctx.request.url(true)
    // Browsers drop cookies above 4096 bytes, and this one is needed for the sign-in.
    ctx.session.put('intended', intended.length <= MAX_URL_LENGTH ? intended : '/')
    if (isForm) {
      ctx.session.put(SESSION_ENDED, true)
    }
    return ctx.response.redirect().status(303).toPath('/login')
  }
}

/** Whether the user must set up a second factor first. */
async function lacksFactor({ actor, signedIn, request }: HttpContext): Promise<boolean> {
  return (
    !ALLOWED_PATHS.includes(request.url()) &&
    mustHaveSecondFactor(actor) &&
    !(await hasSecondFactor(signedIn!.userId))
  )
}
