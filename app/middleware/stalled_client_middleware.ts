import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'

/**
 * How long what is sent may wait for a client that takes none of it, in milliseconds. An object, so that tests need not wait.
 */
export const STALLED = { afterMs: 120_000 }

/**
 * Cuts off clients that take nothing of their answer: a list that is read while it is sent holds memory and a file for them.
 * Whoever takes a little now and then is served, and so is who waits for an answer that is not made yet.
 */
export default class StalledClientMiddleware {
  handle({ response: { response }, logger }: HttpContext, next: NextFn) {
    response.setTimeout(STALLED.afterMs, () => {
      if (response.writableLength > 0) {
        logger.warn('A client that took nothing of its answer was cut off')
        response.destroy()
      }
    })
    return next()
  }
}
