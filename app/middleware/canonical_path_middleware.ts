import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import { notFound } from '#exceptions/refusal'

/**
 * Every resource of the API has one path. A slash at its end or two in a row name nothing: answering them
 * all the same would give each object a second address that restrictions by path do not know.
 */
export default class CanonicalPathMiddleware {
  handle({ request }: HttpContext, next: NextFn) {
    const path = request.url()
    if (path.startsWith('/api/') && (path.endsWith('/') || path.includes('//'))) {
      throw notFound('The requested resource was not found')
    }
    return next()
  }
}
