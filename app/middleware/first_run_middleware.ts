import type { HttpContext } from '@adonisjs/core/http'
import { readFirstRunState } from '#accounts/first_run/state'
import type { NextFn } from '@adonisjs/core/types/http'

const SETUP = '/setup'

/** Redirects every page to the creation of the first administrator while there is no user. */
export default class FirstRunMiddleware {
  async handle(ctx: HttpContext, next: NextFn) {
    const { request, response, signedIn } = ctx
    const isAnswered = signedIn !== null || request.url() === SETUP
    if (!isAnswered && (await readFirstRunState()) === 'fresh') {
      return response.redirect().status(303).toPath(SETUP)
    }
    return next()
  }
}
