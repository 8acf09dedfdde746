import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import {
  holdsSecret,
  storeFormResult,
  resultToken,
  loadFormResult,
  leadAbove,
} from '#web/forms/form_results'
import { formToken } from '#web/forms/form_token'
import { goTo } from '#web/page/page'

/** Fields that belong to one submit, and are not stored. */
const EXCLUDED_FIELDS = new Set(['_csrf', 'once'])

/**
 * Forms that write nothing and answer with a page, such as a plan. The form is stored, and the
 * browser is redirected (303) to a URL that renders the page again. Errors, forms with a secret
 * (`ctx.repeatable` is false) and fragments are answered directly. A script that renders the page
 * itself sends `X-Result: address` and gets the URL in `X-Result-At`.
 */
export default class StoredFormMiddleware {
  async handle(ctx: HttpContext, next: NextFn) {
    return ctx.request.method() === 'POST' ? this.#storeForm(ctx, next) : this.#showForm(ctx, next)
  }

  async #storeForm(ctx: HttpContext, next: NextFn) {
    const { request, response } = ctx
    // Flash messages wait for the page that is rendered.
    ctx.view.share({ toasts: () => [] })
    await next()
    if (response.getStatus() !== 200 || request.header('x-fragment') !== undefined) {
      return
    }
    const storedEntries = Object.entries(request.all()).filter(
      ([name]) => !EXCLUDED_FIELDS.has(name)
    )
    if (ctx.repeatable === false || holdsSecret(storedEntries)) {
      return
    }
    const address = await storeFormResult(ctx, Object.fromEntries(storedEntries))
    if (address === null) {
      return
    }
    if (request.header('x-result') === 'address') {
      response.header('X-Result-At', address)
    } else {
      goTo(ctx, address)
      response.status(303)
    }
  }

  async #showForm(ctx: HttpContext, next: NextFn) {
    const result = await loadFormResult(ctx)
    if (result === null) {
      return leadAbove(ctx)
    }
    ctx.request.setInitialBody(result as Record<string, unknown>)
    const name = String(ctx.params.result)
    ctx.view.share({
      formToken: (about?: string) => (about ? resultToken(name, about) : formToken()),
    })
    return next()
  }
}
