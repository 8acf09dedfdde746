import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import { invalid } from '#exceptions/refusal'
import { refuseBrokenText } from '#exceptions/whole_text'

/** Refuses query parameters with several values, which would change the meaning of a filter. */
export default class SingleValuesMiddleware {
  handle({ request }: HttpContext, next: NextFn) {
    for (const [name, value] of Object.entries(request.qs())) {
      if (typeof value !== 'string') {
        throw invalid(`Query parameter '${name.slice(0, 100)}' must be a single value`)
      }
      refuseBrokenText(value, name, 'Query parameter')
    }
    return next()
  }
}
