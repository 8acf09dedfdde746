import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'

/** Headers of every answer of the API: it is JSON and nothing else, and for this caller alone. */
export default class ApiHeadersMiddleware {
  handle({ request, response }: HttpContext, next: NextFn) {
    if (request.url().startsWith('/api/')) {
      response.header('Cache-Control', 'no-cache, private')
      response.header('X-Content-Type-Options', 'nosniff')
    }
    return next()
  }
}
