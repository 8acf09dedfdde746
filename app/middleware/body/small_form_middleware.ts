import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import { Refusal } from '#exceptions/refusal'

/** Bytes of a form of somebody who did not sign in: a name, a password, a code. */
const MOST_OF_STRANGERS = 16_384

/** Strangers may not make the process read much: a form of theirs is small, and says how long it is. Before forms are read. */
export default class SmallFormMiddleware {
  handle({ request, signedIn }: HttpContext, next: NextFn) {
    const length = request.header('content-length')
    const isSmall = !request.header('transfer-encoding') && Number(length ?? 0) <= MOST_OF_STRANGERS
    const isForm = !['GET', 'HEAD'].includes(request.method())
    if (isForm && !signedIn && !isSmall) {
      throw new Refusal(413, `A form may have ${MOST_OF_STRANGERS} bytes before signing in`)
    }
    return next()
  }
}
