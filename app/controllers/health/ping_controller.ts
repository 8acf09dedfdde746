import type { HttpContext } from '@adonisjs/core/http'
import health from '#config/health'

/**
 * /ping: whether the process answers. No other check, so that it answers while the database is
 * down.
 */
export default class PingController {
  handle({ response }: HttpContext) {
    response.header('Cache-Control', 'no-store')
    response.header('Content-Type', 'text/plain; charset=UTF-8')
    if (!health.ping_enabled) {
      return response.status(404).send('Not Found')
    }
    return response.send('ok')
  }
}
