import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import { Refusal } from '#exceptions/refusal'

/** Maximal bytes of a form before the sign-in: name, password, code. */
const MAX_BYTES = 16_384

/**
 * Limits forms before the sign-in: small, and with a content length. Runs before forms are read.
 */
export default class SmallFormMiddleware {
  handle({ request, signedIn }: HttpContext, next: NextFn) {
    const length = request.header('content-length')
    const isSmall = !request.header('transfer-encoding') && Number(length ?? 0) <= MAX_BYTES
    const isForm = !['GET', 'HEAD'].includes(request.method())
    if (isForm && !signedIn && !isSmall) {
      throw new Refusal(413, `A form must have at most ${MAX_BYTES} bytes before sign-in`)
    }
    return next()
  }
}
