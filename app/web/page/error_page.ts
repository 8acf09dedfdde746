import type { HttpContext } from '@adonisjs/core/http'
import interfaceSettings from '#config/interface'
import { shareBasics } from '#web/page/page'
import { pageBehind } from '#web/page/referring_page'
import { interfacePolicy, newNonce, securePage } from '#web/page/security_headers'
import { typedTexts } from '#web/forms/submitted_text'

/** Paths of other channels, which answer a missing resource in their own format. */
const NON_PAGE_PATHS = /^\/(api|ping|nic|assets|dynamic_update)(\/|\.|$)/

/** Whether a page answers the failed request: it is a request of a browser for the web interface. */
export function wantsErrorPage({ isPage, request }: HttpContext, isMissing: boolean): boolean {
  const isWebPage = isPage === true || (isMissing && !NON_PAGE_PATHS.test(request.url()))
  return interfaceSettings.web_enabled && isWebPage && request.accepts(['text', 'html']) === 'html'
}

/** Renders the error page. */
export async function errorPage(
  ctx: HttpContext,
  { status, message }: { status: number; message: string },
  /** The form belongs to a session that ended. */
  isExpired = false
): Promise<string> {
  if (!ctx.isPage) {
    const nonce = newNonce()
    securePage(ctx.response, interfacePolicy(nonce))
    ctx.response.header('Cache-Control', 'no-store')
    shareBasics(ctx, nonce)
  }
  if (ctx.request.csrfToken === undefined) {
    // The error came before Shield: the page has no forms, such as the one that signs out.
    ctx.view.share({ user: null, nav: [] })
  }
  ctx.response.header('Content-Type', 'text/html; charset=utf-8')
  const isForm = ctx.request.method() === 'POST'
  const typedFields = isForm ? typedTexts(ctx) : []
  const page = isForm ? pageBehind(ctx) : ''
  return isExpired
    ? ctx.view.render('pages/form_expired', { typed: typedFields, page })
    : ctx.view.render('pages/error', { status, message, typed: typedFields, page })
}
