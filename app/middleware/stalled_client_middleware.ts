import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'

/**
 * How long sent data may wait for a client that reads none of it, in ms. An object, so that tests
 * can change it.
 */
export const STALL_LIMIT = { afterMs: 120_000 }

/**
 * Disconnects clients that do not read their answer: a streamed list occupies memory and a file for
 * them. A slow reader is served, and so is a client whose answer is not ready.
 */
export default class StalledClientMiddleware {
  handle({ response: { response }, logger }: HttpContext, next: NextFn) {
    response.setTimeout(STALL_LIMIT.afterMs, () => {
      if (response.writableLength > 0) {
        logger.warn('Connection closed: the client stopped reading')
        response.destroy()
      }
    })
    return next()
  }
}
