import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import { refuseBrokenText } from '#exceptions/whole_text'

/** Refuses forms with text that cannot be stored, as the API does. Runs after the body was read. */
export default class WholeTextMiddleware {
  handle({ request }: HttpContext, next: NextFn) {
    refuseBrokenText(request.body(), 'form')
    return next()
  }
}
