import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import { forbidden } from '#exceptions/refusal'
import { comesFromForeignPage } from '#middleware/foreign_page'
import { shareBasics } from '#web/page/page'
import { interfacePolicy, newNonce, securePage } from '#web/page/security_headers'

declare module '@adonisjs/core/http' {
  interface HttpContext {
    /** Set on the routes of the web interface, whose errors are pages. */
    isPage?: true
  }
}

/**
 * Headers of every page: a strict content security policy and no caching. Refuses forms of other
 * sites.
 */
export default class PageMiddleware {
  handle(ctx: HttpContext, next: NextFn) {
    const nonce = newNonce()
    ctx.isPage = true
    securePage(ctx.response, interfacePolicy(nonce))
    ctx.response.header('Cache-Control', 'no-store')
    shareBasics(ctx, nonce)
    const isSafe = ['GET', 'HEAD'].includes(ctx.request.method())
    if (!isSafe && comesFromForeignPage(ctx)) {
      throw forbidden('Pages of other sites cannot submit forms here')
    }
    return next()
  }
}
