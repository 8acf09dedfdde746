import type { HttpContext } from '@adonisjs/core/http'
import type { NextFn } from '@adonisjs/core/types/http'
import { holdsSecret, keepPage, keptOnce, keptPage, leadAbove } from '#web/forms/form_results'
import { formToken } from '#web/forms/form_token'
import { goTo } from '#web/page/page'

/** What no form is kept with: what belongs to one sending of it. */
const LEFT_OUT = new Set(['_csrf', 'once'])

/**
 * Forms that write nothing and are answered by a page, such as a plan: the browser is led (303) to an address of that page, where the
 * form is kept, and what it asks for is found out anew whenever somebody comes back. A form that is refused is answered at once,
 * with the status of the refusal, and so are one that may hold a secret (a private key in any field, or `ctx.repeatable` is false)
 * and parts of pages, which scripts ask for; a script that shows the page itself says
 * `X-Kept: address`, and gets the address with the page (`X-Kept-At`).
 */
export default class KeptFormMiddleware {
  async handle(ctx: HttpContext, next: NextFn) {
    return ctx.request.method() === 'POST' ? this.#sent(ctx, next) : this.#again(ctx, next)
  }

  async #sent(ctx: HttpContext, next: NextFn) {
    const { request, response } = ctx
    // They wait for the page that is shown.
    ctx.view.share({ toasts: () => [] })
    await next()
    if (response.getStatus() !== 200 || request.header('x-fragment') !== undefined) {
      return
    }
    const form = Object.entries(request.all()).filter(([name]) => !LEFT_OUT.has(name))
    if (ctx.repeatable === false || holdsSecret(form)) {
      return
    }
    const address = await keepPage(ctx, Object.fromEntries(form))
    if (address === null) {
      return
    }
    if (request.header('x-kept') === 'address') {
      response.header('X-Kept-At', address)
    } else {
      goTo(ctx, address)
      response.status(303)
    }
  }

  async #again(ctx: HttpContext, next: NextFn) {
    const form = await keptPage(ctx)
    if (form === null) {
      return leadAbove(ctx)
    }
    ctx.request.setInitialBody(form as Record<string, unknown>)
    const name = String(ctx.params.kept)
    ctx.view.share({ formToken: (about?: string) => (about ? keptOnce(name, about) : formToken()) })
    return next()
  }
}
