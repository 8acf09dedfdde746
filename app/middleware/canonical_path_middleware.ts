import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import { notFound } from '#exceptions/refusal'

/**
 * Every resource of the API has one path. A slash at the end or a double slash is a 404, so that no
 * object has a second URL.
 */
export default class CanonicalPathMiddleware {
  handle({ request }: HttpContext, next: NextFn) {
    const path = request.url()
    const isOdd = path.endsWith('/') || path.includes('//')
    if (path.startsWith('/api/v2/') && isOdd) {
      throw notFound('The requested resource was not found')
    }
    return next()
  }
}
