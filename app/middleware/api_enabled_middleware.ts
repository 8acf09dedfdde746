import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import api from '#config/api'
import { forbidden } from '#exceptions/refusal'

/** Answers 403 to every request while the API is disabled. */
export default class ApiEnabledMiddleware {
  handle(_: HttpContext, next: NextFn) {
    if (!api.enabled) {
      throw forbidden('The API feature is disabled (setting api.enabled)')
    }
    return next()
  }
}
