import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import { Refusal } from '#exceptions/refusal'

const FORM = 'application/x-www-form-urlencoded'
const FORM_TYPE = /^application\/x-www-form-urlencoded *(?:; *charset=("?)utf-8\1 *)?$/i

/**
 * Refuses bodies that are not plain forms in UTF-8, before they are read. A compressed body can
 * inflate to any size, and other parsers have other errors. Pages send nothing else. Throws a 415
 * `Refusal`.
 */
export default class FormBodyMiddleware {
  handle({ request }: HttpContext, next: NextFn) {
    if (!request.hasBody()) return next()
    const encoding = request.header('content-encoding')
    if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
      throw new Refusal(415, "Header 'Content-Encoding': a form must not be compressed")
    }
    if (!FORM_TYPE.test(request.header('content-type') ?? '')) {
      throw new Refusal(415, `Header 'Content-Type': a form must be ${FORM} in UTF-8`)
    }
    return next()
  }
}
