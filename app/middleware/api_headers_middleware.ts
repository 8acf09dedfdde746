import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import { isLarge, stringifyYielding } from '#database/event_loop'

/** Headers of every API answer: it is JSON, and private to its caller. */
export default class ApiHeadersMiddleware {
  async handle({ request, response }: HttpContext, next: NextFn) {
    if (request.url().startsWith('/api/')) {
      response.header('Cache-Control', 'no-cache, private')
      response.header('X-Content-Type-Options', 'nosniff')
    }
    await next()
    // Large answers are serialised here in steps, as the framework would block the event loop.
    const content: unknown = response.content?.[0]
    if (isLarge(content) && !ArrayBuffer.isView(content)) {
      response.header('Content-Type', 'application/json; charset=utf-8')
      response.send(await stringifyYielding(content))
    }
  }
}
