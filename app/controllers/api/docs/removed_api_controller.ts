import type { HttpContext } from '@adonisjs/core/http'

/** /api/v1: 410 with a link to its successor. */
export default class RemovedApiController {
  handle({ response }: HttpContext) {
    response.header('Link', '</api/v2/>; rel="successor-version"')
    return response
      .status(410)
      .send({ error: true, message: 'API v1 was removed. Use /api/v2 instead.' })
  }
}
